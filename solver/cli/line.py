"""`solver line`: the whole game from a position, both sides playing their best."""

from __future__ import annotations

from solver.cli.arguments import Parser
from solver.cli.boards import add_file, opened
from solver.cli.drawing import drawn
from solver.cli.report import worth
from solver.cli.searching import add_solving_options, requested
from solver.line import play_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from solver.cli.puzzle import Puzzle
    from solver.finding import Finding
    from solver.line import Line, Step
    from solver.position import Position


def make_parser() -> Parser:
    parser = Parser(
        command="line",
        about="Play a position out to its end: the shortest win against the longest defence, or\n"
        "the draw and the repetition that ends it. Limits are for each move.",
        examples="  solver line board.txt\n  echo 'W:WK19,K23:B12,K28' | solver line - --boards\n",
    )
    add_file(parser)
    parser.add_argument("--boards", action="store_true", help="draw the board after every move")
    add_solving_options(parser)
    return parser


def run(arguments: Namespace) -> int:
    request = requested(arguments)
    puzzle = opened(arguments)
    outcome = puzzle.game.outcome(puzzle.position)
    if outcome is not None:
        print(outcome)
        return 0
    solver = request.solver(puzzle)

    def choose(position: Position, leave_out: frozenset[int]) -> Finding:
        return solver.solve(position, leave_out).finding

    rows = Rows(puzzle, arguments.notation == "squares", arguments.boards)
    line = play_out(puzzle.position, choose, puzzle.game.is_progress, rows.show)
    print(_end(puzzle, line))
    return 0


class Rows:
    """One row for every move, shown as soon as it is made."""

    def __init__(self, puzzle: Puzzle, squares: bool, boards: bool) -> None:
        self.game = puzzle.game
        self.squares = squares
        self.boards = boards
        self.ply = 0
        if boards:
            print(drawn(self.game, puzzle.position))

    def show(self, step: Step) -> None:
        self.ply += 1
        name = self.game.move_name(step.parent, step.child, self.squares)
        opinion = "" if step.finding.is_fact else " (not proven)"
        print(
            f"{self.ply:3}  {step.parent.mover():5}  {name:<12}  "
            f"{worth(step.finding, step.offset)}{opinion}",
            flush=True,
        )
        if self.boards:
            print(drawn(self.game, step.child), flush=True)


def _end(puzzle: Puzzle, line: Line) -> str:
    if not line.unfinished:
        return str(puzzle.game.outcome(line.positions[-1]))
    last = line.positions[-1]
    plies = [str(ply) for ply, position in enumerate(line.positions) if position == last]
    where = f" (after plies {', '.join(plies)})" if len(plies) > 2 else ""
    return line.unfinished + where
