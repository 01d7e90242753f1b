"""`solver solve`: read a board, write the board after the best move."""

from __future__ import annotations

import sys
import time
from argparse import Namespace

from solver.cli.console import Progress, tell
from solver.cli.files import check_output, tell_end, warn_overwrite, write_file
from solver.cli.options import BOARD, Parser, make_request, open_board, program
from solver.errors import FileError, UserError, check_known, counted
from solver.games.puzzle import Puzzle
from solver.games.solve import Solution, Solver, describe_result, describe_value
from solver.play.game import GameInProgress, play_out
from solver.proof.prover import WinProof
from solver.search.limits import Limits
from solver.search.position import Position
from solver.search.result import SearchResult
from solver.search.score import describe

MEGABYTES = 1200  # by default for the proof of a start, which needs a large table


def make_parser() -> Parser:
    parser = Parser(
        "solve",
        "Read a board, write the board after the best move. With --game and without IN,\n"
        "prove who wins from the start; --nodes or --time limit that.",
        "  solver board.txt answer.txt\n"
        "  solver solve board.txt - --depth 8 --heuristic centre -v\n"
        "  solver solve board.txt line.txt --line -v\n"
        "  echo 'B:W18,24:B1,K5' | solver solve - -\n"
        "  solver solve --game twoflags --files 4\n",
    )
    add = parser.option
    add("input [IN]", BOARD)
    add("output [OUT]", "where to write, - for standard output (default)")
    add("--inputfile IN", "the same as IN", rare=True)
    add("--outputfile OUT", "the same as OUT", rare=True)
    about = "print move, value and node counts; with --line, every move and its value"
    add("-v --verbose", about)
    add("--line", "write every board to the end of the game; limits apply to each move")
    add("--format NAME", "board; fen or setup in one line (default: as read)", rare=True)
    parser.add_solving()
    return parser


def run(arguments: Namespace) -> int:
    for name, other in (("input", "inputfile"), ("output", "outputfile")):
        if None not in (getattr(arguments, name), getattr(arguments, other)):
            raise UserError(f"The {name} is given as an argument and as --{other}.")
        if getattr(arguments, name) is None:
            setattr(arguments, name, getattr(arguments, other))
    if arguments.input is None:
        if arguments.game is None:
            raise UserError(f"Which board? Try '{program()} board.txt answer.txt'.")
        return _solve_start(arguments)
    target = "-" if arguments.output is None else arguments.output
    request = make_request(arguments)
    check_output(target)
    puzzle = open_board(arguments)
    warn_overwrite(arguments.input, target)
    form = arguments.format or puzzle.form
    check_known("format", form, puzzle.game.FORMATS)
    puzzle.write(form)  # fails now and not after a long search
    solver = Solver(puzzle, request)
    started = time.perf_counter()
    solution = None if tell_end(puzzle) else solver.solve()
    seconds = time.perf_counter() - started
    if arguments.line:
        text = _line_text(solver, solution, form, arguments.verbose)
    else:
        text = (puzzle if solution is None else solution.board).write(form) + "\n"
    write_file(target, text)
    if arguments.verbose and solution is not None and not arguments.line:
        tell(_summary(solution, seconds))
    return 0


def _summary(solution: Solution, seconds: float) -> str:
    """Move, value, node count and line; and how soon somebody could still win."""
    puzzle, result, answer = solution.puzzle, solution.result, solution.answer
    text = (
        f"{puzzle.source}: {puzzle.mover} plays {solution.move}, {describe_result(result)}; "
        f"{counted(solution.nodes, 'node')}, {seconds:.2f} s\nline: {' '.join(solution.line)}"
    )
    if answer is None or result.proven or not answer.proof.asked:
        return text
    return f"{text}\nproven: nobody wins within {counted(answer.proof.asked, 'ply', 'plies')}"


def _line_text(solver: Solver, solution: Solution | None, form: str, verbose: bool) -> str:
    """Every board to the end of the game, each followed by an empty line."""
    puzzle = solver.puzzle

    def choose(position: Position, leave_out: frozenset[int]) -> SearchResult:
        if solution is not None and position == puzzle.position and not leave_out:
            return solution.result
        return solver.find(position, leave_out)

    game = GameInProgress(puzzle.game, puzzle.position)
    if solution is not None:
        for step in play_out(game, choose):
            if verbose:
                name = puzzle.move_name(step.parent, step.child)
                certainty = "" if step.result.is_fact else " (not proven)"
                value = describe_value(step.result, step.offset)
                tell(f"{game.plies:3}  {step.parent.mover():5}  {name:<12}  {value}{certainty}")
        tell(f"solver: {puzzle.source}: {game.result}; plies: {game.plies}")
    return "".join(puzzle.at(position).write(form) + "\n\n" for position in game.positions)


# `solver solve --game GAME`: who wins from the start of a game.


def _solve_start(arguments: Namespace) -> int:
    """Prove the value of the start, by default without a limit."""
    if arguments.output is not None:
        raise UserError("OUT is not allowed with --game.")
    if arguments.depth is not None:
        raise UserError("--depth is not allowed with --game. Use --nodes or --time.")
    for option in ("line", "format", "heuristic", "tables"):
        if getattr(arguments, option):
            raise UserError(f"--{option} needs a board file.")
    if sys.stdout is None:
        raise FileError("standard output is closed")
    puzzle = open_board(arguments)
    with Progress() as progress:

        def show_progress(visited: int) -> bool:
            entries = len(attempt.forced) + len(attempt.yielded)
            known = f"{attempt.asked + 1} plies, {visited:,} nodes, {entries:,} entries"
            progress.poll(lambda seconds: f"{known}, {seconds:.0f} s")
            return False  # never stops the proof

        limits = Limits(nodes=arguments.nodes, seconds=arguments.time, poll=show_progress)
        attempt = WinProof(limits, megabytes=arguments.hash or MEGABYTES)
        result = attempt.run(puzzle.position)
    print(_describe_proof(puzzle, attempt, result))
    if arguments.verbose:
        seconds = time.monotonic() - progress.started
        tell(f"{attempt.counters.visited} nodes, {seconds:.2f} s")
    return 0


def _describe_proof(puzzle: Puzzle, attempt: WinProof, result: SearchResult | None) -> str:
    if result is None:
        plies = counted(attempt.asked, "ply", "plies")
        return f"{puzzle.mover}: not proven; neither a win nor a loss within {plies}"
    best = attempt.best_children(puzzle.position, result.depth)
    names = [puzzle.move_name(puzzle.position, child) for child in best]
    line = " ".join(puzzle.line_names(result.line))
    return f"{puzzle.mover}: {describe(result.score)} by {' '.join(names)}\nline: {line}"
