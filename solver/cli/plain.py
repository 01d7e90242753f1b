"""The plain call, `solver IN OUT`: fast to start, because it imports so little."""

from __future__ import annotations

import sys

from solver.cli.files import read_puzzle, write_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.cli.files import Puzzle


def solve_file(source: str, target: str) -> int:
    puzzle = read_puzzle(source)
    if write_if_over(puzzle, target, puzzle.form):
        return 0
    children = puzzle.position.children()
    if len(children) == 1:
        best = children[0]  # an only move needs no thought, nor the modules that think
    else:
        from solver.cli.request import Request

        best = Request().answer(puzzle).best
    write_text(target, puzzle.game.write(best, puzzle.form) + "\n")
    return 0


def write_if_over(puzzle: Puzzle, target: str, form: str) -> bool:
    """A game that is over is not an error: the board itself is the answer."""
    outcome = puzzle.game.outcome(puzzle.position)
    if outcome is None:
        return False
    print(f"solver: {puzzle.source}: {outcome}", file=sys.stderr)
    write_text(target, puzzle.game.write(puzzle.position, form) + "\n")
    return True
