"""What is told of a trace, the same in every format."""

from __future__ import annotations

from solver.trace.nodes import nodes_of
from solver.trace.wording import counts, method, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.trace.subject import Subject
    from solver.trace.trace import Trace
    from solver.visit import Visit


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
