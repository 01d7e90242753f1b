"""The solver's answer to a position: a proof if the limits allow one, else a search."""

from __future__ import annotations

from solver.proof.prover import Proof, Prover
from solver.search import alphabeta
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING
from solver.search.limits import Meter, Stop
from solver.search.result import Counters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.search.heuristic import Evaluate, Exact
    from solver.search.limits import Limits
    from solver.search.position import Position
    from solver.search.result import SearchResult
    from solver.search.techniques import Techniques

    Listener = Callable[[SearchResult, bool], None]

# About two seconds in plain Python.  A count and not a time: the same answer every time.
DEFAULT_NODES = 240_000


def ignore(result: SearchResult, is_proof: bool) -> None:
    """The listener of those who do not listen."""


def make_search(evaluate: Evaluate, techniques: Techniques, exact: Exact, limits: Limits) -> Search:
    """With half of the memory if the other half is for proofs, a quarter for each aim."""
    if limits.depth is None:
        techniques = techniques.changed(megabytes=max(1, techniques.megabytes // 2))
    return Search(evaluate, techniques, exact)


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
    listener: Listener = ignore,
) -> Answer:
    """The best move of a position that has one.  First a proof of a win, loss or draw is tried,
    then the heuristic search; what is left makes a win or a loss exact.  With a depth limit, or if
    children are left out, only the heuristic search runs.  `search` is one to continue with.  The
    listener gets every depth, and a proof."""

    def report(result: SearchResult) -> None:
        listener(result, False)

    def report_undecided(result: SearchResult) -> None:
        report(result)
        if result.decided:
            raise Stop

    search = search or make_search(evaluate, techniques, exact, limits)
    if limits.depth is not None or leave_out:
        hears = alphabeta.ignore if listener is ignore else report
        estimate = search.run(position, limits, hears, leave_out)
        return Answer(estimate, Proof(None, Counters(), 0), search.counters)
    meter = Meter(limits)
    tables = exact if techniques.has("tables") else NOTHING
    prover = Prover(limits, tables, evaluate, max(1, techniques.megabytes // 4))
    proof = prover.prove(position)
    result, searched = proof.result, Counters()
    if result is None:
        result = search.run(position, meter.left(prover.visited), report_undecided)
        searched = search.counters
    if result.decided and not result.proven:
        left = meter.left(prover.visited + searched.visited)
        finished = prover.finish(position, result.score, left)
        proof = Proof(finished or proof.result, prover.counters, proof.asked)
    if proof.result is not None:
        listener(proof.result, True)
    return Answer(proof.result or result, proof, searched)
