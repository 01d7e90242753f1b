"""The solver's answer to a position: a proof if there is one within reach, else a search."""

from __future__ import annotations

from solver.effort import Effort
from solver.search import Search
from solver.shortest import ShortestWin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.finding import Finding
    from solver.limits import Limits
    from solver.position import Evaluate, Position
    from solver.switches import Switches

# About two seconds in plain Python.  A count and not a time: the same answer every time.
DEFAULT_NODES = 240_000
PROOF_SHARE = 0.5  # of the nodes and seconds; the search gets as much


class Answer:
    """What was found, and what the two ways of looking for it cost."""

    def __init__(self, finding: Finding, proof_effort: Effort, search_effort: Effort) -> None:
        self.finding = finding
        self.proof_effort = proof_effort
        self.search_effort = search_effort

    @property
    def best(self) -> Position:
        return self.finding.best

    @property
    def nodes(self) -> int:
        return self.proof_effort.visited + self.search_effort.visited


def solve(
    position: Position,
    evaluate: Evaluate,
    limits: Limits,
    switches: Switches,
    leave_out: frozenset[int] = frozenset(),
) -> Answer:
    """The best move of a position that has one.

    First a forced win is looked for, or the longest defence of a lost position; if nothing
    can be proven, the heuristic search decides.  With a depth limit the caller has said what
    to search, and only the heuristic search runs; so it does if children are left out.
    """
    proof_effort = Effort()
    if limits.depth is None and not leave_out:
        limits = limits.part(PROOF_SHARE)
        attempt = ShortestWin(limits)
        proof = attempt.run(position)
        proof_effort = attempt.effort
        if proof is not None:
            return Answer(proof, proof_effort, Effort())
    search = Search(evaluate, switches)
    finding = search.run(position, limits, leave_out=leave_out)
    return Answer(finding, proof_effort, search.effort)
