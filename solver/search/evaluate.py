"""What a heuristic is to its callers, types only."""

from __future__ import annotations

from typing import Protocol

from solver.search.position import Position


class Evaluate(Protocol):
    """A heuristic: how good a position is for the mover, as an integer."""

    def __call__(self, position: Position, /) -> int: ...
