"""How a puzzle is to be solved; the defaults are those of the plain call."""

from __future__ import annotations

from solver.exact import NOTHING
from solver.limits import Limits
from solver.solve import DEFAULT_NODES, NO_PROOF, Answer, solve
from solver.techniques import Techniques

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.cli.puzzle import Puzzle
    from solver.position import Position


class Request:
    """Limits, techniques, heuristic and tables, as asked for on the command line."""

    def __init__(
        self,
        limits: Limits | None = None,
        techniques: Techniques | None = None,
        heuristic: str | None = None,
        tables: str = "",
        threads: int = 1,
    ) -> None:
        self.limits = limits or Limits(nodes=DEFAULT_NODES)
        self.techniques = techniques or Techniques()
        self.heuristic = heuristic
        self.tables = tables  # a file of the user's own, or empty
        self.threads = threads

    def solver(self, puzzle: Puzzle) -> Solver:
        return Solver(self, puzzle)


class Solver:
    """Solves positions of one puzzle's game as it was requested."""

    def __init__(self, request: Request, puzzle: Puzzle) -> None:
        self.limits = request.limits
        self.techniques = request.techniques
        self.evaluate = puzzle.evaluator(request.heuristic)
        self.exact = puzzle.game.tables(request.tables) if request.techniques.tables else NOTHING
        self.threads = request.threads

    def solve(self, position: Position, leave_out: frozenset[int] = frozenset()) -> Answer:
        if self.threads > 1:
            return self._solve_together(position, leave_out)
        return solve(position, self.evaluate, self.limits, self.techniques, leave_out, self.exact)

    def _solve_together(self, position: Position, leave_out: frozenset[int]) -> Answer:
        """By several workers, to a fixed depth, which has no proof."""
        from solver.parallel import ParallelSearch

        with ParallelSearch(
            self.evaluate, self.techniques, self.exact, threads=self.threads
        ) as search:
            finding = search.run(position, self.limits, leave_out=leave_out)
        return Answer(finding, NO_PROOF, search.effort)
