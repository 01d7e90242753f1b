"""Textbook minimax and alpha-beta: the slow oracle for the real search, never compiled.  With
`extend`, a leaf with a compulsory capture is searched until the exchange is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.search.heuristic import NOTHING, Exact
from solver.search.position import FORCED, LOST, Position
from solver.search.score import BY_DISTANCE, INFINITY, UNKNOWN, worth

if TYPE_CHECKING:
    from solver.search.heuristic import Evaluate


class Minimax:
    """Visits every position of the tree; `leaves` counts evaluated ones."""

    def __init__(
        self,
        evaluate: Evaluate,
        *,
        extend: bool = False,
        wins: list[int] = BY_DISTANCE,
        exact: Exact = NOTHING,
    ) -> None:
        self.evaluate = evaluate
        self.extend = extend
        self.wins = wins
        self.exact = exact
        self.leaves = 0

    def value(self, position: Position, depth: int, ply: int = 0) -> int:
        """For the mover; `ply` is the distance from the root."""
        if self.is_leaf(position, depth):
            return self.leaf_value(position, ply)
        return max(-self.value(child, depth - 1, ply + 1) for child in position.children())

    def is_leaf(self, position: Position, depth: int) -> bool:
        status = position.status()
        if status == LOST or self.exact.score(position) != UNKNOWN:
            return True
        if depth <= 0:
            return not (self.extend and status == FORCED)
        return not position.children()

    def leaf_value(self, position: Position, ply: int) -> int:
        if position.status() == LOST:
            return -self.wins[ply]
        known = self.exact.score(position)
        if known != UNKNOWN:
            return worth(known, ply, self.wins)
        self.leaves += 1
        return self.evaluate(position)


class AlphaBeta(Minimax):
    """The same value, without positions that cannot change it."""

    def value(self, position: Position, depth: int, ply: int = 0) -> int:
        return self.within(position, depth, ply, -INFINITY, INFINITY)

    def within(self, position: Position, depth: int, ply: int, alpha: int, beta: int) -> int:
        if self.is_leaf(position, depth):
            return self.leaf_value(position, ply)
        best = -INFINITY
        for child in position.children():
            best = max(best, -self.within(child, depth - 1, ply + 1, -beta, -alpha))
            if best >= beta:
                break
            alpha = max(alpha, best)
        return best


def exhaustive(position: Position, plies: int) -> int | None:
    """Plies to the end with best play if at most `plies`: odd is a win, even a loss."""
    children = position.children()
    if not children:
        return 0
    if plies == 0:
        return None
    ends = [exhaustive(child, plies - 1) for child in children]
    wins = [end + 1 for end in ends if end is not None and end % 2 == 0]
    if wins:
        return min(wins)
    if None in ends:
        return None
    return max(end + 1 for end in ends if end is not None)
