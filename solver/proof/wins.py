"""Who wins, and in how many plies: yes/no questions that need no heuristic.

A question is whether the value of a position is above `alpha`.  The answer is one score: up to
`alpha` an upper bound of the value, above it a lower bound.  In a game that ends by itself the
first question needs no distance; what is left are distances of the winner's parity, up or down
from the first answer.  Other games are asked for wins and losses in 1, 2, ... plies.
"""

from __future__ import annotations

from solver.errors import contradiction
from solver.search.cache import MEGABYTES, BoundTable, RecentBounds
from solver.search.heuristic import NOTHING, Exact
from solver.search.limits import UNLIMITED, Budget, Limits, Stop
from solver.search.position import LOST
from solver.search.result import Counters, SearchResult
from solver.search.score import UNKNOWN, WIN, distance, loss_in, win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.search.position import Position

LONGEST: Final = 253  # plies that a question can be about
FAR_MORE: Final = 3
MOST_PROMISE: Final = 1023
HISTORY_BITS: Final = 12
MOST_HISTORY: Final = (1 << HISTORY_BITS) - 1
COSTLY: Final = 256  # from as many nodes on, an answer is worth keeping in a checkpoint


class WinProof:
    """The root's value.  `low` and `high` are its bounds, `question` is the last one asked about
    it."""

    def __init__(self, limits: Limits, exact: Exact = NOTHING, megabytes: i64 = MEGABYTES) -> None:
        self.longest: i64 = min(limits.depth or LONGEST, LONGEST)
        self.budget = Budget(limits)
        self.check_at: i64 = 0
        self.most_expanded: i64 = UNLIMITED
        self.gives_up = (
            False  # before the limits are used up, for the sake of a search that follows
        )
        self.counters = Counters()
        self.exact: Final = exact
        self.has_tables: Final = exact.has_scores()
        self.value_first: Final = exact.game_ends()
        self.judges_from: Final[i64] = 0 if self.value_first else WIN - 2
        self.table = BoundTable(megabytes) if self.value_first else RecentBounds(megabytes)
        self.costly: Final[dict[int, int]] = {}  # entries by key
        self.history: dict[int, int] = {}  # how often a move has answered a question, by move key
        self.no_win: i64 = -1  # within this number of plies; odd
        self.no_loss: i64 = 0  # even
        self.costs: Final = [(1, 1), (1, 1)]  # of the last two questions about losses, about wins
        self.low: i64 = -WIN
        self.high: i64 = WIN
        self.question: i64 = 0

    def allow(self, limits: Limits) -> None:
        """Continue with other limits; nodes are counted from the beginning."""
        self.budget = Budget(limits)
        self.check_at = 0

    @property
    def asked(self) -> int:
        """The plies within which neither side wins."""
        return min(self.no_win, self.no_loss) + 1

    def run(self, root: Position, wanted: i64 = 0) -> SearchResult | None:
        """The fastest win of the root's mover, or the longest defence of a lost root.  The root
        must have a legal move.  None if neither is proven within the limits.  Of equally fast wins,
        and of moves that lose as slowly, the first in the order of the rules is taken.  Above zero,
        `wanted` asks about wins only, below about losses only."""
        known = self.exact.score(root)
        if known != UNKNOWN:
            self.counters.known += 1
            if known == 0:
                self.no_win = self.no_loss = self.longest - 1
                return None
            return self._result(root, distance(known))
        try:
            if self.value_first:
                return self._result(root, distance(self.find(root)))
            plies = self._next_question(wanted)
            while plies:
                if self._is_decided_in(root, plies):
                    return self._result(root, plies)
                plies = self._next_question(wanted)
        except Stop:
            if 0 < self.low < WIN:
                return self._bound(root)
        return None

    def _next_question(self, wanted: i64) -> i64:
        """The number of plies, odd for a win; zero if there is none, or if it would cost far more
        than is left, should costs go on to grow as they did."""
        win, loss = self.no_win + 2, self.no_loss + 2
        plies = win if wanted > 0 or (wanted == 0 and win < loss) else loss
        earlier, last = self.costs[plies & 1]
        cost = last * max(earlier, last) // earlier
        if self.gives_up and cost > FAR_MORE * self.budget.left(self.counters.visited):
            return 0
        return 0 if plies > self.longest else plies

    def _is_decided_in(self, root: Position, plies: i64) -> bool:
        before = self.counters.visited
        if plies & 1:
            proven = self.forces(root, plies)
            self.no_win = self.no_win if proven else plies
        else:
            proven = self.yields(root, plies)
            self.no_loss = self.no_loss if proven else plies
        self.costs[plies & 1] = self.costs[plies & 1][1], max(1, self.counters.visited - before)
        return proven

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
        """Whether the mover can force a win within the plies."""
        return self.ask(position, win_in(plies) - 1) >= win_in(plies)

    def yields(self, position: Position, plies: i64) -> bool:
        """Whether the other side wins within the plies against every defence."""
        return self.ask(position, loss_in(plies)) <= loss_in(plies)

    def ask(self, position: Position, alpha: i64) -> i64:
        """Is the value above `alpha`?"""
        if position.status() == LOST:
            return -WIN
        self._visit(1)
        position = self.exact.simplest(position)
        value = self._judge(position, alpha)
        return self._search(position, alpha) if value == UNKNOWN else value

    def _visit(self, positions: i64) -> None:
        counters = self.counters
        counters.visited += positions
        if counters.visited >= self.check_at:
            self.check_at = self.budget.check(counters.visited)

    def _judge(self, position: Position, alpha: i64) -> i64:
        """The answer without a search, or `UNKNOWN`."""
        exact = self.exact
        if self.has_tables:
            value = exact.score(position)
            if value != UNKNOWN:
                self.counters.known += 1
                return value
        if alpha >= self.judges_from or alpha <= -self.judges_from:
            value = exact.at_most(position)
            if value <= alpha:
                return value
            value = exact.at_least(position)
            if value > alpha:
                return value
        self.counters.probes += 1
        entry = self.table.get(position.key())
        if entry < 0:
            return UNKNOWN
        value = self.table.high(entry)
        if value > alpha:
            value = self.table.low(entry)
            if value <= alpha:
                return UNKNOWN
        self.counters.hits += 1
        return value

    def _search(self, position: Position, alpha: i64) -> i64:
        """The answer for a position in its simplest form that cannot be judged.  All children are
        judged before one is searched: promising moves first, then those with fewest replies, then
        those that have answered most questions."""
        counters = self.counters
        before = counters.expanded
        if before >= self.most_expanded:
            raise Stop
        children = position.children()
        counters.expanded += 1
        counters.stores += 1
        counters.generated += len(children)
        self._visit(len(children))
        child_alpha = -alpha - 2 if alpha >= 0 else -alpha
        best: i64 = -WIN
        left: list[Position] = []
        keys: list[int] = []
        ranks: list[int] = []
        for reached in children:
            if reached.status() == LOST:
                best = win_in(1)
                break
            child = self.exact.simplest(reached)
            value = self._judge(child, child_alpha)
            if value == UNKNOWN:
                rank = MOST_PROMISE - self.exact.promise(position, reached) << 8
                rank |= self.exact.replies(child)
                # What knows who wins first gains nothing by history: one key for all moves.
                key: i64 = 0 if self.value_first else position.move_key(reached)
                rank = rank << HISTORY_BITS | MOST_HISTORY - self.history.get(key, 0)
                keys.append(key)
                ranks.append(rank << 8 | len(left))
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
                        key = keys[number & 0xFF]
                        self.history[key] = min(MOST_HISTORY, self.history.get(key, 0) + 1)
                        break
        self._store(position.key(), alpha, best, counters.expanded - before)
        return best

    def _store(self, key: i64, alpha: i64, best: i64, nodes: i64) -> None:
        if best > alpha:
            self.table.put(key, best, WIN, nodes)
        else:
            self.table.put(key, -WIN, best, nodes)
        if nodes >= COSTLY:
            self.costly[key] = self.table.get(key)

    def best_children(self, root: Position, plies: i64) -> list[Position]:
        """All children that win, or lose, in the plies that `run` has proven."""
        self.allow(Limits())
        return self.ending_in(root, plies)

    def ending_in(self, root: Position, plies: i64) -> list[Position]:
        """The same within the limits."""
        children = root.children()
        if plies & 1:
            return [child for child in children if self.yields(child, plies - 1)]
        if plies == 2:
            return children
        return [child for child in children if not self.forces(child, plies - 3)]

    def _result(self, root: Position, plies: i64) -> SearchResult:
        """The score and the whole line; nearly all of it is in the table."""
        score = win_in(plies) if plies & 1 else loss_in(plies)
        counters = self.counters.copy()
        self.allow(Limits())  # the line must be complete
        line: list[Position] = []
        position = root
        for left in range(plies, 0, -1):
            if left & 1:
                position = self._winning_child(position, left)
            else:
                position = self._holding_child(position, left)
            line.append(position)
        return SearchResult(plies, score, line, counters)

    def _winning_child(self, position: Position, plies: i64) -> Position:
        for child in position.children():
            if self.yields(child, plies - 1):
                return child
        raise contradiction()

    def _holding_child(self, position: Position, plies: i64) -> Position:
        """A child that loses last."""
        for child in position.children():
            if plies == 2 or not self.forces(child, plies - 3):
                return child
        raise contradiction()


def back(score: i64) -> i64:
    """A child's score for the parent: negated, one ply longer."""
    if score > 0:
        return 1 - score
    return -1 - score if score < 0 else 0
