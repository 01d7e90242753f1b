"""The plain call, `solver IN OUT`: fast to start, because it imports so little."""

from __future__ import annotations

from solver.cli.files import check_output, write_text
from solver.cli.puzzle import read_puzzle


def solve_file(source: str, target: str) -> int:
    """A game that is over is not an error: the board itself is the answer."""
    check_output(target)
    puzzle = read_puzzle(source)
    best = puzzle.position
    if not puzzle.tell_outcome():
        children = puzzle.position.children()
        if len(children) == 1:
            best = children[0]  # an only move needs no thought, nor the modules that think
        else:
            from solver.cli.request import Request

            best = Request().solver(puzzle).solve(puzzle.position).best
    write_text(target, puzzle.game.write(best, puzzle.form) + "\n")
    return 0
