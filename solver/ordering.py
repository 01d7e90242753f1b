"""Node ordering: which child first.  A good guess early cuts the rest."""

from __future__ import annotations

from solver.score import MAX_PLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.position import Evaluate, Position

# Ranks of `LearnedOrdering`: whatever history adds up to, a killer comes before it, and what
# a capture gains comes before both.
MOST_HISTORY: Final = 999_999_999
SECOND_KILLER: Final = 1_000_000_000
FIRST_KILLER: Final = 2_000_000_000
GAIN: Final = 10_000_000_000
CACHED_MOVE: Final = 1_000_000_000_000


# Most positions have few children, and their plain order need not be made again.
PLAIN_ORDERS: Final = [list(range(count)) for count in range(32)]


def plain_order(count: i64) -> list[int]:
    return PLAIN_ORDERS[count] if count < 32 else list(range(count))


class Ordering:
    """No ordering: children in the order of the rules.  Also the interface of the others."""

    def order(self, position: Position, children: list[Position], hint: i64, ply: i64) -> list[int]:
        """The indexes of the children, the most promising first; equals keep their order."""
        return plain_order(len(children))

    def cut(self, position: Position, child: Position, depth: i64, ply: i64) -> None:
        """Learn that this child ended the search of its parent early."""


class StaticOrdering(Ordering):
    """By heuristic value: what is worst for the opponent first."""

    def __init__(self, evaluate: Evaluate) -> None:
        self.evaluate = evaluate

    def order(self, position: Position, children: list[Position], hint: i64, ply: i64) -> list[int]:
        values = [self.evaluate(child) for child in children]
        return sorted(plain_order(len(children)), key=values.__getitem__)


class LearnedOrdering(Ordering):
    """By what has worked: the cached move, the largest capture, killers, history.

    A killer is one of the last two moves that caused a cut at the same ply; history adds up,
    over the whole search, how much each move has cut, deeper cuts weighing more.
    """

    def __init__(self) -> None:
        self.first_killers: list[int] = [0] * MAX_PLY
        self.second_killers: list[int] = [0] * MAX_PLY
        self.history: dict[int, int] = {}

    def order(self, position: Position, children: list[Position], hint: i64, ply: i64) -> list[int]:
        count = len(children)
        if count == 1:
            return plain_order(1)
        history = self.history
        first = self.first_killers[ply]
        second = self.second_killers[ply]
        ranks: list[int] = []
        for child in children:
            change = position.change(child)
            if change == first:
                rank = -FIRST_KILLER
            elif change == second:
                rank = -SECOND_KILLER
            else:
                rank = -history.get(change, 0)
            ranks.append(rank - position.gain(child) * GAIN)
        if hint >= 0:
            ranks[hint] = -CACHED_MOVE
        return sorted(plain_order(count), key=ranks.__getitem__)

    def cut(self, position: Position, child: Position, depth: i64, ply: i64) -> None:
        change = position.change(child)
        if change != self.first_killers[ply]:
            self.second_killers[ply] = self.first_killers[ply]
            self.first_killers[ply] = change
        worth = self.history.get(change, 0) + depth * depth + 1
        self.history[change] = min(worth, MOST_HISTORY)
