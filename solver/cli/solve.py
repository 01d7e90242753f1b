"""`solver solve`: read a board, write the board after the best move."""

from __future__ import annotations

import time

from solver.cli.arguments import Parser, program
from solver.cli.boards import opened
from solver.cli.files import check_apart, check_output, write_text
from solver.cli.report import stats_json, summary, worth
from solver.cli.searching import add_solving_options, requested
from solver.cli.words import tell
from solver.errors import UserError
from solver.play.game import GameInProgress, ignore_step, play_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from solver.cli.puzzle import Puzzle
    from solver.cli.request import Solver
    from solver.finding import Finding
    from solver.play.game import Step
    from solver.position import Position
    from solver.solve import Answer


def make_parser() -> Parser:
    parser = Parser(
        command="solve",
        about="Read a board, write the board after the best move. With --game and without IN,\n"
        "prove who wins from the start, however long it takes: --nodes or --time bound it.",
        examples="  solver board.txt answer.txt\n"
        "  solver solve board.txt - --depth 8 --heuristic centre -v\n"
        "  solver solve board.txt line.txt --line -v\n"
        "  echo 'B:W18,24:B1,K5' | solver solve - -\n"
        "  solver solve --game twoflags --files 4\n",
    )
    parser.add_argument("input", nargs="?", metavar="IN", help="board file, - for standard input")
    parser.add_argument(
        "output", nargs="?", metavar="OUT", help="where to write, - for standard output (default)"
    )
    parser.add_argument("--inputfile", metavar="IN", help="the same as IN")
    parser.add_argument("--outputfile", metavar="OUT", help="the same as OUT")
    parser.add_argument(
        "--line",
        action="store_true",
        help="write every board to the end of the game; limits apply to each move",
    )
    parser.add_argument("--stats", metavar="FILE", help="write what was found and its cost as JSON")
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="print move, value and node counts; with --line, every move and its value",
    )
    parser.add_argument(
        "--format", metavar="NAME", help="board; fen or setup in one line (default: as read)"
    )
    add_solving_options(parser)
    return parser


def run(arguments: Namespace) -> int:
    source, target = _files(arguments)
    arguments.input = source
    if source is None and arguments.game is not None:
        from solver.cli.start import solve_start

        return solve_start(arguments)
    request = requested(arguments)
    results = [target] if arguments.stats is None else [target, arguments.stats]
    check_apart(results)
    for path in results:
        check_output(path)
    puzzle = opened(arguments)
    form = puzzle.format_or(arguments.format)
    solver = request.solver(puzzle)
    squares = arguments.notation == "squares"
    outcome = puzzle.tell_outcome()
    started = time.perf_counter()
    answer = None if outcome else solver.solve(puzzle.position)
    seconds = time.perf_counter() - started
    best = puzzle.position if answer is None else answer.best
    if arguments.line:
        text = _line_text(arguments, puzzle, form, answer, solver)
    else:
        text = puzzle.game.write(best, form) + "\n"
    write_text(target, text)
    if arguments.stats is not None:
        write_text(arguments.stats, stats_json(puzzle, answer, seconds, request, squares))
    if arguments.verbose and answer is not None and not arguments.line:
        tell(summary(puzzle, answer, seconds, squares))
    return 0


def _files(arguments: Namespace) -> tuple[str | None, str]:
    """Input and output, from whichever of the two calling styles."""
    if arguments.inputfile is not None and arguments.input is not None:
        raise UserError("The input is given as an argument and as --inputfile.")
    if arguments.outputfile is not None and arguments.output is not None:
        raise UserError("The output is given as an argument and as --outputfile.")
    source = arguments.input if arguments.inputfile is None else arguments.inputfile
    target = arguments.output if arguments.outputfile is None else arguments.outputfile
    if source is None and arguments.game is None:
        raise UserError(f"Which board? Try '{program()} board.txt answer.txt'.")
    return source, "-" if target is None else target


def _line_text(
    arguments: Namespace, puzzle: Puzzle, form: str, answer: Answer | None, solver: Solver
) -> str:
    """Every board to the end of the game, each followed by an empty line."""

    def choose(position: Position, leave_out: frozenset[int]) -> Finding:
        if answer is not None and position == puzzle.position and not leave_out:
            return answer.finding
        return solver.solve(position, leave_out).finding

    def print_move(step: Step) -> None:
        name = puzzle.game.move_name(step.parent, step.child, arguments.notation == "squares")
        certainty = "" if step.finding.is_fact else " (not proven)"
        value = worth(step.finding, step.offset)
        tell(f"{game.plies + 1:3}  {step.parent.mover():5}  {name:<12}  {value}{certainty}")

    game = GameInProgress(puzzle.game, puzzle.position)
    if answer is not None:
        result = play_out(game, choose, print_move if arguments.verbose else ignore_step)
        tell(f"solver: {puzzle.source}: {result}; plies: {game.plies}")
    return "".join(puzzle.game.write(position, form) + "\n\n" for position in game.positions)
