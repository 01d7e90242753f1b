"""The best moves of a position side by side, each searched as deep as the others, ever deeper.

Between one depth and the next somebody tries to prove who wins, with as many nodes as the search
has had so far: so the first depths come at once, and a long analysis proves much.
"""

from __future__ import annotations

import time

from solver.proof.answer import DRAW_SHARE, WIN_SHARE
from solver.proof.prover import DrawProof, WinProof, generation_of_two
from solver.search.alphabeta import depths, ignore
from solver.search.limits import Limits
from solver.search.result import Counters
from solver.search.score import distance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.search.alphabeta import Search
    from solver.search.heuristic import Evaluate, Exact
    from solver.search.position import Position
    from solver.search.result import SearchResult


class Compared:
    """The best moves after one depth, the best first; or, as `proof`, the result of the game."""

    def __init__(
        self, depth: int, results: list[SearchResult], counters: Counters, proof: bool = False
    ) -> None:
        self.depth = depth
        self.results = results
        self.counters = counters  # of everything so far
        self.proof = proof


class Comparison:
    """Limits are for all moves together, and for the proof."""

    def __init__(
        self,
        root: Position,
        search: Search,
        count: int,
        limits: Limits,
        proof: GrowingProof | None,
        listener: Callable[[Compared], None],
    ) -> None:
        self.root = root
        self.children = root.children()
        self.search = search
        self.count = min(count, len(self.children))
        self.limits = limits
        self.proof = proof
        self.listener = listener
        self.started = time.monotonic()
        self.counters = Counters()  # of the searches
        # What is known about the children without those of these indexes.
        self.found: dict[frozenset[int], SearchResult] = {}

    def run(self) -> None:
        """Until everything is settled or the limits are used up; whatever happens, the listener
        is told at least once."""
        reached = 0
        for depth in depths(self.search.techniques, self.limits, _every_depth):
            results = self._deepen(depth)
            finished = len(results) == self.count and _reaches(results[-1], depth)
            if finished or not reached:
                reached = depth if finished else results[0].depth
                self.listener(Compared(reached, results, self._spent()))
            if not finished or all(map(_is_settled, results)) or self._prove(results):
                break

    def _deepen(self, depth: int) -> list[SearchResult]:
        """The best moves at this depth; fewer if the limits are used up on the way, but one."""
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
        """The best move but for those chosen, as deep as that or for good."""
        known = self.found.get(chosen)
        if known is not None and _is_settled(known):
            return known
        result = self.search.run(self.root, self._left(depth), ignore, chosen, known)
        self.counters = self.counters.plus(self.search.counters)
        return result

    def _prove(self, results: list[SearchResult]) -> bool:
        """Try to, beside what was found; whether nothing is left to be found."""
        if self.proof is None or _is_settled(results[0]):
            return False
        proven = self.proof.go_on(self.root, self.counters.visited, self._left)
        if proven is None:
            return False
        self.found = {frozenset(): proven}
        others = [result for result in results if result.best != proven.best]
        together = [proven, *others][: self.count]
        self.listener(Compared(proven.depth, together, self._spent(), proof=True))
        return self.count == 1

    def _spent(self) -> Counters:
        return self.counters if self.proof is None else self.counters.plus(self.proof.counters)

    def _left(self, depth: int | None = None) -> Limits:
        limits = self.limits
        nodes = None if limits.nodes is None else max(0, limits.nodes - self._spent().visited)
        seconds = limits.seconds
        if seconds is not None:
            seconds = max(0.0, seconds - (time.monotonic() - self.started))
        return Limits(depth, nodes, seconds, limits.poll)


def _every_depth(result: SearchResult) -> None:
    """A listener who wants to hear of all depths."""


def _reaches(result: SearchResult, depth: int) -> bool:
    return result.depth >= depth or _is_settled(result)


def _is_settled(result: SearchResult) -> bool:
    """Whether a deeper search would find nothing else."""
    return result.proven or (result.decided and distance(result.score) <= result.depth)


class GrowingProof:
    """Who wins, or that nobody does: asked again and again with more nodes, from where the last
    attempt has ended."""

    def __init__(self, evaluate: Evaluate, exact: Exact, megabytes: int) -> None:
        generation = generation_of_two(max(1, megabytes // 2))
        self.evaluate = evaluate
        self.win = WinProof(Limits(), exact, generation=generation)
        self.draw = DrawProof(Limits(), exact, generation=generation)

    @property
    def counters(self) -> Counters:
        return self.win.counters.plus(self.draw.counters)

    def go_on(self, root: Position, nodes: int, left: Callable[[], Limits]) -> SearchResult | None:
        """The result, as far as it can be proven with so many nodes since the beginning, and
        with what is left of the limits."""
        self.win.allow(_within(left(), self.win.counters, nodes))
        result = self.win.run(root)
        if result is None and self.win.counters.known:
            share = int(nodes * DRAW_SHARE / WIN_SHARE)
            self.draw.allow(_within(left(), self.draw.counters, share))
            result = self.draw.run(root, self.evaluate)
        return result


def _within(limits: Limits, counters: Counters, nodes: int) -> Limits:
    """The limits of an attempt that has taken this effort already, up to so many nodes in all."""
    if limits.nodes is not None:
        nodes = min(nodes, counters.visited + limits.nodes)
    return Limits(None, nodes, limits.seconds, limits.poll)
