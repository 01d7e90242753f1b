"""`solver solve`: read a board, write the board after the best move."""

from __future__ import annotations

import sys
import time

from solver.cli.console import Progress, tell
from solver.cli.files import check_apart, check_output, write_text
from solver.cli.options import Parser, add_solving_options, opened, program, requested
from solver.cli.report import line_names, stats_json, summary, worth
from solver.errors import FileError, UserError, counted
from solver.play.game import GameInProgress, ignore_step, play_out
from solver.proof.prover import WinProof, generation_of_two
from solver.search.limits import Limits
from solver.search.score import describe

TYPE_CHECKING = False

if TYPE_CHECKING:
    from argparse import Namespace

    from solver.cli.puzzle import Puzzle
    from solver.cli.request import Solver
    from solver.play.game import Step
    from solver.proof.answer import Answer
    from solver.search.position import Position
    from solver.search.result import SearchResult


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
        # import dropped

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

    def choose(position: Position, leave_out: frozenset[int]) -> SearchResult:
        if answer is not None and position == puzzle.position and not leave_out:
            return answer.result
        return solver.solve(position, leave_out).result

    def print_move(step: Step) -> None:
        name = puzzle.game.move_name(step.parent, step.child, arguments.notation == "squares")
        certainty = "" if step.result.is_fact else " (not proven)"
        value = worth(step.result, step.offset)
        tell(f"{game.plies + 1:3}  {step.parent.mover():5}  {name:<12}  {value}{certainty}")

    game = GameInProgress(puzzle.game, puzzle.position)
    if answer is not None:
        result = play_out(game, choose, print_move if arguments.verbose else ignore_step)
        tell(f"solver: {puzzle.source}: {result}; plies: {game.plies}")
    return "".join(puzzle.game.write(position, form) + "\n\n" for position in game.positions)


# `solver solve --game GAME`: who wins from the position that a game begins with.


MEGABYTES = 1200  # if nobody says otherwise: such a proof is mostly remembering


class Watch(Progress):
    """Shows how far a proof has come."""

    def __init__(self) -> None:
        super().__init__()
        self.attempt: WinProof | None = None

    def poll(self, visited: int) -> bool:
        """Never a reason to stop; only the moment to be asked about."""
        if self.attempt is not None and self.is_due():
            entries = len(self.attempt.forced) + len(self.attempt.yielded)
            self.show(
                f"{self.attempt.asked + 1} plies, {visited:,} nodes, {entries:,} entries, "
                f"{time.monotonic() - self.started:.0f} s"
            )
        return False


def solve_start(arguments: Namespace) -> int:
    """Prove the value of the start; the default is no limit but patience."""
    if arguments.output is not None or arguments.outputfile is not None:
        raise UserError("The proof of a start goes to standard output and takes no OUT.")
    if arguments.depth is not None:
        raise UserError("A proof has no --depth. Use --nodes or --time to bound it.")
    for option in ("line", "stats", "format", "heuristic", "tables"):
        if getattr(arguments, option):
            raise UserError(f"--{option} is for a board file and not for the start of a game.")
    if sys.stdout is None:
        raise FileError("standard output is closed")
    puzzle = opened(arguments)
    progress = Watch()
    limits = Limits(nodes=arguments.nodes, seconds=arguments.time, poll=progress.poll)
    generation = generation_of_two(arguments.hash or MEGABYTES)
    attempt = WinProof(limits, generation=generation)
    progress.attempt = attempt
    try:
        result = attempt.run(puzzle.position)
    finally:
        progress.clear()
    print(_told(puzzle, attempt, result))
    if arguments.verbose:
        seconds = time.monotonic() - progress.started
        tell(f"{attempt.counters.visited} nodes, {seconds:.2f} s")
    return 0


def _told(puzzle: Puzzle, attempt: WinProof, result: SearchResult | None) -> str:
    mover = puzzle.position.mover()
    if result is None:
        plies = counted(attempt.asked, "ply", "plies")
        return f"{mover}: not proven; neither a win nor a loss within {plies}"
    best = attempt.best_children(puzzle.position, result.depth)
    names = [puzzle.game.move_name(puzzle.position, child) for child in best]
    line = " ".join(line_names(puzzle, result, squares=False))
    return f"{mover}: {describe(result.score)} by {' '.join(names)}\nline: {line}"
