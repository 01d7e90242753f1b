"""`solver solve`: read a board, write the board after the best move."""

from __future__ import annotations

import sys

from solver.cli.files import read_puzzle, write_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from solver.cli.files import Puzzle
    from solver.cli.request import Request
    from solver.finding import Finding
    from solver.position import Evaluate, Position
    from solver.solve import Answer


def solve_file(source: str, target: str) -> int:
    """The plain call: input and output, nothing else."""
    puzzle = read_puzzle(source)
    if _is_over(puzzle, target, puzzle.form):
        return 0
    children = puzzle.position.children()
    if len(children) == 1:
        best = children[0]  # an only move needs no thought, nor the modules that think
    else:
        from solver.cli.request import Request

        best = Request().answer(puzzle).best
    write_text(target, puzzle.game.write(best, puzzle.form) + "\n")
    return 0


def run(arguments: Namespace) -> int:
    """The command with all its options."""
    import time

    from solver.cli.report import stats_json, summary
    from solver.cli.request import Request

    puzzle = read_puzzle(arguments.input, strict=arguments.strict)
    form = arguments.format or puzzle.form
    request = Request(arguments.limits, arguments.switches, arguments.heuristic)
    evaluate = request.evaluator(puzzle)
    if _is_over(puzzle, arguments.output, form):
        return 0
    started = time.perf_counter()
    answer = request.solve(puzzle.position, evaluate)
    seconds = time.perf_counter() - started
    squares = arguments.notation == "squares"
    if arguments.line:
        text = _line_text(puzzle, answer, evaluate, request, form)
    else:
        text = puzzle.game.write(answer.best, form) + "\n"
    write_text(arguments.output, text)
    if arguments.stats:
        write_text(arguments.stats, stats_json(puzzle, answer, seconds, request, squares))
    if arguments.verbose:
        print(summary(puzzle, answer, seconds, squares), file=sys.stderr)
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
        return request.solve(position, evaluate).finding

    line = play_out(puzzle.position, choose, puzzle.game.is_progress)
    outcome = line.unfinished or puzzle.game.outcome(line.positions[-1])
    plies = len(line.positions) - 1
    print(f"solver: {puzzle.source}: {outcome}, after {plies} plies", file=sys.stderr)
    return "".join(puzzle.game.write(position, form) + "\n\n" for position in line.positions)
