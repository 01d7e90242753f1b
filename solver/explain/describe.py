"""The interface by which a game describes its moves, and shared wording."""

from __future__ import annotations

import os
from typing import Generic, NamedTuple, TypeVar

from solver.search.position import Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.explain.story import Way

P = TypeVar("P", bound=Position)
NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


class Kind(NamedTuple):
    """A kind of piece; letters of the beginning side first.  Points only judge exchanges."""

    name: str
    plural: str
    points: int
    letters: tuple[str, str]


class Piece(NamedTuple):
    """A piece and its square; the square is empty if the piece returns to it."""

    kind: str
    square: str


class Theme(NamedTuple):
    """`about` completes "Think of ..."; `idea` is one more sentence.  Neither names a square or has
    digits, so no hint reveals the move."""

    name: str
    about: str
    idea: str

    def fill(self, **words: str) -> Theme:
        return Theme(self.name, self.about.format(**words), self.idea.format(**words))


def read_themes(module: str) -> dict[str, Theme]:
    """The rows of `themes.txt` beside a module: name, `about` and `idea`, with {words} to fill in.
    What a name has in parentheses tells variants of a theme apart."""
    with open(os.path.join(os.path.dirname(module), "themes.txt"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split(" | ") for line in file]
    return {key: Theme(key.partition(" (")[0], about, idea) for key, about, idea in rows}


class Describer(Generic[P]):
    """Describes single moves; `KINDS` begins with the least valuable piece."""

    KINDS: tuple[Kind, ...] = ()
    SIDES: tuple[str, str] = ("", "")  # the one that begins first

    def count(self, position: P, side: str) -> tuple[int, ...]:
        board, which = str(position), self.SIDES.index(side)
        return tuple(board.count(kind.letters[which]) for kind in self.KINDS)

    def points(self, counts: tuple[int, ...]) -> int:
        return sum(kind.points * count for kind, count in zip(self.KINDS, counts, strict=True))

    def piece(self, parent: P, child: P) -> Piece:
        """The moving piece and its start."""
        raise NotImplementedError

    def describe_move(self, parent: P, child: P) -> str:
        """`the king on c5 goes to d6`."""
        raise NotImplementedError

    def remarks(self, parent: P, child: P) -> list[str]:
        """Immediate consequences: `black must jump`."""
        raise NotImplementedError

    def outlook(self, position: P) -> str:
        """What is certain without a search: `white wins the race from here`."""
        return ""

    def theme(self, way: Way) -> Theme:
        """The theme of the best line; its mover has a choice and does not lose."""
        raise NotImplementedError


def number_word(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def join_words(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def sentence(words: str) -> str:
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
    """`two men for one`, `a king for a man`."""
    rows = [row for row in zip(kinds, gained, given, strict=True) if row[1] or row[2]]
    if len(rows) == 1:
        kind, got, gave = rows[0]
        if got and gave and got + gave > 2:
            name = kind.plural if got > 1 else kind.name
            return f"{number_word(got)} {name} for {number_word(gave)}"
    return f"{name_pieces(kinds, gained)} for {name_pieces(kinds, given)}"
