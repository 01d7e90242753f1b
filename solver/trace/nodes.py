"""From the visits of a search to the nodes that people read."""

from __future__ import annotations

from solver.score import INFINITY
from solver.trace.node import Bound, Node, Tag
from solver.trace.reasons import reason
from solver.visit import Cause

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.trace.subject import Subject
    from solver.trace.trace import Trace
    from solver.visit import Visit

ANSWERED = (Cause.CACHE, Cause.CHILD_IN_CACHE)


def nodes_of(trace: Trace, subject: Subject, visits: list[Visit]) -> list[Node]:
    """These visits of the trace, in their order."""
    return _Telling(trace, subject).nodes(visits)


class _Telling:
    """Names moves and places, and remembers the names."""

    def __init__(self, trace: Trace, subject: Subject) -> None:
        self.trace = trace
        self.subject = subject
        self.children: dict[int, list[Any]] = {}  # in the order of the rules, by parent
        self.paths: dict[int, str] = {}

    def nodes(self, visits: list[Visit]) -> list[Node]:
        return [self.node(visit) for visit in visits]

    def node(self, visit: Visit) -> Node:
        trace = self.trace
        parent = trace.visits[visit.parent] if visit.parent >= 0 else None
        low, high = trace.window(visit)
        return Node(
            id=visit.number,
            parent=None if parent is None else parent.number,
            path=self.path(visit),
            ply=visit.ply,
            move="" if parent is None else self.subject.move(parent.position, visit.position),
            mover=visit.position.mover(),
            depth=visit.depth,
            alpha=None if low <= -INFINITY else low,
            beta=None if high >= INFINITY else high,
            value=trace.worth(visit) if visit.finished else None,
            bound=self.bound(visit),
            tag=self.tag(visit),
            kind="inner" if visit.cause is Cause.CHILDREN else visit.cause.value,
            scout=self.is_scout(visit, parent),
            line=visit.number in trace.line,
            cache="answered" if visit.cause in ANSWERED else "asked" if visit.asked else "",
            reason=reason(trace, visit, self.place),
            unseen=self.unseen(visit),
            enter=visit.enter,
            leave=visit.leave,
            rows=self.subject.rows(visit.position),
        )

    def place(self, visit: Visit) -> str:
        line = [visit, *self.trace.above(visit)]
        return self.subject.place([each.position for each in reversed(line)])

    def path(self, visit: Visit) -> str:
        if visit.parent < 0:
            return ""
        if visit.number not in self.paths:
            parent = self.trace.visits[visit.parent]
            number = self.children_of(parent).index(visit.position) + 1
            above = self.path(parent)
            self.paths[visit.number] = f"{above}.{number}" if above else str(number)
        return self.paths[visit.number]

    def children_of(self, visit: Visit) -> list[Any]:
        if visit.number not in self.children:
            self.children[visit.number] = visit.position.children()
        return self.children[visit.number]

    def bound(self, visit: Visit) -> Bound:
        if not visit.finished or self.trace.is_exact(visit):
            return Bound.EXACT
        high = visit.value >= visit.beta
        return Bound.AT_LEAST if high == self.trace.is_heros(visit) else Bound.AT_MOST

    def tag(self, visit: Visit) -> Tag:
        if not visit.finished:
            return Tag.OPEN
        if visit.cause is not Cause.CHILDREN:
            return Tag.LEAF
        if visit.value >= visit.beta:
            return Tag.CUT
        return Tag.ALL if visit.value <= visit.alpha else Tag.PV

    def is_scout(self, visit: Visit, parent: Visit | None) -> bool:
        """Whether its window is of one point, and its parent's is not."""
        if parent is None or visit.beta - visit.alpha != 1:
            return False
        return parent.beta - parent.alpha != 1

    def unseen(self, visit: Visit) -> tuple[str, ...]:
        """The moves that a cut has spared."""
        if not self.trace.is_cut(visit):
            return ()
        seen = [child.position for child in self.trace.below[visit.number]]
        return tuple(
            self.subject.move(visit.position, child)
            for child in self.children_of(visit)
            if child not in seen
        )
