"""What a game says about its own moves: the class each game implements, and wording it may use."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from solver.explain.story import Way
    from solver.search.heuristic import Term

NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


class Kind(NamedTuple):
    """A kind of piece and its letters, those of the beginning side first.

    The points only decide who has gained by an exchange.
    """

    name: str
    plural: str
    points: int
    letters: tuple[str, str]


class Piece(NamedTuple):
    """A piece and its square, with a number where the square has one.

    The square is empty if the piece returns to it in its move.
    """

    kind: str
    square: str
    number: str = ""


class Theme(NamedTuple):
    """`about` completes "Think of ..."; the idea is one more sentence.  Neither names a square or
    has digits, so that no hint gives the move away by accident."""

    name: str
    about: str
    idea: str


class Describer:
    """Describes single moves; `KINDS` begins with the least valuable piece."""

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

    def describe_move(self, parent: Any, child: Any) -> str:
        """What the piece does: `the king on c5 goes to d6`."""
        raise NotImplementedError

    def remarks(self, parent: Any, child: Any) -> list[str]:
        """What follows from it at once: `black must jump`."""
        raise NotImplementedError

    def outlook(self, position: Any) -> str:
        """What is certain without a search: `white wins the race from here`; often empty."""
        return ""

    def theme(self, way: Way) -> Theme:
        """What the best line is about; its mover has a choice and does not lose."""
        raise NotImplementedError


def number_word(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def join_words(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def sentence(words: str) -> str:
    """With a capital letter and a full stop."""
    return f"{words[:1].upper()}{words[1:]}."


def name_pieces(kinds: Sequence[Kind], counts: Sequence[int]) -> str:
    """`a man`, `two men`, `a man and a king`; `nothing`."""
    names = [
        f"a {kind.name}" if count == 1 else f"{number_word(count)} {kind.plural}"
        for kind, count in zip(kinds, counts, strict=True)
        if count
    ]
    return join_words(names) if names else "nothing"


def describe_trade(kinds: Sequence[Kind], gained: Sequence[int], given: Sequence[int]) -> str:
    """What a side got for what: `two men for one`, `a king for a man`."""
    rows = [row for row in zip(kinds, gained, given, strict=True) if row[1] or row[2]]
    if len(rows) == 1:
        kind, got, gave = rows[0]
        if got and gave and got + gave > 2:
            name = kind.plural if got > 1 else kind.name
            return f"{number_word(got)} {name} for {number_word(gave)}"
    return f"{name_pieces(kinds, gained)} for {name_pieces(kinds, given)}"


class TermPair(NamedTuple):
    """One term of a heuristic: its total at the end of two lines."""

    title: str
    weight: int
    best: int
    other: int


def pair_terms(best: list[Term], other: list[Term], sign: int) -> list[TermPair]:
    """The terms that are not 0 in both lines; `sign` is 1 for the side that begins, else -1."""
    pairs = {term.title: TermPair(term.title, term.weight, sign * term.total, 0) for term in best}
    for term in other:
        pair = pairs.get(term.title, TermPair(term.title, term.weight, 0, 0))
        pairs[term.title] = pair._replace(other=sign * term.total)
    return [pair for pair in pairs.values() if pair.best or pair.other]
