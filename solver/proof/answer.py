"""The solver's answer to a position: a proof if the limits suffice for one, else a search."""

from __future__ import annotations

from solver.proof.prover import ShortestWin, generation_of_two
from solver.search.alphabeta import Search
from solver.search.cache import MEGABYTES
from solver.search.counters import Effort
from solver.search.exact import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.search.evaluate import Evaluate
    from solver.search.exact import Exact
    from solver.search.limits import Limits
    from solver.search.position import Position
    from solver.search.result import Finding
    from solver.search.techniques import Techniques

# About two seconds in plain Python.  A count and not a time: the same answer every time.
DEFAULT_NODES = 240_000
WIN_SHARE = 0.5  # of the nodes and seconds, to prove who wins
DRAW_SHARE = 0.1  # to prove a draw, if the search for a win has reached the tables


class Proof:
    """What could be proven, or None; what it cost, and which share of the limits that was.

    If nothing was proven, nobody wins within `asked` plies.
    """

    def __init__(self, finding: Finding | None, effort: Effort, asked: int, share: float) -> None:
        self.finding = finding
        self.effort = effort
        self.asked = asked
        self.share = share


class Answer:
    """What was found, and what proof and search cost."""

    def __init__(self, finding: Finding, proof: Proof, search_effort: Effort) -> None:
        self.finding = finding
        self.proof = proof
        self.search_effort = search_effort

    @property
    def best(self) -> Position:
        return self.finding.best

    @property
    def nodes(self) -> int:
        return self.proof.effort.visited + self.search_effort.visited


NO_PROOF = Proof(None, Effort(), 0, 0.0)


def solve(
    position: Position,
    evaluate: Evaluate,
    limits: Limits,
    techniques: Techniques,
    leave_out: frozenset[int] = frozenset(),
    exact: Exact = NOTHING,
) -> Answer:
    """The best move of a position that has one.

    First a forced win is looked for, or the longest defence of a lost position, or a draw that
    both sides can force; if nothing can be proven, the heuristic search decides.  With a depth
    limit, or if children are left out, only the heuristic search runs.
    """
    proof = NO_PROOF
    if limits.depth is None and not leave_out:
        proof = prove(
            position,
            evaluate,
            limits,
            exact if techniques.has("tables") else NOTHING,
            techniques.megabytes,
        )
    if proof.finding is not None:
        return Answer(proof.finding, proof, Effort())
    search = Search(evaluate, techniques, exact)
    finding = search.run(position, limits.part(1 - proof.share), leave_out=leave_out)
    return Answer(finding, proof, search.effort)


def prove(
    position: Position,
    evaluate: Evaluate,
    limits: Limits,
    exact: Exact,
    megabytes: int = MEGABYTES,
) -> Proof:
    """The result of a position, as far as it can be proven with a share of the limits."""
    generation = generation_of_two(megabytes)
    win = ShortestWin(limits.part(WIN_SHARE), exact, generation=generation)
    finding = win.run(position)
    effort, asked = win.effort, win.asked
    del win  # and the memory that it takes
    if finding is not None or not effort.known:
        return Proof(finding, effort, asked, WIN_SHARE)
    from solver.proof.prover import Holding

    draw = Holding(limits.part(DRAW_SHARE), exact, generation=generation)
    finding = draw.run(position, evaluate)
    return Proof(finding, effort.plus(draw.effort), asked, WIN_SHARE + DRAW_SHARE)
