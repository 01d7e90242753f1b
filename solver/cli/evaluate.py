"""`solver eval`: what a heuristic sees in a position, term by term."""

from __future__ import annotations

from solver.cli.options import Parser, add_board_options, add_file, add_heuristic, opened
from solver.cli.puzzle import is_own
from solver.cli.report import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def make_parser() -> Parser:
    parser = Parser(
        command="eval",
        about="Show what a heuristic sees in a position, term by term.",
        examples="  solver eval board.txt --heuristic six-regions\n"
        "  solver eval board.txt --heuristic my.py:evaluate\n",
    )
    add_file(parser)
    add_heuristic(parser)
    add_board_options(parser)
    return parser


def run(arguments: Namespace) -> int:
    puzzle = opened(arguments)
    game = puzzle.game
    name = arguments.heuristic or game.DEFAULT_HEURISTIC
    outcome = game.outcome(puzzle.position)
    if outcome is not None:
        print(f"{outcome}; no heuristic is asked any more")
        return 0
    mover = puzzle.position.mover()
    evaluate = puzzle.evaluator(name)
    worth = evaluate(puzzle.position)
    if not is_own(name):
        terms = game.explain(name, puzzle.position)
        rows: list[tuple[object, ...]] = [
            (term.title, term.first, term.second, term.weight, term.total) for term in terms
        ]
        rows.append(("sum", "", "", "", sum(term.total for term in terms)))
        print(table(rows, ("term", *game.SIDES, "weight", "total")))
        print()
    print(f"{name}: {worth:+d} for {mover}, who is to move")
    return 0
