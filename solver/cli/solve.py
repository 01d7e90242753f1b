"""`solver solve`: read a board, write the board after the best move."""

from __future__ import annotations

import sys
import time

from solver.cli.arguments import Parser, add_board_options, add_search_options, one_of, requested
from solver.cli.files import read_puzzle, write_text
from solver.cli.plain import write_if_over
from solver.cli.report import stats_json, summary
from solver.errors import UserError
from solver.line import play_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from solver.cli.files import Puzzle
    from solver.cli.request import Request
    from solver.finding import Finding
    from solver.position import Evaluate, Position
    from solver.solve import Answer


def parser() -> Parser:
    parser = Parser(
        prog="solver solve",
        description="Read a board, write the board after the best move.",
        examples="  solver board.txt answer.txt\n"
        "  solver solve board.txt - --depth 8 --heuristic centre -v\n"
        "  solver solve board.txt line.txt --line\n"
        "  echo 'B:W18,24:B1,K5' | solver solve - -\n",
    )
    parser.add_argument("input", nargs="?", metavar="IN", help="board file, - for standard input")
    parser.add_argument(
        "output", nargs="?", metavar="OUT", help="where to write, - for standard output (default)"
    )
    parser.add_argument("--inputfile", metavar="IN", help="the same as IN")
    parser.add_argument("--outputfile", metavar="OUT", help="the same as OUT")
    parser.add_argument(
        "--line", action="store_true", help="write every board to the end of the game"
    )
    parser.add_argument("--stats", metavar="FILE", help="write what was found and its cost as JSON")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell move, value and effort")
    parser.add_argument(
        "--format", type=one_of("board", "fen"), help="board or fen (default: as the input)"
    )
    add_search_options(parser)
    add_board_options(parser)
    return parser


def run(arguments: Namespace) -> int:
    source, target = _files(arguments)
    request = requested(arguments)
    puzzle = read_puzzle(source, strict=arguments.strict)
    form = arguments.format or puzzle.form
    evaluate = request.evaluator(puzzle)
    if write_if_over(puzzle, target, form):
        return 0
    started = time.perf_counter()
    answer = request.solve(puzzle.position, evaluate)
    seconds = time.perf_counter() - started
    squares = arguments.notation == "squares"
    if arguments.line:
        text = _line_text(puzzle, answer, evaluate, request, form)
    else:
        text = puzzle.game.write(answer.best, form) + "\n"
    write_text(target, text)
    if arguments.stats:
        write_text(arguments.stats, stats_json(puzzle, answer, seconds, request, squares))
    if arguments.verbose:
        print(summary(puzzle, answer, seconds, squares), file=sys.stderr)
    return 0


def _files(arguments: Namespace) -> tuple[str, str]:
    """Input and output, from whichever of the two calling styles."""
    if arguments.inputfile is not None and arguments.input is not None:
        raise UserError("The input is given twice, by place and by --inputfile.")
    if arguments.outputfile is not None and arguments.output is not None:
        raise UserError("The output is given twice, by place and by --outputfile.")
    source = arguments.input if arguments.inputfile is None else arguments.inputfile
    target = arguments.output if arguments.outputfile is None else arguments.outputfile
    if source is None:
        raise UserError("Which board? Try 'solver board.txt answer.txt' or 'solver --help'.")
    return source, "-" if target is None else target


def _line_text(
    puzzle: Puzzle, answer: Answer, evaluate: Evaluate, request: Request, form: str
) -> str:
    """Every board to the end of the game, each followed by an empty line."""

    def choose(position: Position) -> Finding:
        if position == puzzle.position:
            return answer.finding
        return request.solve(position, evaluate).finding

    line = play_out(puzzle.position, choose, puzzle.game.is_progress)
    outcome = line.unfinished or puzzle.game.outcome(line.positions[-1])
    plies = len(line.positions) - 1
    print(f"solver: {puzzle.source}: {outcome}, after {plies} plies", file=sys.stderr)
    return "".join(puzzle.game.write(position, form) + "\n\n" for position in line.positions)
