"""What the commands have in common on the command line: options, help, mistakes."""

from __future__ import annotations

import argparse
import sys
from functools import partial

from solver.cli.files import open_puzzle
from solver.errors import UserError, did_you_mean
from solver.games import GAMES, game_named
from solver.games.puzzle import start_puzzle
from solver.games.solve import Request
from solver.proof.answer import DEFAULT_NODES
from solver.search.cache import MEGABYTES
from solver.search.heuristic import is_own
from solver.search.limits import Limits
from solver.search.score import MAX_DEPTH
from solver.search.techniques import REMOVABLE, TECHNIQUES, Techniques, names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from solver.games.puzzle import Puzzle
    from solver.search.heuristic import Evaluate

EXIT_CODES = """exit codes:
  0    solved, or the game is over already
  2    wrong usage or a malformed board; no file was touched
  3    a file could not be read or written
  130  interrupted
"""
MOST_DIGITS = 17  # of a whole number: more than any can mean, and quickly read
MOST_MEGABYTES = 1 << 20
LOOPBACK = "127.0.0.1"


def program(name: str = "solver") -> str:
    """How the program was called, for help that can be copied."""
    return f"python3 -m {name}" if sys.argv[0].endswith("__main__.py") else name


class Parser(argparse.ArgumentParser):
    """Reports mistakes with the nearest option by name, and has two help pages: `--help` with
    what most people need, and `--help-all`.

    `command` is empty for the program itself; in examples, its name is how it was called.
    """

    def __init__(
        self,
        command: str,
        about: str,
        examples: str,
        usage: str | None = None,
        exit_codes: str = EXIT_CODES,
        name: str = "solver",
    ) -> None:
        called = program(name)
        super().__init__(
            prog=f"{called} {command}".rstrip(),
            usage=usage,
            description=about,
            epilog=f"examples:\n{examples}\n{exit_codes}".replace(f"{name} ", f"{called} "),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.long_help: dict[argparse.Action, str | None] = {}

    def advanced(
        self,
        *names: str,
        group: argparse._ActionsContainer | None = None,
        short: str = argparse.SUPPRESS,
        **options: Any,
    ) -> None:
        """Add an option that `--help` does not show, or with a shorter text."""
        action = (group or self).add_argument(*names, **options)
        self.long_help[action] = action.help
        action.help = short

    def print_help_all(self) -> None:
        for action, text in self.long_help.items():
            action.help = text
        self.print_help()

    def format_help(self) -> str:
        hides_some = any(action.help != text for action, text in self.long_help.items())
        more = f"\n'{self.prog} --help-all' shows all options.\n" if hides_some else ""
        return super().format_help() + more

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith(("?", ".")) else "."
        raise UserError(f"{message}{end}{self._hint(message)} Try '{self.prog} --help'.")

    def _hint(self, message: str) -> str:
        """The nearest option to one that does not exist."""
        known = [name for action in self._actions for name in action.option_strings]
        words = [word.partition("=")[0].rstrip(":,") for word in message.split()]
        unknown = [word for word in words if word.startswith("--") and word not in known]
        return "".join(did_you_mean(word, known) for word in unknown)


def one_of(*known: str) -> Callable[[str], str]:
    def check(word: str) -> str:
        if word not in known:
            hint = did_you_mean(word, list(known))
            raise argparse.ArgumentTypeError(f"{word!r} is not one of {', '.join(known)}.{hint}")
        return word

    return check


def number(least: int, most: int | None = None) -> Callable[[str], int]:
    def check(word: str) -> int:
        digits = word.isascii() and word.isdigit()
        if digits and len(word) > MOST_DIGITS:
            raise argparse.ArgumentTypeError(f"a number of {len(word)} digits is too large")
        if not digits or int(word) < least:
            raise argparse.ArgumentTypeError(f"{word!r} is not a whole number from {least} on")
        if most is not None and int(word) > most:
            raise argparse.ArgumentTypeError(f"{word} is more than {most}")
        return int(word)

    return check


def amount(
    unit: str, most: float = 1e9, least: float = 0.0, zero: bool = False
) -> Callable[[str], float]:
    """A number of something: above 0, from `least` on if that is given; 0 if `zero`."""

    def check(word: str) -> float:
        try:
            value = float(word)
        except ValueError:
            value = -1.0
        if not (max(least, 1e-12) <= value <= most) and not (zero and value == 0):
            start = f"from {least:g}" if least else "above 0"
            end = "" if most >= 1e9 else f" up to {most:g}"
            also = ", or 0" if zero else ""
            raise argparse.ArgumentTypeError(
                f"{word!r} is not a number of {unit} {start}{end}{also}"
            )
        return value

    return check


def parse_host(word: str) -> str:
    """A name that can be looked up; an empty one would mean every network."""
    try:
        valid = bool(word.encode("idna"))
    except UnicodeError:
        valid = False
    if not valid:
        raise argparse.ArgumentTypeError(f"{word!r} is not the name or number of a computer")
    return word


def parse_address(word: str) -> tuple[str, int]:
    """`HOST:PORT`, or a port alone on this computer."""
    name, _, port = word.rpartition(":")
    if not (port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) <= 65535):
        raise argparse.ArgumentTypeError(f"{word!r} is not like {LOOPBACK}:9999")
    return parse_host(name.strip("[]") or LOOPBACK), int(port)


# Options of commands that read a board.


def add_file(parser: Parser) -> None:
    parser.add_argument("input", nargs="?", metavar="FILE", help="board file, - for standard input")


def add_board_options(parser: Parser) -> None:
    boards = parser.add_argument_group("boards")
    about = (
        f"{' or '.join(GAMES)} (default: by the look of the file); without a file, start "
        "from the first position of the game"
    )
    boards.add_argument("--game", type=one_of(*GAMES), metavar="NAME", help=about)
    variants = [f"{name} ({game})" for game in GAMES for name in game_named(game).VARIANTS]
    about = f"other rules: {', '.join(variants)}"
    parser.advanced("--variant", default="", metavar="NAME", help=about, group=boards)
    about = "with --game and without a file: start with N files only, for study"
    parser.advanced("--files", type=number(1, 8), metavar="N", help=about, group=boards)
    about = "reject boards that would be repaired, with a warning"
    parser.advanced("--strict", action="store_true", help=about, group=boards)


def add_notation(parser: Parser) -> None:
    about = "names of moves: squares (e3-f4) or pdn (11-15, default for FEN input)"
    parser.advanced("--notation", type=one_of("squares", "pdn"), metavar="NAME", help=about)


def open_board(arguments: argparse.Namespace, text: str | None = None) -> Puzzle:
    """The board that the arguments name: a file, or the start of a game; `text` is what is in
    the file, if it was read before."""
    notation = getattr(arguments, "notation", None) or ""
    if arguments.input is not None:
        if arguments.files is not None:
            raise UserError("--files is not allowed with a file.")
        return open_puzzle(
            arguments.input,
            text,
            strict=arguments.strict,
            game_name=arguments.game or "",
            variant=arguments.variant,
            notation=notation,
        )
    if arguments.game is None:
        raise UserError(f"Which board? Give a file, or a game: --game {' or '.join(GAMES)}.")
    return start_puzzle(arguments.game, arguments.files or 8, arguments.variant, notation)


# Options of commands that search: limits, heuristic, techniques.


def add_limited_search(parser: Parser) -> None:
    """For commands that search as usual: limits, a heuristic and the board."""
    about = f"The default is {DEFAULT_NODES} nodes: the same answer every time."
    add = parser.add_argument_group("limits", about).add_argument
    add("--depth", type=number(1, MAX_DEPTH), metavar="N", help="plies; skips all proofs")
    add("--nodes", type=number(1), metavar="N", help="positions to visit")
    add("--time", type=amount("seconds"), metavar="S", help="seconds")
    add_heuristic(parser)
    add_board_options(parser)
    add_notation(parser)
    parser.set_defaults(techniques=Techniques(), hash=None, tables="")


def add_solving_options(parser: Parser) -> None:
    """For commands on which every technique can be chosen."""
    add_limited_search(parser)
    group = parser.add_argument_group("techniques")
    add_techniques(parser, group, Techniques(), ("ordering", "cache", "terminal"))
    about = f"memory for the cache, and for proofs (default: {MEGABYTES})"
    parser.advanced("--hash", type=number(1, MOST_MEGABYTES), metavar="MB", help=about, group=group)
    about = (
        "endgame tables made by 'solver endgame build' (default: those that come with "
        "checkers, up to four pieces)"
    )
    parser.advanced("--tables", default="", metavar="FILE", help=about, group=group)


class TechniqueAction(argparse.Action):
    """Changes the techniques that were chosen so far: by `names`, or by one choice."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        arguments: argparse.Namespace,
        value: object,
        option: str | None = None,
    ) -> None:
        keyword = {"--with": "with_"}.get(str(option), str(option).removeprefix("--"))
        changes: dict[str, str] = {keyword: str(value)}
        arguments.techniques = arguments.techniques.changed(**changes)


def add_techniques(
    parser: Parser, group: argparse._ActionsContainer, default: Techniques, choices: tuple[str, ...]
) -> None:
    """Which techniques to leave out, and what to choose where there is a choice."""
    add = partial(parser.advanced, action=TechniqueAction, dest="techniques", group=group)
    about = "; ".join(f"{name}: {TECHNIQUES[name].about}" for name in REMOVABLE)
    about = f"techniques to leave out: {about}"
    add("--without", type=check_names, metavar="NAME[,NAME...]", help=about)
    for name in choices:
        known = TECHNIQUES[name].choices
        texts = "; ".join(f"{each}: {text}" for each, text in known.items())
        about = f"{texts} (default: {default.values[name]})"
        add(f"--{name}", type=one_of(*known), metavar="NAME", help=about)


def check_names(names: str) -> str:
    names_in(names)
    return names


def add_heuristic(
    parser: Parser,
    game_names: tuple[str, ...] = GAMES,
    group: argparse._ActionsContainer | None = None,
) -> None:
    games = [game_named(name) for name in game_names]
    about = "; ".join(
        f"{name}: {text}" for game in games for name, text in game.heuristics().items()
    )
    defaults = ", ".join(game.DEFAULT_HEURISTIC for game in games)
    parser.advanced(
        "--heuristic",
        metavar="NAME",
        help=f"{about}; or your own as FILE.py:FUNCTION (default: {defaults})",
        group=group,
        short=f"a name, or your own as FILE.py:FUNCTION (default: {defaults})",
    )


def choose_heuristic(name: str | None) -> str | Evaluate | None:
    """A name, or the user's own function with its prints out of the way."""
    if name is None or not is_own(name):
        return name
    from solver.cli.console import own_heuristic

    return own_heuristic(name)


def make_request(arguments: argparse.Namespace) -> Request:
    """What the search options ask for."""
    techniques: Techniques = arguments.techniques.changed(megabytes=arguments.hash or 0)
    if arguments.depth is None and not techniques.has("deepening"):
        raise UserError("--without deepening needs a --depth to search.")
    if arguments.tables and not techniques.has("tables"):
        raise UserError("--tables FILE is not allowed with --without tables.")
    limits = Limits(arguments.depth, arguments.nodes, arguments.time)
    heuristic = choose_heuristic(arguments.heuristic)
    return Request(limits, techniques, heuristic, arguments.tables)


# `solver` without a command: help and version.


def run_program(argv: list[str]) -> int:
    """Answer `--help` and `--version`; a call without arguments gets the help."""
    from solver.cli.report import version

    parser = Parser(
        command="",
        usage=f"{program()} IN OUT\n"
        f"       {program()} COMMAND [arguments]\n"
        f"       {program()} COMMAND --help",
        about="Reads a board, writes the board after the best move.\n\n"
        "  solve    the best move, or the whole line to the end\n"
        "  analyse  what the search finds at every depth, and the best moves\n"
        "  eval     what a heuristic sees in a position, term by term\n"
        "  trace    the search tree, with the reason for every cutoff\n"
        "  hint     a hint at the best move, without the move\n"
        "  serve    a page for the browser that shows all this\n"
        "  puzzle   find a new puzzle with a proven solution\n"
        "  endgame  build, check and count the endgame tables\n"
        "  perft    count move sequences, to test a move generator\n"
        "  bench    one node count that identifies the search, and its speed\n"
        "  play     play against the solver, or on a server\n"
        "  agent    let the solver play Two Flags on a server\n"
        "  server   let two programs play Two Flags over TCP\n"
        "  replay   show and check the games that a server has logged\n"
        "  comply   check whether an agent or a server follows the protocol",
        examples="  solver board.txt answer.txt\n"
        "  solver --inputfile board.txt --outputfile answer.txt\n"
        "  solver analyse board.txt --lines 3\n",
    )
    about = "version, compiled or not"
    parser.add_argument("--version", action="version", version=version(), help=about)
    parser.parse_args(["--help" if word == "--help-all" else word for word in argv] or ["--help"])
    return 0
