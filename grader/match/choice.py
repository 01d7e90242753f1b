"""What a player says to a position: a move, or that it has none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Choice:
    """The position after the move, and how it was found as far as that is known."""

    child: Any
    depth: int | None = None
    score: int | None = None
    nodes: int | None = None


class Forfeit(Exception):
    """A player that has crashed or made no legal move; the words say how."""
