"""What a game can say about its own moves.

A game offers a subclass; what can be told without knowing the game is told by the other modules
of this package.
"""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.explain.theme import Theme
    from solver.explain.way import Way


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


class Teller:
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
