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
) -> Answer:
    """The best move of a position that has one.

    Half of the nodes or seconds go into looking for a forced win, or for the longest defence
    of a lost position; what is left goes into the heuristic search.  With a depth limit the
    caller has said what to search, and only the heuristic search runs.
    """
    proof_effort = Effort()
    if limits.depth is None:
        limits = limits.part(0.5)
        attempt = ShortestWin(limits)
        proof = attempt.run(position)
        proof_effort = attempt.effort
        if proof is not None:
            return Answer(proof, proof_effort, Effort())
    finding = Search(evaluate, switches).run(position, limits)
    return Answer(finding, proof_effort, finding.effort)
