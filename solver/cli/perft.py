"""`solver perft`: count move sequences, to test a move generator."""

from __future__ import annotations

from solver.cli.options import Parser, add_board_options, add_notation, number, opened
from solver.cli.report import table
from solver.games import GAMES
from solver.search.position import perft
from solver.search.score import MAX_DEPTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from solver.cli.puzzle import Puzzle


def make_parser() -> Parser:
    parser = Parser(
        command="perft",
        about="Count the move sequences of each length.",
        examples="  solver perft --depth 6\n  solver perft --game twoflags --depth 4\n"
        "  solver perft board.txt --depth 4 --divide --unique\n",
    )
    parser.add_argument(
        "input",
        nargs="?",
        metavar="FILE",
        help="board file, - for standard input (default: the start of a game)",
    )
    parser.add_argument(
        "--depth", type=number(1, MAX_DEPTH), required=True, metavar="N", help="the longest length"
    )
    parser.add_argument("--divide", action="store_true", help="the count of every first move")
    parser.add_argument(
        "--unique", action="store_true", help="count moves to the same position as one"
    )
    add_board_options(parser)
    add_notation(parser)
    return parser


def run(arguments: Namespace) -> int:
    if arguments.input is None and arguments.game is None:
        arguments.game = GAMES[0]
    puzzle = opened(arguments)
    if arguments.divide:
        _divide(puzzle, arguments.depth, arguments.unique, arguments.notation == "squares")
        return 0
    print("depth  positions")
    for depth in range(1, arguments.depth + 1):
        print(f"{depth:5d}  {perft(puzzle.position, depth, arguments.unique)}", flush=True)
    return 0


def _divide(puzzle: Puzzle, depth: int, unique: bool, squares: bool) -> None:
    position = puzzle.position
    children = position.children() if unique else position.moves()
    counts = [perft(child, depth - 1, unique) for child in children]
    rows = [
        (puzzle.game.move_name(position, child, squares), count)
        for child, count in zip(children, counts, strict=True)
    ]
    print(table([*rows, ("total", sum(counts))], ("move", "positions")))
