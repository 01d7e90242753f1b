"""How a puzzle is to be solved; the defaults are those of the plain call."""

from __future__ import annotations

from solver.proof.answer import DEFAULT_NODES, Answer, solve
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits
from solver.search.techniques import Techniques

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.cli.puzzle import Puzzle
    from solver.search.position import Position


class Request:
    """Limits, techniques, heuristic and tables, as asked for on the command line."""

    def __init__(
        self,
        limits: Limits | None = None,
        techniques: Techniques | None = None,
        heuristic: str | None = None,
        tables: str = "",
    ) -> None:
        self.limits = limits or Limits(nodes=DEFAULT_NODES)
        self.techniques = techniques or Techniques()
        self.heuristic = heuristic
        self.tables = tables  # a file of the user's own, or empty

    def solver(self, puzzle: Puzzle) -> Solver:
        return Solver(self, puzzle)


class Solver:
    """Solves positions of one puzzle's game as requested."""

    def __init__(self, request: Request, puzzle: Puzzle) -> None:
        self.request = request
        self.evaluate = puzzle.evaluator(request.heuristic)
        has_tables = request.techniques.has("tables")
        self.exact = puzzle.game.tables(request.tables) if has_tables else NOTHING

    def solve(self, position: Position, leave_out: frozenset[int] = frozenset()) -> Answer:
        limits, techniques = self.request.limits, self.request.techniques
        return solve(position, self.evaluate, limits, techniques, leave_out, self.exact)
