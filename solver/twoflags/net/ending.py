"""How a game has ended, as far as a client can tell."""

from __future__ import annotations

from typing import NamedTuple


class Ending(NamedTuple):
    """How a game has ended; `winner` is empty if nobody has told, `colour` was ours."""

    winner: str
    reason: str
    colour: str = ""

    def __str__(self) -> str:
        return f"{self.winner} has won: {self.reason}" if self.winner else self.reason
