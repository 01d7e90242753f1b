"""Records every position of a search as a `Visit`.  It wraps the real search, so a trace with the
same techniques visits the same positions."""

from __future__ import annotations

from solver.errors import UserError
from solver.search.alphabeta import Search
from solver.search.heuristic import Exact
from solver.search.limits import Limits
from solver.search.score import Window
from solver.search.techniques import Techniques
from solver.trace.trace import MOST_VISITS, Cause, Trace, Visit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import i64

    from solver.search.heuristic import Evaluate
    from solver.search.position import Position


class TracedSearch(Search):
    def __init__(self, evaluate: Evaluate, techniques: Techniques, exact: Exact, most: int) -> None:
        super().__init__(evaluate, techniques, exact)
        self.most = most  # visits
        self.visits: list[Visit] = []
        self.open: list[Visit] = []  # from the root to the current position
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
            reason = f"More than {self.most} nodes: too many to trace."
            raise UserError(f"{reason} Choose a smaller --depth.")
        parent = self.open[-1].number if self.open else -1
        number, before = len(self.visits), self._counters()
        visit = Visit(number, parent, position, max(depth, 0), alpha, beta, ply, self.step, before)
        self.step += 1
        self.visits.append(visit)
        self.open.append(visit)
        return visit

    def _leave(self, visit: Visit, value: int) -> None:
        if self.visits[-1] is visit:  # it has no children
            visit.cause = self._find_cause(visit, value)
        visit.value = value
        visit.leave = self.step
        self.step += 1
        self.open.pop()

    def _find_cause(self, visit: Visit, value: int) -> Cause:
        """For a visit without children: by the counter that changed."""
        expanded, evaluated, hits, known = (
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
        return counters.expanded, counters.evaluated, counters.hits, counters.known


def record_trace(
    root: Position,
    evaluate: Evaluate,
    techniques: Techniques,
    exact: Exact,
    depth: int,
    hero: str = "",
    most: int = MOST_VISITS,
) -> Trace:
    search = TracedSearch(evaluate, techniques, exact, most)
    result = search.run(root, Limits(depth=depth))
    return Trace(root, hero or root.mover(), techniques, search.visits, result)
