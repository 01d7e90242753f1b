"""The options of whatever reads a board: which game, which rules, how its moves are named."""

from __future__ import annotations

import argparse

from solver.cli.arguments import Parser, number, one_of
from solver.cli.puzzle import read_puzzle, start_puzzle
from solver.errors import UserError
from solver.games import GAMES, game_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.cli.puzzle import Puzzle


def add_file(parser: Parser) -> None:
    parser.add_argument("input", nargs="?", metavar="FILE", help="board file, - for standard input")


def add_board_options(parser: Parser) -> None:
    boards = parser.add_argument_group("boards")
    boards.add_argument(
        "--game",
        type=one_of(*GAMES),
        metavar="NAME",
        help=f"{' or '.join(GAMES)} (default: by the look of the file); without a file, the "
        "position it begins with",
    )
    variants = [f"{name} ({game})" for game in GAMES for name in game_named(game).VARIANTS]
    boards.add_argument(
        "--variant", default="", metavar="NAME", help=f"other rules: {', '.join(variants)}"
    )
    boards.add_argument(
        "--files",
        type=number(1, 8),
        metavar="N",
        help="with --game and without a file: begin on so many files, for study",
    )
    boards.add_argument(
        "--strict", action="store_true", help="refuse boards that would be mended with a warning"
    )


def opened(arguments: argparse.Namespace) -> Puzzle:
    """The board that the arguments name: a file, or the start of a game."""
    if arguments.input is not None:
        if arguments.files is not None:
            raise UserError("--files is for the start of a game and not for a file.")
        return read_puzzle(
            arguments.input,
            strict=arguments.strict,
            game_name=arguments.game,
            variant=arguments.variant,
        )
    if arguments.game is None:
        raise UserError(f"Which board? Give a file, or a game: --game {' or '.join(GAMES)}.")
    return start_puzzle(arguments.game, arguments.files or 8, arguments.variant)


def add_notation(parser: Parser) -> None:
    parser.add_argument(
        "--notation",
        type=one_of("pdn", "squares"),
        default="pdn",
        metavar="NAME",
        help="names of moves: pdn (11-15, default) or squares (e3-f4)",
    )
