"""What a game can say about its own moves.

A game offers a subclass; what can be told without knowing the game is told by the other modules
of this package.
"""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from solver.explain.story import Way
    from solver.search.heuristic import Term


class Kind(NamedTuple):
    """A kind of piece, and the letters that draw it: the beginning side's first.

    The points serve to say who has come out ahead of an exchange, and nothing else.
    """

    name: str
    plural: str
    points: int
    letters: tuple[str, str]


class Piece(NamedTuple):
    """A piece and where it stands: the square's name, and its number where it has one.

    Without a square, it is the one to which the piece comes back in its move.
    """

    kind: str
    square: str
    number: str = ""


class Describer:
    """Tells single moves; `KINDS` begins with the piece that is worth least."""

    KINDS: tuple[Kind, ...] = ()
    SIDES: tuple[str, str] = ("", "")  # the one that begins first

    def count(self, position: Any, side: str) -> tuple[int, ...]:
        """How many of each kind a side has."""
        board, which = str(position), self.SIDES.index(side)
        return tuple(board.count(kind.letters[which]) for kind in self.KINDS)

    def points(self, counts: tuple[int, ...]) -> int:
        return sum(kind.points * count for kind, count in zip(self.KINDS, counts, strict=True))

    def piece(self, parent: Any, child: Any) -> Piece:
        """What moves, and from where."""
        raise NotImplementedError

    def deed(self, parent: Any, child: Any) -> str:
        """What the piece does: `the king on c5 goes to d6`."""
        raise NotImplementedError

    def remarks(self, parent: Any, child: Any) -> list[str]:
        """What follows from it at once: `black must jump`."""
        raise NotImplementedError

    def outlook(self, position: Any) -> str:
        """What is certain to come, as far as the game can tell without searching; told once."""
        return ""

    def theme(self, way: Way) -> Theme:
        """What the best line is about; the root's mover has a choice and does not win at once."""
        raise NotImplementedError


# What a position is about, for who wants a nudge and not the answer.


class Theme(NamedTuple):
    """`about` completes "Think of ..."; the idea is one more sentence.  Neither names a square
    nor a number in digits, so that no hint can give the move away by accident."""

    name: str
    about: str
    idea: str


# Numbers, lists and sentences as people write them.


NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def spelled(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def sentence(words: str) -> str:
    """With a capital letter and a full stop."""
    return f"{words[:1].upper()}{words[1:]}."


def pieces(kinds: Sequence[Kind], counts: Sequence[int]) -> str:
    """`a man`, `two men`, `a man and a king`; `nothing`."""
    named = [
        f"a {kind.name}" if count == 1 else f"{spelled(count)} {kind.plural}"
        for kind, count in zip(kinds, counts, strict=True)
        if count
    ]
    return listed(named) if named else "nothing"


def traded(kinds: Sequence[Kind], gained: Sequence[int], given: Sequence[int]) -> str:
    """What a side got for what: `two men for one`, `a king for a man`."""
    rows = [row for row in zip(kinds, gained, given, strict=True) if row[1] or row[2]]
    if len(rows) == 1:
        kind, got, gave = rows[0]
        if got and gave and got + gave > 2:
            return f"{spelled(got)} {kind.plural if got > 1 else kind.name} for {spelled(gave)}"
    return f"{pieces(kinds, gained)} for {pieces(kinds, given)}"


# A heuristic's terms at the end of two lines, side by side.


class Row(NamedTuple):
    """One term: what it adds up to at the end of either line, for one side."""

    title: str
    weight: int
    best: int
    other: int


def side_by_side(best: list[Term], other: list[Term], sign: int) -> list[Row]:
    """The terms that are there in either line; 1 sees them as the side that begins, -1 as the
    one that does not."""
    rows: dict[str, Row] = {}
    for term in best:
        rows[term.title] = Row(term.title, term.weight, sign * term.total, 0)
    for term in other:
        row = rows.get(term.title, Row(term.title, term.weight, 0, 0))
        rows[term.title] = row._replace(other=sign * term.total)
    return [row for row in rows.values() if row.best or row.other]
