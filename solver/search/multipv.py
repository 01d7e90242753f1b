"""The best moves of a position, all searched to the same depth, deeper and deeper.  Between depths,
a prover gets as many nodes as the search has used so far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from solver.proof.prover import Prover
from solver.search.alphabeta import Search, depths, ignore
from solver.search.limits import Limits, Meter
from solver.search.position import Position
from solver.search.result import Counters, SearchResult


class ComparedMoves(NamedTuple):
    """The best moves after one depth, the best first; with `proof`, a proven result."""

    depth: int
    results: list[SearchResult]
    counters: Counters  # of everything so far
    proof: bool = False


class BestMovesSearch:
    """Limits are for all moves together, including proofs."""

    def __init__(
        self, root: Position, search: Search, count: int, limits: Limits, prover: Prover | None
    ) -> None:
        self.root = root
        self.children = root.children()
        self.search = search
        self.count = min(count, len(self.children))
        self.limits = limits
        self.prover = prover
        self.meter = Meter(limits)
        self.counters = Counters()  # of the searches

        # The best result without the children of these indexes.
        self.found: dict[frozenset[int], SearchResult] = {}

    def run(self) -> Iterator[ComparedMoves]:
        """Until everything is settled or the limits are used up; at least one result."""
        reached = 0
        for depth in depths(self.search.techniques, self.limits):
            results = self._deepen(depth)
            finished = len(results) == self.count and _reaches(results[-1], depth)
            if finished or not reached:
                reached = depth if finished else results[0].depth
                yield ComparedMoves(reached, results, self._spent())
            if not finished or all(result.settled for result in results):
                break
            proven = self._prove(results)
            if proven is not None:
                yield proven
                if self.count == 1:
                    break

    def _deepen(self, depth: int) -> list[SearchResult]:
        """The best moves at this depth; fewer, but at least one, if the limits are used up."""
        results: list[SearchResult] = []
        found: dict[frozenset[int], SearchResult] = {}
        chosen: frozenset[int] = frozenset()
        while len(results) < self.count:
            result = self._search(depth, chosen)
            reached = _reaches(result, depth)
            if reached or not results:
                results.append(result)
            if not reached:
                break
            found[chosen] = result
            chosen |= {self.children.index(result.best)}
        self.found = found
        return results

    def _search(self, depth: int, chosen: frozenset[int]) -> SearchResult:
        known = self.found.get(chosen)
        if known is None and self.limits.depth is None:
            known = self.search.exact.solution(self.root, chosen)
        if known is not None and known.settled:
            return known
        result = self.search.run(self.root, self._left(depth), ignore, chosen, known)
        self.counters = self.counters.plus(self.search.counters)
        return result

    def _prove(self, results: list[SearchResult]) -> ComparedMoves | None:
        if self.prover is None or results[0].settled:
            return None
        proven = self.prover.go_on(self.root, self.counters.visited, self._left)
        if proven is None or not proven.proven:
            return None
        self.found = {frozenset(): proven}
        others = [result for result in results if result.best != proven.best]
        together = [proven, *others][: self.count]
        return ComparedMoves(proven.depth, together, self._spent(), proof=True)

    def _spent(self) -> Counters:
        return self.counters.plus(Counters() if self.prover is None else self.prover.counters)

    def _left(self, depth: int | None = None) -> Limits:
        return self.meter.left(self._spent().visited, depth)


def _reaches(result: SearchResult, depth: int) -> bool:
    return result.depth >= depth or result.settled
