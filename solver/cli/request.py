"""How a puzzle is to be solved; the defaults are those of the plain call."""

from __future__ import annotations

from solver.limits import Limits
from solver.solve import DEFAULT_NODES, Answer, solve
from solver.switches import Switches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.cli.puzzle import Puzzle
    from solver.position import Evaluate, Position


class Request:
    """Limits, techniques and heuristic, as asked for on the command line."""

    def __init__(
        self,
        limits: Limits | None = None,
        switches: Switches | None = None,
        heuristic: str | None = None,
    ) -> None:
        self.limits = limits or Limits(nodes=DEFAULT_NODES)
        self.switches = switches or Switches()
        self.heuristic = heuristic

    def evaluator(self, puzzle: Puzzle) -> Evaluate:
        return puzzle.evaluator(self.heuristic)

    def answer(self, puzzle: Puzzle) -> Answer:
        return self.solve(puzzle.position, self.evaluator(puzzle))

    def solve(
        self, position: Position, evaluate: Evaluate, leave_out: frozenset[int] = frozenset()
    ) -> Answer:
        return solve(position, evaluate, self.limits, self.switches, leave_out)
