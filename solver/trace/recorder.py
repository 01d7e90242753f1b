"""The search, written down: every position it looks at becomes a `Visit`.

It is the search itself, with its own methods in between, so that a trace can tell nothing but
what has happened: with the same techniques it visits the same positions.
"""

from __future__ import annotations

from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING, Exact
from solver.search.limits import Stop
from solver.search.score import Window
from solver.search.techniques import Techniques
from solver.trace.visit import Cause, Visit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import i64

    from solver.search.heuristic import Evaluate
    from solver.search.position import Position


class TracedSearch(Search):
    """A search that remembers its visits, in their order."""

    def __init__(
        self,
        evaluate: Evaluate,
        techniques: Techniques,
        exact: Exact = NOTHING,
        most: int = 1 << 60,
    ) -> None:
        super().__init__(evaluate, techniques, exact)
        self.most = most  # visits, after which the search is stopped
        self.visits: list[Visit] = []
        self.open: list[Visit] = []  # from the root to where the search is
        self.step = 0

    def _search_root(
        self, root: Position, depth: i64, window: Window, hint: i64, leave_out: frozenset[int]
    ) -> tuple[int, int]:
        visit = self._enter(root, depth, window.alpha, window.beta, 0)
        value, best = super()._search_root(root, depth, window, hint, leave_out)
        self._leave(visit, value)
        return value, best

    def _value(self, position: Position, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        visit = self._enter(position, depth, alpha, beta, ply)
        value = super()._value(position, depth, alpha, beta, ply)
        self._leave(visit, value)
        return value

    def _enter(self, position: Position, depth: int, alpha: int, beta: int, ply: int) -> Visit:
        if len(self.visits) >= self.most:
            raise Stop
        parent = self.open[-1] if self.open else None
        if parent is not None:
            self._note_question(parent)
        visit = Visit(
            len(self.visits),
            -1 if parent is None else parent.number,
            position,
            max(depth, 0),
            alpha,
            beta,
            ply,
            self.step,
            self._counters(),
        )
        self.step += 1
        self.visits.append(visit)
        self.open.append(visit)
        return visit

    def _leave(self, visit: Visit, value: int) -> None:
        self._note_question(visit)
        if self.visits[-1] is visit:  # nothing below it was looked at
            visit.cause = self._cause(visit, value)
        visit.value = value
        visit.leave = self.step
        self.step += 1
        self.open.pop()

    def _note_question(self, visit: Visit) -> None:
        """The cache is asked before the first child is looked at, or never."""
        if self.visits[-1] is visit:
            visit.asked = self._counters()[2] > visit.before[2]

    def _cause(self, visit: Visit, value: int) -> Cause:
        """Of a visit without children: which counter has moved."""
        expanded, evaluated, _, hits, known = (
            now - before for now, before in zip(self._counters(), visit.before, strict=True)
        )
        if known:
            return Cause.TABLES
        if evaluated:
            return Cause.HEURISTIC
        if hits:
            return Cause.CHILD_IN_CACHE if expanded else Cause.CACHE
        return Cause.LOST if value == -self.wins[visit.ply] else Cause.BOUND

    def _counters(self) -> tuple[int, ...]:
        counters = self.counters
        return counters.expanded, counters.evaluated, counters.probes, counters.hits, counters.known
