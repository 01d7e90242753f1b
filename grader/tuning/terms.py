"""How often each term of a heuristic of checkers occurs in a position."""

from __future__ import annotations

from typing import Any

from solver.games.checkers.heuristics import HEURISTICS


def counts(heuristic: str, position: Any) -> tuple[int, ...]:
    """For the mover, less for the other side."""
    named = HEURISTICS[heuristic]
    black = int(position.mover() == "black")
    return tuple(
        named.occurs(position, key, black) - named.occurs(position, key, 1 - black)
        for key in named.TERMS
    )
