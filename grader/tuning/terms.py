"""How often each term of a heuristic of checkers occurs in a position."""

from __future__ import annotations

from typing import Any

from solver.checkers.catalogue import HEURISTICS, how_often


def counts(heuristic: str, position: Any) -> tuple[int, ...]:
    """For the mover, less for the other side."""
    named = HEURISTICS[heuristic]
    black = int(position.mover() == "black")
    return tuple(
        how_often(named, position, keyword, black) - how_often(named, position, keyword, 1 - black)
        for keyword in named.terms
    )
