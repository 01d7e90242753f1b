"""What the commands have in common on the command line: options, help, mistakes."""

from __future__ import annotations

import argparse
import sys

from solver import __version__
from solver.cli import COMMANDS
from solver.cli.files import open_puzzle
from solver.errors import UserError, did_you_mean
from solver.games import GAMES, game_named
from solver.games.puzzle import start_puzzle
from solver.games.solve import Request
from solver.proof.answer import DEFAULT_NODES
from solver.search import alphabeta
from solver.search.cache import MEGABYTES
from solver.search.heuristic import is_own
from solver.search.limits import Limits
from solver.search.score import MAX_DEPTH
from solver.search.techniques import REMOVABLE, TECHNIQUES, Techniques

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from solver.cli import Commands
    from solver.games.puzzle import Puzzle
    from solver.search.heuristic import Evaluate

    Container = argparse._ActionsContainer

SOLVED = {
    0: "done; also if the game is over already",
    2: "wrong usage or a malformed board; no file was touched",
}
# What they mean if a command does not say otherwise.
EXIT_CODES = {
    2: "wrong usage or malformed input",
    3: "a file could not be read or written",
    130: "interrupted",
}
MOST_DIGITS = 17  # of a whole number: more than any can mean, and quickly read
MOST_MEGABYTES = 1 << 20
LOOPBACK = "127.0.0.1"
BOARD = "board file, - for standard input"
NAMES = "NAME[,NAME...]"


def program(name: str = "solver") -> str:
    """How the program was called, for help that can be copied."""
    return f"python3 -m {name}" if sys.argv[0].endswith("__main__.py") else name


class TechniqueAction(argparse.Action):
    """Changes the techniques that were chosen so far: by names, or by one choice."""

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


TECHNIQUE: dict[str, Any] = {"action": TechniqueAction, "dest": "techniques"}


class Parser(argparse.ArgumentParser):
    """Reports mistakes with the nearest option by name, and has two help pages: `--help` with
    what most people need, and `--help-all`.  In examples, the program is named as it was called.
    """

    def __init__(
        self,
        command: str,
        about: str,
        examples: str,
        codes: dict[int, str] = SOLVED,
        *,
        usage: str | None = None,
        name: str = "solver",
    ) -> None:
        called = program(name)
        examples = examples.replace(f"{name} ", f"{called} ")
        ends = [f"  {code:<4} {text}\n" for code, text in sorted((EXIT_CODES | codes).items())]
        super().__init__(
            prog=f"{called} {command}".rstrip(),
            usage=usage,
            description=about,
            epilog=f"examples:\n{examples}\nexit codes:\n{''.join(ends)}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.long_help: dict[argparse.Action, str | None] = {}
        self.here: Container = self  # where the next option is listed

    def section(self, title: str, about: str | None = None) -> None:
        """List the options that follow under a title of their own."""
        self.here = self.add_argument_group(title, about)

    def either(self, required: bool = False) -> Container:
        """For options of which only one is allowed."""
        return self.here.add_mutually_exclusive_group(required=required)

    def option(
        self,
        words: str,
        about: str = "",
        kind: Callable[[str], object] | None = None,
        default: object = None,
        *,
        either: Container | None = None,
        rare: bool = False,
        brief: str = "",
        **more: Any,
    ) -> None:
        """Add an option such as `-o --output FILE`, a flag such as `-v --verbose`, or an argument
        such as `input FILE`, in brackets if it may be left out.  The default is added to the text.
        `--help` does not show what is `rare`, and the `brief` text where there is one."""
        first, *rest = words.split()
        values = [word for word in rest if not word.startswith("-")]
        names = [first, *(word for word in rest if word.startswith("-"))]
        more = _describe(values) | more
        if kind is not None:
            more["type"] = kind
        if default is not None:
            more["default"] = default
            shown = f"{default:g}" if isinstance(default, float) else default
            about += "" if "(default" in about or shown in ("", ()) else f" (default: {shown})"
        action = (either or self.here).add_argument(*names, help=about.strip(), **more)
        if rare or brief:
            self.long_help[action] = action.help
            action.help = brief or argparse.SUPPRESS

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

    # Options that several commands have.

    def add_board_options(self, notation: bool = True) -> None:
        self.section("boards")
        about = (
            f"{' or '.join(GAMES)} (default: by the look of the file); without a file, start "
            "from the first position of the game"
        )
        self.option("--game NAME", about, one_of(*GAMES))
        self.add_variant()
        about = "with --game and without a file: start with N files only, for study"
        self.option("--files N", about, number(1, 8), rare=True)
        self.option("--strict", "reject boards that would be repaired, with a warning", rare=True)
        if notation:
            self.add_notation()

    def add_variant(self) -> None:
        names = [f"{name} ({game})" for game in GAMES for name in game_named(game).VARIANTS]
        self.option("--variant NAME", f"other rules: {', '.join(names)}", rare=True, default="")

    def add_notation(self) -> None:
        about = "names of moves: squares (e3-f4) or pdn (11-15, default for FEN input)"
        self.option("--notation NAME", about, one_of("squares", "pdn"), rare=True)

    def add_heuristic(self, *games: str) -> None:
        rules = [game_named(name) for name in games or GAMES]
        known = [f"{name}: {text}; " for each in rules for name, text in each.heuristics().items()]
        defaults = ", ".join(each.DEFAULT_HEURISTIC for each in rules)
        own = f"your own as FILE.py:FUNCTION (default: {defaults})"
        self.option("--heuristic NAME", f"{''.join(known)}or {own}", brief=f"a name, or {own}")

    def add_search(self) -> None:
        """For commands that search as usual: limits, a heuristic and the board."""
        about = f"The default is {DEFAULT_NODES} nodes: the same answer every time."
        self.section("search", about)
        self.option("--depth N", "plies; skips all proofs", number(1, MAX_DEPTH))
        self.option("--nodes N", "positions to visit", number(1))
        self.option("--time S", "seconds", amount("seconds"))
        self.add_heuristic()
        self.add_board_options()
        self.set_defaults(techniques=Techniques(), hash=None, tables="")

    def add_solving(self) -> None:
        """For commands on which every technique can be chosen."""
        self.add_search()
        self.section("techniques")
        self.add_techniques(Techniques(), "ordering", "cache", "terminal")
        about = f"memory for the cache, and for proofs (default: {MEGABYTES})"
        self.option("--hash MB", about, number(1, MOST_MEGABYTES), rare=True)
        about = (
            "endgame tables made by 'solver endgame build', or a proof by 'solver proof write' "
            "(default: those that come with the game)"
        )
        self.option("--tables FILE", about, default="", rare=True)

    def add_techniques(self, default: Techniques, *choices: str) -> None:
        """Which techniques to leave out, and what to choose where there is a choice."""
        texts = [f"{name}: {TECHNIQUES[name].about}" for name in REMOVABLE]
        about = f"techniques to leave out: {'; '.join(texts)}"
        self.option(f"--without {NAMES}", about, rare=True, **TECHNIQUE)
        for name in choices:
            known = TECHNIQUES[name].choices
            texts = [f"{each}: {text}" for each, text in known.items()]
            about = f"{'; '.join(texts)} (default: {default.values[name]})"
            self.option(f"--{name} NAME", about, one_of(*known), rare=True, **TECHNIQUE)


def _describe(values: list[str]) -> dict[str, Any]:
    """The values of an option, for argparse."""
    match values:
        case []:
            return {"action": "store_true"}
        case [word] if word.startswith("["):
            many = {"nargs": "*", "default": []} if word.endswith("...]") else {"nargs": "?"}
            return {"metavar": word.strip("[]."), **many}
        case [word]:
            return {"metavar": word}
    return {"metavar": tuple(values), "nargs": len(values)}


# Kinds of values.


def one_of(*known: str) -> Callable[[str], str]:
    def check(word: str) -> str:
        if word not in known:
            hint = did_you_mean(word, list(map(str, known)))
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


def amount(unit: str, most: float = 1e9, zero: bool = False) -> Callable[[str], float]:
    """A number of something above 0; 0 as well if `zero`."""

    def check(word: str) -> float:
        try:
            value = float(word)
        except ValueError:
            value = -1.0
        if not 0 <= value <= most or (value == 0 and not zero):
            least = f"{unit} from 0" if zero else f"{unit} above 0"
            end = "" if most >= 1e9 else f" up to {most:g}"
            raise argparse.ArgumentTypeError(f"{word!r} is not a number of {least}{end}")
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


# What the arguments ask for.


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


def choose_heuristic(name: str | None) -> str | Evaluate | None:
    """A name, or the user's own function with its prints out of the way."""
    if name is None or not is_own(name):
        return name
    from solver.cli.own import OwnFunction

    return OwnFunction(name)


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


def is_compiled() -> bool:
    return not str(alphabeta.__file__).endswith(".py")


def version() -> str:
    return f"checkmark {__version__} ({'compiled' if is_compiled() else 'pure Python'})"


def list_commands(commands: Commands) -> str:
    width = max(map(len, commands))
    return "\n".join(f"  {name:{width}}  {about}" for name, (_, about) in commands.items())


def answer_help(parser: Parser, argv: list[str]) -> int:
    """Answer `--help` and `--version`; a call without arguments gets the help."""
    parser.option("--version", "version, compiled or not", action="version", version=version())
    parser.parse_args(["--help" if word == "--help-all" else word for word in argv] or ["--help"])
    return 0


def run_program(argv: list[str]) -> int:
    ways = (f"{program()} {words}" for words in ("IN OUT", "COMMAND [arguments]", "COMMAND --help"))
    parser = Parser(
        "",
        f"Reads a board, writes the board after the best move.\n\n{list_commands(COMMANDS)}",
        "  solver board.txt answer.txt\n"
        "  solver --inputfile board.txt --outputfile answer.txt\n"
        "  solver analyse board.txt --lines 3\n",
        usage="\n       ".join(ways),
    )
    return answer_help(parser, argv)
