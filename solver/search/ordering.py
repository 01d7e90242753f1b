"""Node ordering: which child first.  A good guess early cuts the rest."""

from __future__ import annotations

from solver.search.position import FORCED, LOST, MOST_RANKED, PLACES, TAKEN, Ranked
from solver.search.score import INFINITY, MAX_PLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.search.heuristic import Heuristic
    from solver.search.position import Choices, Position

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
MOST_HISTORY: Final = 1 << HISTORY_BITS
# Moves share a place in the history when their numbers agree modulo this prime: few do.
HISTORY_PLACES: Final = 4093


class Ordering:
    """No ordering: children in the order of the rules.  Also the interface of the others."""

    def order(self, choices: Choices, hint: i64, depth: i64, ply: i64) -> Choices:
        """The children, the most promising first; equals keep their order.

        `hint` is the child that the cache calls best, or below 0; `depth` is what is left to
        search from here, `ply` how far it is from the root.
        """
        return choices

    def cut(self, position: Position, child: Position, depth: i64, ply: i64) -> None:
        """Learn that this child ended the search of its parent early."""


class StaticOrdering(Ordering):
    """By heuristic value: what is worst for the opponent first."""

    def __init__(self, heuristic: Heuristic) -> None:
        self.heuristic = heuristic

    def order(self, choices: Choices, hint: i64, depth: i64, ply: i64) -> Choices:
        if choices.count > MOST_RANKED:
            return choices
        # Heuristics know nothing of games that are over, and one that is won comes first.
        move_keys = choices.move_keys()
        values: list[int] = []
        for index, move_key in enumerate(move_keys):
            child = choices.child(index, move_key)
            lost = child.status() == LOST
            values.append(-INFINITY if lost else self.heuristic.value(child))
        order = sorted(range(len(values)), key=values.__getitem__)
        return Ranked(choices, move_keys, order)


class Killers:
    """The last two moves that caused a cut at one ply."""

    __slots__ = ("first", "second")

    def __init__(self) -> None:
        self.first: i64 = 0
        self.second: i64 = 0


class LearnedOrdering(Ordering):
    """By what has worked: the cached move, the largest capture, killers, history.

    A killer is one of the last two moves that caused a cut at the same ply; history adds up,
    over the whole search, how much each move has cut, deeper cuts weighing more.  With
    `forcing`, moves that leave a compulsory capture come before other quiet ones: few of them
    are good, but to find that out takes few positions.
    """

    def __init__(self, forcing: bool = True) -> None:
        self.forcing = forcing
        self.killers: list[Killers] = [Killers() for _ in range(MAX_PLY)]
        self.history: list[int] = [0] * HISTORY_PLACES

    def order(self, choices: Choices, hint: i64, depth: i64, ply: i64) -> Choices:
        if ply == 0:
            return _root_order(choices, hint)
        # Below the last ply there are only leaves: asking one costs less than ranking it.
        if choices.count <= 1 or choices.count > MOST_RANKED or (depth == 1 and hint < 0):
            return choices
        forcing = self.forcing and depth > 1
        history = self.history
        killers = self.killers[ply]
        first = killers.first
        second = killers.second
        ranks: list[int] = []
        index: i64 = 0
        move_keys = choices.move_keys()
        for number in move_keys:
            move_key: i64 = number
            rank = index
            if move_key == first:
                rank -= FIRST_KILLER
            elif move_key == second:
                rank -= SECOND_KILLER
            else:
                worth: i64 = history[move_key % HISTORY_PLACES]
                rank -= worth << INDEX_BITS
            if move_key > PLACES:
                rank -= min(move_key >> TAKEN, MOST_TAKEN) * TAKEN_PIECE
            elif forcing:
                status = choices.child(index, move_key).status()
                if status == FORCED:
                    rank -= FORCING_MOVE
                elif status == LOST:
                    rank -= CACHED_MOVE
            ranks.append(rank)
            index += 1
        if hint >= 0:
            ranks[hint] = hint - CACHED_MOVE
        ranks.sort()
        return Ranked(choices, move_keys, ranks)

    def cut(self, position: Position, child: Position, depth: i64, ply: i64) -> None:
        move_key = position.move_key(child)
        killers = self.killers[ply]
        if move_key != killers.first:
            killers.second = killers.first
            killers.first = move_key
        place = move_key % HISTORY_PLACES
        worth: i64 = self.history[place]
        worth += depth * depth + 1
        self.history[place] = worth
        if worth >= MOST_HISTORY:
            self.history = [each >> 1 for each in self.history]


def _root_order(choices: Choices, hint: i64) -> Choices:
    """The best of the depth before, then the order of the rules.

    Of equal moves the first one searched is the answer, so that at the root nothing may count
    that depends on how the search has gone: several workers find the answer of one.
    """
    if hint <= 0 or choices.count > MOST_RANKED:
        return choices
    order = list(range(choices.count))
    del order[hint]
    order.insert(0, hint)
    return Ranked(choices, choices.move_keys(), order)
