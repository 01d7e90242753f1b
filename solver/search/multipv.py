"""The best moves of a position side by side, each searched as deep as the others, ever deeper.

Between one depth and the next somebody tries to prove who wins, with as many nodes as the search
has had so far: so the first depths come at once, and a long analysis proves much.
"""

from __future__ import annotations

import time

from solver.proof.answer import DRAW_SHARE, WIN_SHARE
from solver.proof.prover import Holding, ShortestWin, generation_of_two
from solver.search.alphabeta import depths, ignore
from solver.search.counters import Effort
from solver.search.limits import Limits
from solver.search.score import distance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from solver.search.alphabeta import Search
    from solver.search.evaluate import Evaluate
    from solver.search.exact import Exact
    from solver.search.position import Position
    from solver.search.result import Finding


class Compared:
    """The best moves after one depth, the best first; or, as `proof`, the result of the game."""

    def __init__(
        self, depth: int, findings: list[Finding], effort: Effort, proof: bool = False
    ) -> None:
        self.depth = depth
        self.findings = findings
        self.effort = effort  # of everything so far
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
    ) -> None:
        self.root = root
        self.children = root.children()
        self.search = search
        self.count = min(count, len(self.children))
        self.limits = limits
        self.proof = proof
        self.started = time.monotonic()
        self.effort = Effort()  # of the searches
        # What is known about the children without those of these indexes.
        self.found: dict[frozenset[int], Finding] = {}

    def run(self) -> Iterator[Compared]:
        """Until everything is settled or the limits are used up; whatever happens, there is at
        least one result."""
        reached = 0
        for depth in depths(self.search.techniques, self.limits, _every_depth):
            findings = self._deepen(depth)
            finished = len(findings) == self.count and _reaches(findings[-1], depth)
            if finished or not reached:
                reached = depth if finished else findings[0].depth
                yield Compared(reached, findings, self._spent())
            if not finished or all(map(_is_settled, findings)):
                break
            proven = self._prove(findings)
            if proven is not None:
                yield proven
                if self.count == 1:
                    break

    def _deepen(self, depth: int) -> list[Finding]:
        """The best moves at this depth; fewer if the limits are used up on the way, but one."""
        findings: list[Finding] = []
        found: dict[frozenset[int], Finding] = {}
        chosen: frozenset[int] = frozenset()
        while len(findings) < self.count:
            finding = self._search(depth, chosen)
            reached = _reaches(finding, depth)
            if reached or not findings:
                findings.append(finding)
            if not reached:
                break
            found[chosen] = finding
            chosen |= {self.children.index(finding.best)}
        self.found = found
        return findings

    def _search(self, depth: int, chosen: frozenset[int]) -> Finding:
        """The best move but for those chosen, as deep as that or for good."""
        known = self.found.get(chosen)
        if known is not None and _is_settled(known):
            return known
        finding = self.search.run(self.root, self._left(depth), ignore, chosen, known)
        self.effort = self.effort.plus(self.search.effort)
        return finding

    def _prove(self, findings: list[Finding]) -> Compared | None:
        """Try to prove the result, beside what was found."""
        if self.proof is None or _is_settled(findings[0]):
            return None
        proven = self.proof.go_on(self.root, self.effort.visited, self._left)
        if proven is None:
            return None
        self.found = {frozenset(): proven}
        others = [finding for finding in findings if finding.best != proven.best]
        together = [proven, *others][: self.count]
        return Compared(proven.depth, together, self._spent(), proof=True)

    def _spent(self) -> Effort:
        return self.effort if self.proof is None else self.effort.plus(self.proof.effort)

    def _left(self, depth: int | None = None) -> Limits:
        limits = self.limits
        nodes = None if limits.nodes is None else max(0, limits.nodes - self._spent().visited)
        seconds = limits.seconds
        if seconds is not None:
            seconds = max(0.0, seconds - (time.monotonic() - self.started))
        return Limits(depth, nodes, seconds, limits.poll)


def _every_depth(finding: Finding) -> None:
    """A listener who wants to hear of all depths."""


def _reaches(finding: Finding, depth: int) -> bool:
    return finding.depth >= depth or _is_settled(finding)


def _is_settled(finding: Finding) -> bool:
    """Whether a deeper search would find nothing else."""
    return finding.proven or (finding.decided and distance(finding.score) <= finding.depth)


class GrowingProof:
    """Who wins, or that nobody does: asked again and again with more nodes, from where the last
    attempt has ended."""

    def __init__(self, evaluate: Evaluate, exact: Exact, megabytes: int) -> None:
        generation = generation_of_two(max(1, megabytes // 2))
        self.evaluate = evaluate
        self.win = ShortestWin(Limits(), exact, generation=generation)
        self.draw = Holding(Limits(), exact, generation=generation)

    @property
    def effort(self) -> Effort:
        return self.win.effort.plus(self.draw.effort)

    def go_on(self, root: Position, nodes: int, left: Callable[[], Limits]) -> Finding | None:
        """The result, as far as it can be proven with so many nodes since the beginning, and
        with what is left of the limits."""
        self.win.allow(_within(left(), self.win.effort, nodes))
        finding = self.win.run(root)
        if finding is None and self.win.effort.known:
            share = int(nodes * DRAW_SHARE / WIN_SHARE)
            self.draw.allow(_within(left(), self.draw.effort, share))
            finding = self.draw.run(root, self.evaluate)
        return finding


def _within(limits: Limits, effort: Effort, nodes: int) -> Limits:
    """The limits of an attempt that has taken this effort already, up to so many nodes in all."""
    if limits.nodes is not None:
        nodes = min(nodes, effort.visited + limits.nodes)
    return Limits(None, nodes, limits.seconds, limits.poll)
