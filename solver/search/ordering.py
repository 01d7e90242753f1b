"""Move ordering."""

from __future__ import annotations

from solver.search.position import FORCED, LOST, MOST_RANKED, PLACES, TAKEN, Ranked
from solver.search.score import INFINITY, MAX_PLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.search.heuristic import Heuristic
    from solver.search.position import Choices, Position

# A rank of `LearnedOrdering` is one number below 2**30, smaller is better: from the lowest bits,
# index, history, killers and forcing moves, pieces taken, the cached move.
INDEX_BITS: Final = 8
HISTORY_BITS: Final = 16
FORCING_MOVE: Final = 1 << INDEX_BITS + HISTORY_BITS
SECOND_KILLER: Final = FORCING_MOVE
FIRST_KILLER: Final = 2 * SECOND_KILLER
TAKEN_PIECE: Final = 4 * SECOND_KILLER
MOST_TAKEN: Final = 7
CACHED_MOVE: Final = 8 * TAKEN_PIECE
MOST_HISTORY: Final = 1 << HISTORY_BITS
# Move keys modulo this prime share a history entry.
HISTORY_PLACES: Final = 4093


class Ordering:
    """No ordering, and the interface of the others."""

    def order(self, choices: Choices, hint: i64, depth: i64, ply: i64) -> Choices:
        """The children, the most promising first; equals keep their order.  `hint` is the best
        child by the cache, or negative; `depth` is the remaining depth."""
        return choices

    def cut(self, position: Position, child: Position, depth: i64, ply: i64) -> None:
        """Learn that this child caused a cutoff."""


class StaticOrdering(Ordering):
    """By heuristic value."""

    def __init__(self, heuristic: Heuristic) -> None:
        self.heuristic = heuristic

    def order(self, choices: Choices, hint: i64, depth: i64, ply: i64) -> Choices:
        if choices.count > MOST_RANKED:
            return choices
        move_keys = choices.move_keys()
        values: list[int] = []
        for index, move_key in enumerate(move_keys):
            child = choices.child(index, move_key)
            lost = child.status() == LOST
            values.append(-INFINITY if lost else self.heuristic.value(child))
        order = sorted(range(len(values)), key=values.__getitem__)
        return Ranked(choices, move_keys, order)


class Killers:
    """The last two moves that caused a cutoff at one ply."""

    __slots__ = ("first", "second")

    def __init__(self) -> None:
        self.first: i64 = 0
        self.second: i64 = 0


class LearnedOrdering(Ordering):
    """The cached move, the largest capture, killers, history.  History adds up how often each move
    caused a cutoff, deeper ones weighing more.  Moves that force a capture come before other quiet
    ones: they are cheap to refute."""

    def __init__(self) -> None:
        self.killers: list[Killers] = [Killers() for _ in range(MAX_PLY)]
        self.history: list[int] = [0] * HISTORY_PLACES

    def order(self, choices: Choices, hint: i64, depth: i64, ply: i64) -> Choices:
        if ply == 0:
            return _root_order(choices, hint)
        # Before the leaves, evaluating a child costs less than ranking it.
        if choices.count <= 1 or choices.count > MOST_RANKED or (depth == 1 and hint < 0):
            return choices
        forcing = depth > 1
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
    """The best of the last depth, then the order of the rules.  Of equal moves the first one
    searched is the answer, so the root order must not depend on what this search has learned:
    parallel workers must agree with one."""
    if hint <= 0 or choices.count > MOST_RANKED:
        return choices
    order = list(range(choices.count))
    del order[hint]
    order.insert(0, hint)
    return Ranked(choices, choices.move_keys(), order)
