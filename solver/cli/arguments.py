"""What the commands have in common on the command line: options, help, mistakes."""

from __future__ import annotations

import argparse
import sys

from solver.cli.puzzle import read_puzzle, start_puzzle
from solver.cli.request import Request
from solver.errors import UserError, did_you_mean
from solver.games import GAMES, game_named
from solver.limits import Limits
from solver.score import MAX_DEPTH
from solver.solve import DEFAULT_NODES
from solver.switches import CACHES, ORDERINGS, TERMINALS, Switches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from solver.cli.puzzle import Puzzle

EXIT_CODES = """exit codes:
  0    solved, or the game is over already
  2    wrong usage or a malformed board; no file was touched
  3    a file could not be read or written
  130  interrupted
"""


def program() -> str:
    """How the user has called us, for help that can be copied."""
    return "python3 -m solver" if sys.argv[0].endswith("__main__.py") else "solver"


class Parser(argparse.ArgumentParser):
    """Reports mistakes the way everything here does, with the nearest option by name.

    `command` is empty for the program itself; in examples, `solver` is how it was called.
    """

    def __init__(self, command: str, about: str, examples: str, usage: str | None = None) -> None:
        super().__init__(
            prog=f"{program()} {command}".rstrip(),
            usage=usage,
            description=about,
            epilog=f"examples:\n{examples}\n{EXIT_CODES}".replace("solver ", f"{program()} "),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith(("?", ".")) else "."
        raise UserError(f"{message}{end}{self._hint(message)} Try '{self.prog} --help'.")

    def _hint(self, message: str) -> str:
        """The nearest option to one that does not exist."""
        known = [name for action in self._actions for name in action.option_strings]
        words = [word.partition("=")[0].rstrip(":,") for word in message.split()]
        unknown = [word for word in words if word.startswith("--") and word not in known]
        return "".join(did_you_mean(word, known) for word in unknown)


def add_search_options(parser: Parser) -> None:
    limits = parser.add_argument_group(
        "limits", f"The default is {DEFAULT_NODES} nodes: the same answer every time."
    )
    limits.add_argument(
        "--depth", type=number(1, MAX_DEPTH), metavar="N", help="plies; skips the proof of a win"
    )
    limits.add_argument("--nodes", type=number(1), metavar="N", help="positions to visit")
    limits.add_argument("--time", type=_seconds, metavar="S", help="seconds")
    how = parser.add_argument_group("techniques")
    add_heuristic(how)
    for option, known, default in (
        ("--ordering", ORDERINGS, "learned"),
        ("--cache", CACHES, "sound"),
    ):
        about = "; ".join(f"{name}: {text}" for name, text in known.items())
        how.add_argument(
            option,
            type=one_of(*known),
            default=default,
            metavar="NAME",
            help=f"{about} (default: {default})",
        )
    how.add_argument(
        "--terminal",
        type=one_of(*TERMINALS),
        default="distance",
        metavar="NAME",
        help="what a win is worth: distance: 1000000 - plies; depth-ratio: "
        "100000 // (plies + 1) (default: distance)",
    )
    how.add_argument("--no-alpha-beta", action="store_true", help="plain minimax")
    how.add_argument("--no-scouts", action="store_true", help="full windows for all children")
    how.add_argument("--no-deepening", action="store_true", help="search --depth at once")
    how.add_argument("--no-extension", action="store_true", help="evaluate in mid-exchange")


def add_heuristic(parser: argparse._ActionsContainer) -> None:
    games = [game_named(name) for name in GAMES]
    about = "; ".join(
        f"{name}: {text}" for game in games for name, text in game.heuristics().items()
    )
    defaults = ", ".join(game.DEFAULT_HEURISTIC for game in games)
    parser.add_argument(
        "--heuristic",
        metavar="NAME",
        help=f"{about}; or your own as FILE.py:FUNCTION (default: {defaults})",
    )


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


def requested(arguments: argparse.Namespace) -> Request:
    """What the search options ask for."""
    depth, nodes, seconds = arguments.depth, arguments.nodes, arguments.time
    if depth is None and nodes is None and seconds is None:
        nodes = DEFAULT_NODES
    if arguments.no_deepening and depth is None:
        raise UserError("--no-deepening needs a --depth to search.")
    switches = Switches(
        alpha_beta=not arguments.no_alpha_beta,
        scouts=not arguments.no_scouts,
        ordering=arguments.ordering,
        cache=arguments.cache,
        deepening=not arguments.no_deepening,
        extension=not arguments.no_extension,
        terminal=arguments.terminal,
    )
    return Request(Limits(depth, nodes, seconds), switches, arguments.heuristic)


def one_of(*known: str) -> Callable[[str], str]:
    def check(word: str) -> str:
        if word not in known:
            hint = did_you_mean(word, list(known))
            raise argparse.ArgumentTypeError(f"{word!r} is not one of {', '.join(known)}.{hint}")
        return word

    return check


def number(least: int, most: int | None = None) -> Callable[[str], int]:
    def check(word: str) -> int:
        if not (word.isascii() and word.isdigit() and len(word) < 18) or int(word) < least:
            raise argparse.ArgumentTypeError(f"{word!r} is not a whole number from {least} on")
        if most is not None and int(word) > most:
            raise argparse.ArgumentTypeError(f"{word} is more than {most}")
        return int(word)

    return check


def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e9:
        raise argparse.ArgumentTypeError(f"{word!r} is not a number of seconds above 0")
    return seconds
