"""`solver solve`: read a board, write the board after the best move."""

from __future__ import annotations

import os
import sys
import time
from argparse import Namespace

from solver.cli.console import Progress, tell
from solver.cli.files import check_output, read_bytes, tell_end, warn_overwrite, write_file
from solver.cli.options import BOARD, Parser, make_request, open_board, program
from solver.errors import FileError, UserError, check_known, counted
from solver.games.puzzle import Puzzle
from solver.games.solve import Solution, Solver, describe_result, describe_value
from solver.play.game import GameInProgress, play_out
from solver.proof.checkpoint import pack, unpack
from solver.proof.wins import WinProof
from solver.search.limits import Limits
from solver.search.position import Position
from solver.search.result import SearchResult
from solver.search.score import WIN, describe, distance

MEGABYTES = 1200  # by default for the proof of a start, which needs a large table
SECONDS_BETWEEN_CHECKPOINTS = 1.0
SECONDS_AFTER_A_FAILURE = 60.0


def make_parser() -> Parser:
    parser = Parser(
        "solve",
        "Read a board, write the board after the best move. With --game and without IN,\n"
        "prove who wins from the start; --nodes or --time limit that.",
        "  solver board.txt answer.txt\n"
        "  solver solve board.txt - --depth 8 --heuristic centre -v\n"
        "  solver solve board.txt line.txt --line -v\n"
        "  echo 'B:W18,24:B1,K5' | solver solve - -\n"
        "  solver solve --game twoflags --files 4\n"
        "  solver solve --game twoflags --checkpoint proof.bin -v\n",
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
    about = "with --game: where to keep what is proven; a proof that was stopped goes on from there"
    parser.option("--checkpoint FILE", about, rare=True)
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
    if arguments.checkpoint is not None:
        raise UserError("--checkpoint is not allowed with a board file.")
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
        attempt = StartProof(puzzle, arguments, progress)
        result = attempt.run()
    print(_describe_proof(puzzle, attempt.proof, result))
    if arguments.verbose:
        seconds = time.monotonic() - progress.started
        counters = attempt.proof.counters if result is None else result.counters
        tell(f"{counters.visited} nodes, {seconds:.2f} s")
    return 0


class StartProof:
    """A proof that shows its progress and, if asked to, leaves checkpoints."""

    def __init__(self, puzzle: Puzzle, arguments: Namespace, progress: Progress) -> None:
        limits = Limits(nodes=arguments.nodes, seconds=arguments.time, poll=self._poll)
        megabytes = arguments.hash or MEGABYTES
        self.proof = WinProof(limits, puzzle.game.insight(), megabytes)
        self.root = puzzle.position
        self.progress = progress
        self.file: str | None = arguments.checkpoint
        self.save_at = 0.0
        if self.file is not None:
            check_output(self.file)
            if os.path.exists(self.file):
                unpack(self.proof, self.root, read_bytes(self.file), self.file)

    def run(self) -> SearchResult | None:
        result = self.proof.run(self.root)
        self._save()
        return result

    def _poll(self, visited: int) -> bool:
        self.progress.poll(self._describe)
        if self.file is not None and time.monotonic() >= self.save_at:
            try:
                self._save()
            except FileError as error:  # a full disk must not end a long proof
                self.progress.clear()
                tell(f"{error}; the proof goes on")
                self.save_at = time.monotonic() + SECONDS_AFTER_A_FAILURE
        return False  # never stops the proof

    def _save(self) -> None:
        """Spends little of the time on it, however large the checkpoint is."""
        if self.file is not None:
            started = time.monotonic()
            write_file(self.file, pack(self.proof, self.root))
            now = time.monotonic()
            self.save_at = now + max(SECONDS_BETWEEN_CHECKPOINTS, 20 * (now - started))

    def _describe(self, seconds: float) -> str:
        proof = self.proof
        asked = f"{proof.asked + 1} plies" if proof.asked else in_question(proof.question)
        nodes, full = proof.counters.visited, proof.table.fill()
        return f"{asked}, {nodes:,} nodes, table {full}%, {seconds:.0f} s"


def in_question(alpha: int) -> str:
    if alpha == 0:
        return "who wins?"
    return f"win in {distance(alpha) - 2}?" if alpha > 0 else f"loss in {distance(alpha)}?"


def _describe_proof(puzzle: Puzzle, proof: WinProof, result: SearchResult | None) -> str:
    if result is None:
        for bound in (proof.low, proof.high):
            if -WIN < bound < WIN:
                return f"{puzzle.mover}: {describe(bound, False)}; the distance is not proven"
        if proof.value_first:
            return f"{puzzle.mover}: not proven who wins"
        plies = counted(proof.asked, "ply", "plies")
        return f"{puzzle.mover}: not proven; neither a win nor a loss within {plies}"
    best = proof.best_children(puzzle.position, result.depth)
    names = [puzzle.move_name(puzzle.position, child) for child in best]
    line = " ".join(puzzle.line_names(result.line))
    return f"{puzzle.mover}: {describe(result.score)} by {' '.join(names)}\nline: {line}"
