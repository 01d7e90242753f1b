"""The least that alpha-beta must visit: the minimal tree of Knuth and Moore."""

from __future__ import annotations

from solver.perft import perft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.position import Position

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
