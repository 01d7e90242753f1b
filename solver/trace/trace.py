"""A whole search and its visits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from solver.search.limits import Limits
from solver.search.score import INFINITY, describe, is_decisive
from solver.trace.reasons import reason
from solver.trace.recorder import TracedSearch
from solver.trace.visit import Cause

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from solver.search.heuristic import Evaluate, Exact
    from solver.search.position import Position
    from solver.search.result import Counters, SearchResult
    from solver.search.techniques import Techniques
    from solver.trace.subject import Subject
    from solver.trace.visit import Visit


MOST_VISITS = 200_000  # they are all kept in memory


class Trace:
    """What one search has looked at, and what it has found.

    Values are told for one side, the hero: whoever is to move at the root, but in trees Max.
    """

    def __init__(
        self,
        root: Position,
        hero: str,
        techniques: Techniques,
        visits: list[Visit],
        result: SearchResult,
    ) -> None:
        self.root = root
        self.hero = hero
        self.techniques = techniques
        self.visits = visits
        self.result = result
        self.below: dict[int, list[Visit]] = {}  # the visits of children, by the parent's number
        for visit in visits:
            self.below.setdefault(visit.parent, []).append(visit)
        self.line = frozenset(visit.number for visit in self._principal())

    @property
    def counters(self) -> Counters:
        return self.result.counters

    @property
    def complete(self) -> bool:
        """Whether the search came to its end, and was not stopped for having seen too much."""
        return all(root.finished for root in self.below[-1])

    @property
    def value(self) -> int:
        """The result for the hero."""
        return self.result.score if self.root.mover() == self.hero else -self.result.score

    def is_heros(self, visit: Visit) -> bool:
        """Whether the hero is to move there."""
        return visit.position.mover() == self.hero

    def worth(self, visit: Visit) -> int:
        """The value of a visit for the hero."""
        return visit.value if self.is_heros(visit) else -visit.value

    def window(self, visit: Visit) -> tuple[int, int]:
        """Alpha and beta for the hero."""
        return (visit.alpha, visit.beta) if self.is_heros(visit) else (-visit.beta, -visit.alpha)

    def above(self, visit: Visit) -> list[Visit]:
        """From a visit up to its root, without itself."""
        found = []
        while visit.parent >= 0:
            visit = self.visits[visit.parent]
            found.append(visit)
        return found

    def is_exact(self, visit: Visit) -> bool:
        """Whether the value of a visit is the value itself and no bound of it."""
        if visit.cause in (Cause.HEURISTIC, Cause.LOST, Cause.TABLES):
            return True
        return visit.finished and visit.alpha < visit.value < visit.beta

    def is_cut(self, visit: Visit) -> bool:
        """Whether its last child made the others needless.  What ends a search at its root is
        no cut: there is nobody who would avoid it."""
        return (
            visit.cause is Cause.CHILDREN
            and visit.finished
            and visit.value >= visit.beta
            and visit.ply > 0
        )

    def _principal(self) -> list[Visit]:
        """The visits that the result rests on: of the last root, down the line of the finding."""
        found: list[Visit] = []
        here = [visit for visit in self.below[-1] if visit.finished][-1:]
        for position in [*self.result.line, None]:
            found += here
            if not here or position is None:
                break
            children = self.below.get(here[0].number, [])
            here = [visit for visit in children if visit.position == position][-1:]
        return found


def traced(
    root: Position,
    evaluate: Evaluate,
    techniques: Techniques,
    exact: Exact,
    depth: int,
    hero: str = "",
    most: int = MOST_VISITS,
) -> Trace:
    """Search to a depth and write down every visit, but for those beyond the most."""
    search = TracedSearch(evaluate, techniques, exact, most)
    result = search.run(root, Limits(depth=depth))
    return Trace(root, hero or root.mover(), techniques, search.visits, result)


# A visit of the search as people read it: everything is told for one side, the hero.


class Bound(Enum):
    """What a value says about the true one, to the hero."""

    EXACT = "exact"
    AT_MOST = "at most"
    AT_LEAST = "at least"


class Tag(Enum):
    """What a node was in its tree."""

    PV = "pv"  # its value was between alpha and beta
    CUT = "cut"  # one child was enough
    ALL = "all"  # every child was looked at, and none was good enough
    LEAF = "leaf"
    OPEN = "open"  # the search was stopped in there


@dataclass(frozen=True)
class Node:
    """One visit.  `alpha` and `beta` are None where the window is open."""

    id: int
    parent: int | None
    path: str  # numbers of moves in the order of the rules: 2.1 is the first after the second
    ply: int
    move: str
    mover: str
    depth: int
    alpha: int | None
    beta: int | None
    value: int | None
    bound: Bound
    tag: Tag
    kind: str  # where the value came from: "inner", or the cause of a leaf
    scout: bool  # its window was made of one point to ask a single question
    line: bool  # it is on the principal variation
    cache: str  # "asked", "answered" or nothing
    reason: str
    unseen: tuple[str, ...]  # moves that were never looked at
    enter: int
    leave: int
    rows: tuple[str, ...] | None  # the board, where there is one

    @property
    def window(self) -> str:
        low = "-inf" if self.alpha is None else _short(self.alpha)
        high = "+inf" if self.beta is None else _short(self.beta)
        return f"[{low}, {high}]"

    @property
    def worth(self) -> str:
        """The value with its bound: `= 3`, `<= 2`, `>= 5`; a question mark if it is unknown."""
        if self.value is None:
            return "?"
        sign = {Bound.EXACT: "=", Bound.AT_MOST: "<=", Bound.AT_LEAST: ">="}[self.bound]
        return f"{sign} {_short(self.value)}"


def _short(value: int) -> str:
    return describe(value) if is_decisive(value) else str(value)


# From the visits of a search to the nodes that people read.


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
