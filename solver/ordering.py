"""Node ordering: which child first.  A good guess early cuts the rest."""

from __future__ import annotations

from solver.change import PLACES, TAKEN
from solver.score import INFINITY, MAX_PLY
from solver.standing import FORCED, LOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.position import Evaluate, Position

# How `LearnedOrdering` ranks a child, in one number below 2**30, which sorts fastest: from the
# lowest bits its index, history, killers and forcing moves, pieces taken, the cached move.
# Smaller is better.
INDEX_BITS: Final = 8
HISTORY_BITS: Final = 16
FORCING_MOVE: Final = 1 << INDEX_BITS + HISTORY_BITS
SECOND_KILLER: Final = FORCING_MOVE
FIRST_KILLER: Final = 2 * SECOND_KILLER
TAKEN_PIECE: Final = 4 * SECOND_KILLER
MOST_TAKEN: Final = 7
CACHED_MOVE: Final = 8 * TAKEN_PIECE
MOST_CHILDREN: Final = 1 << INDEX_BITS
MOST_HISTORY: Final = 1 << HISTORY_BITS
# Moves share a place in the history when their numbers agree modulo this prime: few do.
HISTORY_PLACES: Final = 4093

# Most positions have few children, and their plain order need not be made again.
PLAIN_ORDERS: Final = [list(range(count)) for count in range(32)]


def plain_order(count: i64) -> list[int]:
    return PLAIN_ORDERS[count] if count < 32 else list(range(count))


class Ordering:
    """No ordering: children in the order of the rules.  Also the interface of the others."""

    def order(
        self, position: Position, children: list[Position], hint: i64, depth: i64, ply: i64
    ) -> list[int]:
        """The indexes of the children, the most promising first; equals keep their order.

        `hint` is the child that the cache calls best, or below 0; `depth` is what is left to
        search from here, `ply` how far it is from the root.
        """
        return plain_order(len(children))

    def cut(self, position: Position, child: Position, depth: i64, ply: i64) -> None:
        """Learn that this child ended the search of its parent early."""


class StaticOrdering(Ordering):
    """By heuristic value: what is worst for the opponent first."""

    def __init__(self, evaluate: Evaluate) -> None:
        self.evaluate = evaluate

    def order(
        self, position: Position, children: list[Position], hint: i64, depth: i64, ply: i64
    ) -> list[int]:
        # Heuristics know nothing of games that are over, and one that is won comes first.
        values = [
            -INFINITY if child.standing() == LOST else self.evaluate(child) for child in children
        ]
        return sorted(plain_order(len(children)), key=values.__getitem__)


class LearnedOrdering(Ordering):
    """By what has worked: the cached move, the largest capture, killers, history.

    A killer is one of the last two moves that caused a cut at the same ply; history adds up,
    over the whole search, how much each move has cut, deeper cuts weighing more.  With
    `forcing`, moves that leave a compulsory capture come before other quiet ones: few of them
    are good, but to find that out takes few positions.
    """

    def __init__(self, forcing: bool = True) -> None:
        self.forcing = forcing
        self.first_killers: list[int] = [0] * MAX_PLY
        self.second_killers: list[int] = [0] * MAX_PLY
        self.history: list[int] = [0] * HISTORY_PLACES

    def order(
        self, position: Position, children: list[Position], hint: i64, depth: i64, ply: i64
    ) -> list[int]:
        count: i64 = len(children)
        # Below the last ply there are only leaves: asking one costs less than ranking it.
        if count == 1 or count >= MOST_CHILDREN or (depth == 1 and hint < 0):
            return plain_order(count)
        forcing = self.forcing and depth > 1
        history = self.history
        first: i64 = self.first_killers[ply]
        second: i64 = self.second_killers[ply]
        ranks: list[int] = []
        index: i64 = 0
        for number in position.changes(children):
            change: i64 = number
            rank = index
            if change == first:
                rank -= FIRST_KILLER
            elif change == second:
                rank -= SECOND_KILLER
            else:
                rank -= history[change % HISTORY_PLACES] << INDEX_BITS
            if change > PLACES:
                rank -= min(change >> TAKEN, MOST_TAKEN) * TAKEN_PIECE
            elif forcing:
                standing = children[index].standing()
                if standing == FORCED:
                    rank -= FORCING_MOVE
                elif standing == LOST:
                    rank -= CACHED_MOVE
            ranks.append(rank)
            index += 1
        if hint >= 0:
            ranks[hint] = hint - CACHED_MOVE
        ranks.sort()
        return [rank & MOST_CHILDREN - 1 for rank in ranks]

    def cut(self, position: Position, child: Position, depth: i64, ply: i64) -> None:
        change: i64 = position.changes([child])[0]
        if change != self.first_killers[ply]:
            self.second_killers[ply] = self.first_killers[ply]
            self.first_killers[ply] = change
        place = change % HISTORY_PLACES
        self.history[place] += depth * depth + 1
        if self.history[place] >= MOST_HISTORY:
            self.history = [worth >> 1 for worth in self.history]
