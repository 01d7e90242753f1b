"""What a game is to the search: positions that know their children."""

from __future__ import annotations

from typing import NamedTuple, Protocol, Self


class Position(Protocol):
    """An immutable position, seen by the side to move: the mover.

    A game is over when the mover has lost; there are no other ends.  Draws by repetition
    belong to whoever plays a game, not to a position.
    """

    def children(self) -> list[Self]:
        """The positions after every legal move, each once, always in the same order."""

    def moves(self) -> list[Self]:
        """Like `children`, but a position is listed once for every way of moving there."""

    def standing(self) -> int:
        """`LOST`, `QUIET` or `FORCED` of `solver.standing`; cheaper than `children`."""

    def key(self) -> int:
        """A number below 2**62 that tells positions apart, the side to move included."""

    def board_key(self) -> int:
        """Like `key`, but the same whoever is to move."""

    def changes(self, children: list[Self], /) -> list[int]:
        """For every child, which move led to it and how much it took (`solver.change`); the
        same move in a similar position has the same number."""

    def mover(self) -> str:
        """The name of the side to move, for people."""


class Evaluate(Protocol):
    """A heuristic: how good a position is for the mover, as an integer."""

    def __call__(self, position: Position, /) -> int: ...


class Outcome(NamedTuple):
    """How a game has ended."""

    winner: str
    reason: str

    def __str__(self) -> str:
        return f"{self.winner} has won: {self.reason}"
