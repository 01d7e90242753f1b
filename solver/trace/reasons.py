"""Why a node has the value it has, in one sentence.

Values are for the hero of the trace, who wants more; the other side wants less.
"""

from __future__ import annotations

from solver.search.score import describe, is_decisive
from solver.search.techniques import SWITCHES
from solver.trace.trace import Tag, nodes_of
from solver.trace.visit import Cause

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.trace.subject import Subject
    from solver.trace.trace import Node, Trace
    from solver.trace.visit import Visit


# How a trace says things that all its formats say.


MOST_LISTED = 6  # moves by name; more are counted


def said(value: int) -> str:
    """A value in the middle of a sentence: `3`, `-7`, `a win in 5`."""
    return f"a {describe(value)}" if is_decisive(value) else str(value)


def method(trace: Trace) -> str:
    """The search in words: `alpha-beta to depth 3, ordering static, cache sound`."""
    techniques = trace.techniques
    base = "alpha-beta" if techniques.has("alpha-beta") else "minimax"
    words = [f"{base} to depth {trace.finding.depth}"]
    words += [
        f"{name} {techniques.values[name]}"
        for name in ("ordering", "cache")
        if techniques.has(name)
    ]
    names = [each.name for each in SWITCHES if techniques.has(each.name)]
    others = ", ".join(name for name in names if name != base)
    return ", ".join([*words, *([f"with {others}"] if others else [])])


def counts(trace: Trace) -> str:
    """What the search took: `11 nodes, 2 cutoffs (2 alpha, 0 beta)`."""
    effort = trace.effort
    alpha, beta = effort.alpha_cuts, effort.beta_cuts
    text = f"{effort.visited} nodes, {alpha + beta} cutoffs ({alpha} alpha, {beta} beta)"
    return f"{text}, cache {effort.hits}/{effort.probes}" if effort.probes else text


def name(node: Node) -> str:
    """Where a node is and by which move: `2.1 30x21`; the root by its mover."""
    if not node.path:
        return node.mover
    return node.path if node.move == node.path else f"{node.path} {node.move}"


def remark(node: Node) -> str:
    """The reason of a node, but for plain leaves, which need none, and what a cut has spared."""
    if node.tag is Tag.LEAF and node.kind == Cause.HEURISTIC.value:
        return ""
    asked = "the cache is asked" if node.cache == "asked" else ""
    return "; ".join(part for part in (node.reason, _unseen(node.unseen), asked) if part)


def _unseen(moves: tuple[str, ...]) -> str:
    if len(moves) > MOST_LISTED:
        return f"{len(moves)} moves not looked at"
    return f"not looked at: {' '.join(moves)}" if moves else ""


LEAVES = {
    Cause.HEURISTIC: "a leaf: the heuristic is asked",
    Cause.LOST: "the game is over: {mover} has lost",
    Cause.TABLES: "the endgame tables know the result",
    Cause.CACHE: "the cache knows this position",
    Cause.CHILD_IN_CACHE: "the cache knows a move here that is too good to be allowed",
    Cause.BOUND: "no win or loss can be soon enough to matter here",
}


def reason(trace: Trace, visit: Visit, place: Callable[[Visit], str]) -> str:
    """`place` says where a visit is."""
    if not visit.finished:
        return "the search was stopped in here"
    if visit.cause is not Cause.CHILDREN:
        return LEAVES[visit.cause].format(mover=visit.position.mover())
    if trace.is_exact(visit):
        return ""
    if visit.ply == 0:
        return "the value was expected inside the window; the search begins again with a wider one"
    return _of_bound(trace, visit, place)


def _of_bound(trace: Trace, visit: Visit, place: Callable[[Visit], str]) -> str:
    """Of a cut: one side has enough here, since the other has better elsewhere.  Of a node whose
    children are all too bad: its mover has better elsewhere."""
    hero = trace.hero
    cut = visit.value >= visit.beta
    here = _here(trace, visit, cut)
    better = _elsewhere(trace, visit, by_mover=not cut)
    if better is not None:
        side = trace.visits[better.parent].position.mover()
        has = f"{side} has" if side == hero else f"{side} can hold {hero} to"
        return f"{here}; {has} {said(trace.worth(better))} at {place(better)}"
    low, high = trace.window(visit)
    if high - low == 1:
        return f"{here}; a scout asks only whether it is more than {said(low)}"
    end = high if trace.worth(visit) >= high else low
    return f"{here}; the window at the root ends at {said(end)}"


def _here(trace: Trace, visit: Visit, cut: bool) -> str:
    hero, mover, value = trace.hero, visit.position.mover(), said(trace.worth(visit))
    if mover == hero:
        return (
            f"{mover} already gets {value} here"
            if cut
            else (f"no move gets {mover} more than {value} here")
        )
    return (
        f"{mover} can already hold {hero} to {value} here"
        if cut
        else (f"{mover} cannot hold {hero} to less than {value} here")
    )


def _elsewhere(trace: Trace, visit: Visit, by_mover: bool) -> Visit | None:
    """The nearest finished visit that promises a side at least as much as this one: a child of
    a position above, where that side had the choice."""
    branch = visit
    for above in trace.above(visit):
        if ((visit.ply - above.ply) % 2 == 0) == by_mover:
            # What this one is worth to that side, which is the mover above.
            worth = visit.value if by_mover else -visit.value
            promised = [
                child
                for child in trace.below[above.number]
                if child.number < branch.number
                and -child.value >= worth
                and _is_promise(trace, child)
            ]
            if promised:
                return min(promised, key=lambda child: child.value)
        branch = above
    return None


def _is_promise(trace: Trace, child: Visit) -> bool:
    """Whether its parent's mover gets at least what the value says, and not at most."""
    return trace.is_exact(child) or child.value <= child.alpha


# What is told of a trace, the same in every format.


class Telling:
    """A trace and those of its nodes that are shown: the first of the chosen ones."""

    def __init__(self, trace: Trace, subject: Subject, chosen: list[Visit], most: int) -> None:
        self.trace = trace
        self.subject = subject
        self.nodes = nodes_of(trace, subject, chosen[:most])
        self.left_out = len(chosen) - len(self.nodes)
        self.method = method(trace)

    @property
    def complete(self) -> bool:
        """Whether every visit is among the nodes."""
        return len(self.nodes) == len(self.trace.visits)

    @property
    def head(self) -> list[str]:
        trace = self.trace
        mover, hero = trace.root.mover(), trace.hero
        best = self.subject.move(trace.root, trace.finding.best)
        return [
            f"{mover} is to move: {best}, {said(trace.value)} for {hero}",
            f"{self.method}: {counts(trace)}",
            f"windows and values are for {hero}",
        ]

    @property
    def foot(self) -> list[str]:
        if not self.left_out:
            return []
        return ["", f"{self.left_out} more nodes; --max-nodes, --node and --only choose others"]
