"""Where a line stops, and why it goes no further."""

from __future__ import annotations

from enum import Enum

from solver.score import UNKNOWN
from solver.standing import LOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.evaluate import Evaluate
    from solver.exact import Exact
    from solver.explain.way import Way


class Ending(Enum):
    OVER = "the game is over"
    TABLES = "the tables know the position"
    PROVEN = "the rest is proven, but not told"
    HORIZON = "the heuristic was asked here"
    BROKEN = "the search went on, but its line is not known"


def ending_of(way: Way, exact: Exact, evaluate: Evaluate) -> Ending:
    if way.last.standing() == LOST:
        return Ending.OVER
    if exact.score(way.last) != UNKNOWN:
        return Ending.TABLES
    if way.finding.is_fact:
        return Ending.PROVEN
    asked = opinion(way, evaluate)
    return Ending.HORIZON if asked == way.finding.score else Ending.BROKEN


def opinion(way: Way, evaluate: Evaluate) -> int:
    """What a heuristic makes of the last position, for the mover of the root."""
    value = evaluate(way.last)
    return value if way.last.mover() == way.mover else -value
