"""Who wins, asked before in how many plies.

A question is whether the value of a position is above `alpha`.  The answer is one score: up to
`alpha` an upper bound of the value, above it a lower bound.  In a game that ends by itself the
first question needs no distance; what is left are distances of the winner's parity, up or down
from the first answer.  Other games are asked for wins in 1, 2, ... plies.
"""

from __future__ import annotations

from solver.errors import contradiction
from solver.proof.prover import WinProof
from solver.search.cache import MEGABYTES, BoundTable
from solver.search.limits import Limits, Stop
from solver.search.position import LOST
from solver.search.result import SearchResult
from solver.search.score import UNKNOWN, WIN, distance, loss_in, win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.search.heuristic import Exact
    from solver.search.position import Position

MOST_PROMISE: Final = 1023
COST: Final = 8  # all children of a node are judged; measured in plain Python
COSTLY: Final = 256  # from as many nodes on, an answer is worth keeping in a checkpoint


class ValueProof(WinProof):
    """Like its base, with another search.  `low` and `high` are bounds of the root's value,
    `question` is the last one asked about it."""

    def __init__(self, limits: Limits, exact: Exact, megabytes: i64 = MEGABYTES) -> None:
        super().__init__(limits, exact, 1)
        self.value_first: Final = exact.game_ends()
        self.table: Final = BoundTable(megabytes)
        self.costly: Final[dict[int, int]] = {}  # entries by key
        self.low: i64 = -WIN
        self.high: i64 = WIN
        self.question: i64 = 0

    def cost(self) -> i64:
        return COST

    def run(self, root: Position) -> SearchResult | None:
        if not self.value_first:
            return super().run(root)
        try:
            return self._result(root, distance(self.find(root)))
        except Stop:
            return self._bound(root) if 0 < self.low < WIN else None

    def _bound(self, root: Position) -> SearchResult:
        """A win that may not be the fastest."""
        counters = self.counters.copy()
        self.allow(Limits())
        child = self._winning_child(root, distance(self.low))
        return SearchResult(0, self.low, [child], counters, bound=True)

    def find(self, root: Position) -> i64:
        """The exact score of a position of a game that ends by itself."""
        while self.low < self.high:
            if self.low == -WIN and self.high == WIN:
                self.question = 0
            elif self.low > 0 and self.high == WIN:
                self.question = self.low
            else:
                self.question = self.high - 2
            answer = self.ask(root, self.question)
            if answer > self.question:
                self.low = answer
            else:
                self.high = answer
        return self.low

    def forces(self, position: Position, plies: i64) -> bool:
        return self.ask(position, win_in(plies) - 1) >= win_in(plies)

    def yields(self, position: Position, plies: i64) -> bool:
        return self.ask(position, loss_in(plies)) <= loss_in(plies)

    def ask(self, position: Position, alpha: i64) -> i64:
        """Is the value above `alpha`?"""
        if position.status() == LOST:
            return -WIN
        position = self.exact.simplest(position)
        value = self._judge(position, alpha)
        return self._search(position, alpha) if value == UNKNOWN else value

    def _judge(self, position: Position, alpha: i64) -> i64:
        """The answer without a search, or `UNKNOWN`."""
        exact = self.exact
        if not self.value_first:
            value = exact.score(position)
            if value != UNKNOWN:
                self.counters.known += 1
                return value
        value = exact.at_most(position)
        if value <= alpha:
            return value
        value = exact.at_least(position)
        if value > alpha:
            return value
        self.counters.probes += 1
        entry = self.table.get(position.key())
        value = self.table.high(entry)
        if value > alpha:
            value = self.table.low(entry)
            if value <= alpha:
                return UNKNOWN
        self.counters.hits += 1
        return value

    def _search(self, position: Position, alpha: i64) -> i64:
        """The answer for a position in its simplest form that cannot be judged.  All children are
        judged before one is searched: promising moves first, then those with fewest replies."""
        self._visit()
        before = self.counters.visited
        child_alpha = -alpha - 2 if alpha >= 0 else -alpha
        best: i64 = -WIN
        left: list[Position] = []
        ranks: list[int] = []
        for reached in self._children(position):
            if reached.status() == LOST:
                best = win_in(1)
                break
            child = self.exact.simplest(reached)
            value = self._judge(child, child_alpha)
            if value == UNKNOWN:
                rank = MOST_PROMISE - self.exact.promise(position, reached) << 8
                ranks.append((rank | self.exact.replies(child)) << 8 | len(left))
                left.append(child)
                continue
            value = back(value)
            if value > best:
                best = value
                if best > alpha:
                    break
        if best <= alpha:
            ranks.sort()
            for number in ranks:
                value = back(self._search(left[number & 0xFF], child_alpha))
                if value > best:
                    best = value
                    if best > alpha:
                        break
        self._store(position.key(), alpha, best, self.counters.visited - before)
        return best

    def _store(self, key: i64, alpha: i64, best: i64, nodes: i64) -> None:
        if best > alpha:
            self.table.put(key, best, WIN, nodes)
        else:
            self.table.put(key, -WIN, best, nodes)
        if nodes >= COSTLY:
            self.costly[key] = self.table.get(key)

    def _holding_child(self, position: Position, plies: i64) -> Position:
        for child in position.children():
            if plies == 2 or not self.forces(child, plies - 3):
                return child
        raise contradiction()


def back(score: i64) -> i64:
    """A child's score for the parent: negated, one ply longer."""
    if score > 0:
        return 1 - score
    return -1 - score if score < 0 else 0
