"""Minimax and alpha-beta as in the book: slow, plain, and the oracle for everything else.

Both return the value of a position for the player to move there, called Max.  Leaves are the
positions at the depth limit; with `extend`, a leaf at which a capture is compulsory is
searched on until the exchange is over.  What `exact` knows for certain is a leaf, too.
"""

from __future__ import annotations

from solver.search.heuristic import NOTHING
from solver.search.position import FORCED, LOST, perft
from solver.search.score import BY_DISTANCE, INFINITY, UNKNOWN, worth

TYPE_CHECKING = False

if TYPE_CHECKING:
    from solver.search.heuristic import Evaluate, Exact
    from solver.search.position import Position


class Minimax:
    """Every position of the tree is visited; `leaves` counts those that were evaluated."""

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
        """For the side to move: the game is lost, its end is known, or the heuristic is asked."""
        if position.status() == LOST:
            return -self.wins[ply]
        known = self.exact.score(position)
        if known != UNKNOWN:
            return worth(known, ply, self.wins)
        self.leaves += 1
        return self.evaluate(position)


class AlphaBeta(Minimax):
    """The same value; positions that cannot change it are left out."""

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


# The least that alpha-beta must visit: the minimal tree of Knuth and Moore.


MEASURED = 4  # plies: enough for an average, and soon counted


def minimal_tree(width: float, depth: int) -> float:
    """The nodes of an even tree that no alpha-beta search can do without, however well it orders
    them: with w children everywhere, w**ceil(n/2) + w**floor(n/2) - 1 on level n."""
    size = 0.0
    for level in range(depth + 1):
        size += width ** ((level + 1) // 2) + width ** (level // 2) - 1
    return size


def tree_width(position: Position, depth: int) -> float:
    """How many children a position has on average below this one: the width of the even tree
    that has as many lines of the first few plies.  The position must have a child."""
    plies = min(depth, MEASURED)
    while True:
        lines = float(perft(position, plies))
        if lines:
            return float(lines ** (1 / plies))
        plies -= 1  # every line ends before
