"""Why a node has the value it has, in one sentence.

Values are for the hero of the trace, who wants more; the other side wants less.
"""

from __future__ import annotations

from solver.trace.wording import said
from solver.visit import Cause

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.trace.trace import Trace
    from solver.visit import Visit

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
