"""`solver hint`: a nudge without the answer."""

from __future__ import annotations

import time

from solver.cli.console import wrapped
from solver.cli.options import Parser, add_file, add_limited_search, number, opened, requested
from solver.explain.compare import find_rivals, further_limits
from solver.explain.hint import LEVELS, Hint, make_hint
from solver.explain.story import make_way
from solver.search.alphabeta import Search
from solver.search.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from solver.cli.puzzle import Puzzle
    from solver.cli.request import Request
    from solver.search.result import SearchResult


def make_parser() -> Parser:
    parser = Parser(
        command="hint",
        about="Say what a position is about and where to look, but not the move. The limits are\n"
        "for the best move; the others are looked at in as much time again.",
        examples="  solver hint board.txt\n  solver hint board.txt --level 1\n",
    )
    add_file(parser)
    parser.add_argument(
        "--level",
        type=number(1, LEVELS),
        default=2,
        metavar="N",
        help="1: the theme; 2: the theme and the piece (default); 3: also the idea",
    )
    add_limited_search(parser)
    return parser


def run(arguments: Namespace) -> int:
    request = requested(arguments)
    puzzle = opened(arguments)
    outcome = puzzle.game.outcome(puzzle.position)
    if outcome is not None:
        print(outcome)
        return 0
    for line in found_hint(puzzle, request).sentences(arguments.level):
        print(wrapped(line))
    return 0


def found_hint(puzzle: Puzzle, request: Request) -> Hint:
    """Solves the puzzle, and looks at the other moves: some may be as good."""
    game, root, describer = puzzle.game, puzzle.position, puzzle.game.describer()
    solver = request.solver(puzzle)
    best = solver.solve(root).result
    search = Search(solver.evaluate, request.techniques, solver.exact)
    started, limits = time.perf_counter(), request.limits

    def ask(leave_out: frozenset[int]) -> SearchResult:
        seconds = limits.seconds
        if seconds is not None:
            seconds = max(seconds - (time.perf_counter() - started), 0.01)
        now = further_limits(Limits(limits.depth, limits.nodes, seconds), best)
        return search.run(root, now, leave_out=leave_out)

    way = make_way(root, best, solver.exact, describer, game.move_name)
    return make_hint(way, find_rivals(root, [best], ask, solver.exact), describer)
