"""The plain call, `solver IN OUT`.  A module of its own, so that it imports little and starts
fast."""

from __future__ import annotations

from solver.cli.files import check_output, open_puzzle, tell_end, write_file


def solve_file(source: str, target: str) -> int:
    """If the game is over, that is not an error: the board itself is the answer."""
    check_output(target)
    puzzle = open_puzzle(source)
    if not tell_end(puzzle):
        children = puzzle.position.children()
        if len(children) == 1:
            puzzle = puzzle.at(children[0])  # no need to load the modules that search
        else:
            from solver.games.solve import Request, Solver

            puzzle = Solver(puzzle, Request()).solve().board
    write_file(target, puzzle.write() + "\n")
    return 0
