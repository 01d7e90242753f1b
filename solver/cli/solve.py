"""`solver solve`: read a board, write the board after the best move."""

from __future__ import annotations

import sys
import time

from solver.cli.files import read_puzzle, write_text
from solver.limits import Limits
from solver.solve import DEFAULT_NODES, Answer, solve
from solver.switches import Switches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from solver.cli.files import Puzzle
    from solver.position import Evaluate, Position
    from solver.search import Finding


class Request:
    """How a puzzle is to be solved; the defaults are those of the plain call."""

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


def run(arguments: Namespace) -> int:
    """The command with all its options."""
    puzzle = read_puzzle(arguments.input, strict=arguments.strict)
    form = arguments.format or puzzle.form
    request = Request(arguments.limits, arguments.switches, arguments.heuristic)
    evaluate = request.evaluator(puzzle)
    if _is_over(puzzle, arguments.output, form):
        return 0
    started = time.perf_counter()
    answer = solve(puzzle.position, evaluate, request.limits, request.switches)
    seconds = time.perf_counter() - started
    if arguments.stats or arguments.verbose:
        from solver.cli.report import stats_json, summary

        squares = arguments.notation == "squares"
        if arguments.verbose:
            print(summary(puzzle, answer, seconds, squares), file=sys.stderr)
        if arguments.stats:
            write_text(arguments.stats, stats_json(puzzle, answer, seconds, request, squares))
    if arguments.line:
        text = _line_text(puzzle, answer, evaluate, request, form)
    else:
        text = puzzle.game.write(answer.best, form) + "\n"
    write_text(arguments.output, text)
    return 0


def solve_file(source: str, target: str) -> int:
    """The plain call: input and output, nothing else."""
    puzzle = read_puzzle(source)
    if _is_over(puzzle, target, puzzle.form):
        return 0
    children = puzzle.position.children()
    if len(children) > 1:
        request = Request()
        answer = solve(puzzle.position, request.evaluator(puzzle), request.limits, request.switches)
        best = answer.best
    else:
        best = children[0]  # an only move needs no thought
    write_text(target, puzzle.game.write(best, puzzle.form) + "\n")
    return 0


def _is_over(puzzle: Puzzle, target: str, form: str) -> bool:
    """A game that is over is not an error: the board itself is the answer."""
    outcome = puzzle.game.outcome(puzzle.position)
    if outcome is None:
        return False
    print(f"solver: {puzzle.source}: {outcome}", file=sys.stderr)
    write_text(target, puzzle.game.write(puzzle.position, form) + "\n")
    return True


def _line_text(
    puzzle: Puzzle, answer: Answer, evaluate: Evaluate, request: Request, form: str
) -> str:
    """Every board to the end of the game, each followed by an empty line."""
    from solver.line import play_out

    def choose(position: Position) -> Finding:
        if position == puzzle.position:
            return answer.finding
        return solve(position, evaluate, request.limits, request.switches).finding

    line = play_out(puzzle.position, choose, puzzle.game.is_progress)
    outcome = line.unfinished or puzzle.game.outcome(line.positions[-1])
    plies = len(line.positions) - 1
    print(f"solver: {puzzle.source}: {outcome}, after {plies} plies", file=sys.stderr)
    return "".join(puzzle.game.write(position, form) + "\n\n" for position in line.positions)
