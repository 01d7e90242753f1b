"""How a puzzle is to be solved; the defaults are those of the plain call."""

from __future__ import annotations

from solver.exact import NOTHING
from solver.limits import Limits
from solver.solve import DEFAULT_NODES, Answer, solve
from solver.switches import Switches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.cli.puzzle import Puzzle
    from solver.position import Position


class Request:
    """Limits, techniques, heuristic and tables, as asked for on the command line."""

    def __init__(
        self,
        limits: Limits | None = None,
        switches: Switches | None = None,
        heuristic: str | None = None,
        tables: str = "",
    ) -> None:
        self.limits = limits or Limits(nodes=DEFAULT_NODES)
        self.switches = switches or Switches()
        self.heuristic = heuristic
        self.tables = tables  # a file of the user's own, or empty

    def solver(self, puzzle: Puzzle) -> Solver:
        return Solver(self, puzzle)


class Solver:
    """Solves positions of one puzzle's game as it was requested."""

    def __init__(self, request: Request, puzzle: Puzzle) -> None:
        self.limits = request.limits
        self.switches = request.switches
        self.evaluate = puzzle.evaluator(request.heuristic)
        self.exact = puzzle.game.tables(request.tables) if request.switches.tables else NOTHING

    def solve(self, position: Position, leave_out: frozenset[int] = frozenset()) -> Answer:
        return solve(position, self.evaluate, self.limits, self.switches, leave_out, self.exact)
