"""How a game has ended."""

from __future__ import annotations

from typing import NamedTuple


class Outcome(NamedTuple):
    """Who has won, and why."""

    winner: str
    reason: str

    def __str__(self) -> str:
        return f"{self.winner} has won: {self.reason}"
