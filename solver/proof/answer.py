"""The solver's answer to a position: a proof if the limits allow one, else a search."""

from __future__ import annotations

from solver.proof.prover import Proof, Prover
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING
from solver.search.result import Counters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.search.heuristic import Evaluate, Exact
    from solver.search.limits import Limits
    from solver.search.position import Position
    from solver.search.result import SearchResult
    from solver.search.techniques import Techniques

# About two seconds in plain Python.  A count and not a time: the same answer every time.
DEFAULT_NODES = 240_000


class Answer:
    def __init__(self, result: SearchResult, proof: Proof, search_counters: Counters) -> None:
        self.result = result
        self.proof = proof
        self.search_counters = search_counters


def solve(
    position: Position,
    evaluate: Evaluate,
    limits: Limits,
    techniques: Techniques,
    leave_out: frozenset[int] = frozenset(),
    exact: Exact = NOTHING,
    search: Search | None = None,
) -> Answer:
    """The best move of a position that has one.  First a proof of a win, loss or draw is tried,
    then the heuristic search.  With a depth limit, or if children are left out, only the heuristic
    search runs.  `search` is one to continue with."""
    proof = Proof(None, Counters(), 0, 0.0)
    if limits.depth is None and not leave_out:
        tables = exact if techniques.has("tables") else NOTHING
        proof = Prover(limits, tables, evaluate, techniques.megabytes).prove(position)
    if proof.result is not None:
        return Answer(proof.result, proof, Counters())
    search = search or Search(evaluate, techniques, exact)
    result = search.run(position, limits.part(1 - proof.share), leave_out=leave_out)
    return Answer(result, proof, search.counters)
