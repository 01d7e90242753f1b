"""Visits for people: values for one side (the hero), and a reason for every bound."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from solver.errors import counted
from solver.search.position import Position
from solver.search.score import INFINITY, describe, is_decisive
from solver.trace.trace import Cause, Subject, Trace, Visit

MOST_NAMED = 6  # moves; more are counted
LEAVES = {
    Cause.HEURISTIC: "a leaf: the heuristic is asked",
    Cause.LOST: "the game is over: {mover} has lost",
    Cause.TABLES: "the endgame tables know the result",
    Cause.CACHE: "the cache knows this position",
    Cause.CHILD_IN_CACHE: "by the cache, one move is good enough for a cutoff (etc)",
    Cause.BOUND: "no win or loss can be soon enough to matter here (mate-distance)",
}


class Bound(StrEnum):
    EXACT = "exact"
    AT_MOST = "at most"
    AT_LEAST = "at least"


class Tag(StrEnum):
    """The kind of node in its tree."""

    PV = "pv"  # its value was between alpha and beta
    CUT = "cut"  # one child was enough
    ALL = "all"  # every child was searched, and none was good enough
    LEAF = "leaf"


@dataclass(frozen=True)
class Node:
    """One visit.  `alpha` and `beta` are None where the window is open."""

    id: int
    parent: int | None
    path: str  # move numbers: 2.1 is the first reply to the second move
    ply: int
    move: str
    mover: str
    depth: int
    alpha: int | None
    beta: int | None
    value: int
    bound: Bound
    tag: Tag
    kind: str  # where the value came from: "inner", or the cause of a leaf
    scout: bool  # a one-point window below a wider one
    line: bool  # on the principal variation
    reason: str
    unseen: tuple[str, ...]  # moves that were never searched
    spared: tuple[str, ...]  # the same as they are drawn: what is below them in a tree
    enter: int
    leave: int
    rows: tuple[str, ...] | None  # the board, where there is one

    @property
    def name(self) -> str:
        """Path and move: `2.1 30x21`; for the root, its mover."""
        if not self.path:
            return self.mover
        return self.path if self.move == self.path else f"{self.path} {self.move}"

    @property
    def window(self) -> str:
        low = "-inf" if self.alpha is None else _short(self.alpha)
        high = "+inf" if self.beta is None else _short(self.beta)
        return f"[{low}, {high}]"

    @property
    def worth(self) -> str:
        """`= 3`, `<= 2` or `>= 5`."""
        sign = {Bound.EXACT: "=", Bound.AT_MOST: "<=", Bound.AT_LEAST: ">="}[self.bound]
        return f"{sign} {_short(self.value)}"

    @property
    def remark(self) -> str:
        """The reason and the moves saved by a cutoff; plain leaves need none."""
        if self.tag is Tag.LEAF and self.kind == Cause.HEURISTIC.value:
            return ""
        unseen = f"not searched: {' '.join(self.unseen)}" if self.unseen else ""
        if len(self.unseen) > MOST_NAMED:
            unseen = f"{len(self.unseen)} moves not searched"
        return "; ".join(part for part in (self.reason, unseen) if part)


def _short(value: int) -> str:
    return describe(value) if is_decisive(value) else str(value)


def describe_value(value: int) -> str:
    return f"a {describe(value)}" if is_decisive(value) else str(value)


class TraceView:
    """A trace and the nodes to show: the first of the selected visits."""

    def __init__(self, trace: Trace, subject: Subject, visits: list[Visit], most: int) -> None:
        self.trace = trace
        self.subject = subject
        self._children: dict[int, list[Position]] = {}  # in the order of the rules, by parent
        self._paths: dict[int, str] = {}
        self.nodes = [self._node(visit) for visit in visits[:most]]
        self.left_out = len(visits) - len(self.nodes)

    @property
    def method(self) -> str:
        """`alpha-beta to depth 3, ordering static, cache sound, pvs`."""
        techniques = self.trace.techniques
        chosen = {name: each for name, each in techniques.values.items() if techniques.has(name)}
        del chosen["terminal"]  # no technique, and always the same here
        base = "alpha-beta" if chosen.pop("alpha-beta", False) else "minimax"
        others = [name if each is True else f"{name} {each}" for name, each in chosen.items()]
        return ", ".join([f"{base} to depth {self.trace.result.depth}", *others])

    @property
    def head(self) -> list[str]:
        trace, hero = self.trace, self.trace.hero
        best = self.subject.move(trace.root, trace.result.best)
        counters = trace.result.counters
        alpha, beta = counters.alpha_cuts, counters.beta_cuts
        cache = f", cache {counters.hits}/{counters.probes}" if counters.probes else ""
        return [
            f"{trace.root.mover()} is to move: {best}, {describe_value(trace.value)} for {hero}",
            f"{self.method}: {counters.visited} nodes, {counted(int(alpha + beta), 'cutoff')} "
            f"({alpha} alpha, {beta} beta){cache}",
            f"windows and values are for {hero}",
        ]

    def _node(self, visit: Visit) -> Node:
        trace = self.trace
        parent = trace.visits[visit.parent] if visit.parent >= 0 else None
        low, high = trace.window(visit)
        unseen = self._unseen(visit)
        return Node(
            id=visit.number,
            parent=None if parent is None else parent.number,
            path=self._path(visit),
            ply=visit.ply,
            move="" if parent is None else self.subject.move(parent.position, visit.position),
            mover=visit.position.mover(),
            depth=visit.depth,
            alpha=None if low <= -INFINITY else low,
            beta=None if high >= INFINITY else high,
            value=trace.worth(visit),
            bound=self._bound(visit),
            tag=_tag(visit),
            kind="inner" if visit.cause is Cause.CHILDREN else visit.cause.value,
            scout=parent is not None and _is_null(visit) and not _is_null(parent),
            line=visit.number in trace.line,
            reason=self._reason(visit),
            unseen=tuple(self.subject.move(visit.position, child) for child in unseen),
            spared=tuple(self.subject.spared(visit.position, child) for child in unseen),
            enter=visit.enter,
            leave=visit.leave,
            rows=self.subject.rows(visit.position),
        )

    def _path(self, visit: Visit) -> str:
        if visit.parent < 0:
            return ""
        if visit.number not in self._paths:
            parent = self.trace.visits[visit.parent]
            number = self._children_of(parent).index(visit.position) + 1
            above = self._path(parent)
            self._paths[visit.number] = f"{above}.{number}" if above else str(number)
        return self._paths[visit.number]

    def _children_of(self, visit: Visit) -> list[Position]:
        if visit.number not in self._children:
            self._children[visit.number] = visit.position.children()
        return self._children[visit.number]

    def _bound(self, visit: Visit) -> Bound:
        if self.trace.is_exact(visit):
            return Bound.EXACT
        high = visit.value >= visit.beta
        return Bound.AT_LEAST if high == self.trace.is_heros(visit) else Bound.AT_MOST

    def _unseen(self, visit: Visit) -> list[Position]:
        """What was saved by a cutoff."""
        if not self.trace.is_cut(visit):
            return []
        seen = [child.position for child in self.trace.below[visit.number]]
        return [child for child in self._children_of(visit) if child not in seen]

    def _reason(self, visit: Visit) -> str:
        """Why the visit has its value; empty if it is just that of its best child."""
        if visit.cause is Cause.HEURISTIC and self.subject.game is None:
            return "a leaf"
        if visit.cause is not Cause.CHILDREN:
            return LEAVES[visit.cause].format(mover=visit.position.mover())
        if self.trace.is_exact(visit):
            return ""
        if visit.ply == 0:
            return "the value is outside the window; the search starts again with a wider one"
        return self._reason_for_bound(visit)

    def _reason_for_bound(self, visit: Visit) -> str:
        """A side with enough here, or with better elsewhere."""
        trace, hero = self.trace, self.trace.hero
        cut = visit.value >= visit.beta
        mover, value = visit.position.mover(), describe_value(trace.worth(visit))
        if mover == hero:
            here = (
                f"{mover} already gets {value}"
                if cut
                else f"no move gets {mover} more than {value}"
            )
        elif cut:
            here = f"{mover} can already hold {hero} to {value}"
        else:
            here = f"{mover} cannot hold {hero} to less than {value}"
        better = self._find_better(visit, by_mover=not cut)
        if better is not None:
            side = trace.visits[better.parent].position.mover()
            has = f"{side} has" if side == hero else f"{side} can hold {hero} to"
            line = [each.position for each in reversed([better, *trace.above(better)])]
            place = self.subject.place(line)
            return f"{here} here; {has} {describe_value(trace.worth(better))} at {place}"
        low, high = trace.window(visit)
        if high - low == 1:
            return f"{here} here; a scout asks only whether it is more than {describe_value(low)}"
        end = high if trace.worth(visit) >= high else low
        return f"{here} here; the window at the root ends at {describe_value(end)}"

    def _find_better(self, visit: Visit, by_mover: bool) -> Visit | None:
        """The nearest visit beside the line that gives a side as much or more."""
        trace, branch = self.trace, visit
        for above in trace.above(visit):
            if ((visit.ply - above.ply) % 2 == 0) == by_mover:
                # What this one is worth to that side, which is the mover above.
                worth = visit.value if by_mover else -visit.value
                promised = [
                    child
                    for child in trace.below[above.number]
                    if child.number < branch.number
                    and -child.value >= worth
                    and (trace.is_exact(child) or child.value <= child.alpha)
                ]
                if promised:
                    return min(promised, key=lambda child: child.value)
            branch = above
        return None


def _tag(visit: Visit) -> Tag:
    if visit.cause is not Cause.CHILDREN:
        return Tag.LEAF
    if visit.value >= visit.beta:
        return Tag.CUT
    return Tag.ALL if visit.value <= visit.alpha else Tag.PV


def _is_null(visit: Visit) -> bool:
    return visit.beta - visit.alpha == 1
