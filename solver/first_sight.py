"""The choice without any search: what the heuristic makes of the children."""

from __future__ import annotations

from solver.score import INFINITY, UNKNOWN, worth
from solver.standing import LOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.evaluate import Evaluate
    from solver.exact import Exact
    from solver.position import Position


def first_sight(
    root: Position, evaluate: Evaluate, exact: Exact, wins: list[int], leave_out: frozenset[int]
) -> tuple[int, list[Position]]:
    """The value for the mover, and the best child as a line, but for those left out."""
    best = -INFINITY
    line: list[Position] = []
    for index, child in enumerate(root.children()):
        if index in leave_out:
            continue
        value = -_value(child, evaluate, exact, wins)
        if value > best:
            best = value
            line = [child]
    return best, line


def _value(child: Position, evaluate: Evaluate, exact: Exact, wins: list[int]) -> int:
    certain = exact.score(child)
    if certain != UNKNOWN:
        return worth(certain, 1, wins)
    return -wins[1] if child.standing() == LOST else evaluate(child)
