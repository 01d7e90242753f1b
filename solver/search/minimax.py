"""Textbook minimax and alpha-beta: the slow oracle for the real search.  Values are for the player
to move at the root, Max.  With `extend`, a leaf with a compulsory capture is searched until the
exchange is over."""

from __future__ import annotations

from solver.search.heuristic import NOTHING
from solver.search.position import FORCED, LOST, perft
from solver.search.score import BY_DISTANCE, INFINITY, UNKNOWN, worth

TYPE_CHECKING = False

if TYPE_CHECKING:
    from solver.search.heuristic import Evaluate, Exact
    from solver.search.position import Position


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

    def value(self, position: Position, depth: int) -> int:
        return self.max_value(position, depth, 0)

    def max_value(self, position: Position, depth: int, ply: int) -> int:
        if self.is_leaf(position, depth):
            return self.leaf_value(position, ply)
        return max(self.min_value(child, depth - 1, ply + 1) for child in position.children())

    def min_value(self, position: Position, depth: int, ply: int) -> int:
        if self.is_leaf(position, depth):
            return -self.leaf_value(position, ply)
        return min(self.max_value(child, depth - 1, ply + 1) for child in position.children())

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

    def value(self, position: Position, depth: int) -> int:
        return self.max_in_window(position, depth, 0, -INFINITY, INFINITY)

    def max_in_window(self, position: Position, depth: int, ply: int, alpha: int, beta: int) -> int:
        if self.is_leaf(position, depth):
            return self.leaf_value(position, ply)
        best = -INFINITY
        for child in position.children():
            best = max(best, self.min_in_window(child, depth - 1, ply + 1, alpha, beta))
            if best >= beta:
                return best
            alpha = max(alpha, best)
        return best

    def min_in_window(self, position: Position, depth: int, ply: int, alpha: int, beta: int) -> int:
        if self.is_leaf(position, depth):
            return -self.leaf_value(position, ply)
        best = INFINITY
        for child in position.children():
            best = min(best, self.max_in_window(child, depth - 1, ply + 1, alpha, beta))
            if best <= alpha:
                return best
            beta = min(beta, best)
        return best


MEASURED = 4  # plies counted for the average width


def minimal_tree(width: float, depth: int) -> float:
    """The fewest nodes of any alpha-beta search in an even tree (Knuth and Moore): on level n with
    w children each, w**ceil(n/2) + w**floor(n/2) - 1."""
    size = 0.0
    for level in range(depth + 1):
        size += width ** ((level + 1) // 2) + width ** (level // 2) - 1
    return size


def tree_width(position: Position, depth: int) -> float:
    """The average number of children, from perft of the first few plies; there must be a child."""
    plies = min(depth, MEASURED)
    while True:
        lines = float(perft(position, plies))
        if lines:
            return float(lines ** (1 / plies))
        plies -= 1  # every line ends before
