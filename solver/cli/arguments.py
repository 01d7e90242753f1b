"""What can be said on the command line, and the help for it."""

from __future__ import annotations

import argparse
from importlib import import_module

from solver.cli import COMMANDS
from solver.errors import UserError, did_you_mean
from solver.limits import Limits
from solver.score import MAX_DEPTH
from solver.solve import DEFAULT_NODES
from solver.switches import CACHES, ORDERINGS, TERMINALS, Switches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

EXIT_CODES = """exit codes:
  0    solved, or the game is over already
  2    wrong usage or a malformed board; no file was touched
  3    a file could not be read or written
  130  interrupted
"""

MODULES = {
    "solve": "solver.cli.solve",
    "analyse": "solver.cli.analyse",
    "eval": "solver.cli.evaluate",
    "perft": "solver.cli.perft",
    "bench": "solver.cli.bench",
}


class Parser(argparse.ArgumentParser):
    """Reports mistakes the way everything here does, with the nearest option by name."""

    def __init__(self, *, examples: str, **options: object) -> None:
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            epilog=f"examples:\n{examples}\n{EXIT_CODES}",
            **options,  # type: ignore[arg-type]
        )

    def error(self, message: str) -> NoReturn:
        known = [name for action in self._actions for name in action.option_strings]
        words = [word.partition("=")[0] for word in message.split() if word.startswith("--")]
        hints = [did_you_mean(word, known) for word in words if word not in known]
        raise UserError(f"{message}.{''.join(hints)} Try '{self.prog} --help'.")


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    """The options of a command; without a command, those of `solve`."""
    if not argv or argv[0] in ("-h", "--help", "--version"):
        return _general().parse_args(argv or ["--help"])
    command = argv[0] if argv[0] in COMMANDS else "solve"
    words = argv[1:] if argv[0] in COMMANDS else argv
    parsers = {
        "solve": _solve,
        "analyse": _analyse,
        "eval": _eval,
        "perft": _perft,
        "bench": _bench,
    }
    arguments = parsers[command]().parse_args(words)
    if command == "solve":
        _settle_files(arguments)
    if command in ("solve", "analyse"):
        _settle_search(arguments)
    arguments.run = import_module(MODULES[command]).run
    return arguments


class _Version(argparse.Action):
    """Looks up how the solver was built only when asked."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from solver.cli.report import version

        print(version())
        parser.exit()


def _general() -> Parser:
    parser = Parser(
        prog="solver",
        usage="solver [solve] IN OUT [options]\n"
        "       solver analyse|eval|perft|bench ... (each has its own --help)",
        description="Reads a board, writes the board after the best move.\n\n"
        "  solve    the best move, or the whole line to the end\n"
        "  analyse  what the search thinks, depth by depth, and the best moves\n"
        "  eval     what a heuristic sees in a position, term by term\n"
        "  perft    count move sequences, to test a move generator\n"
        "  bench    one node count for this version of the search, and its speed",
        examples="  solver board.txt answer.txt\n"
        "  solver --inputfile board.txt --outputfile answer.txt\n"
        "  solver analyse board.txt --lines 3\n",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="version, compiled or not")
    return parser


def _solve() -> Parser:
    parser = Parser(
        prog="solver solve",
        description="Read a board, write the board after the best move.",
        examples="  solver board.txt answer.txt\n"
        "  solver solve board.txt - --depth 8 --heuristic centre -v\n"
        "  solver solve board.txt line.txt --line\n"
        "  echo 'B:W18,24:B1,K5' | solver solve - -\n",
    )
    parser.add_argument("input", nargs="?", metavar="IN", help="board file, - for standard input")
    parser.add_argument(
        "output", nargs="?", metavar="OUT", help="where to write, - for standard output (default)"
    )
    parser.add_argument("--inputfile", metavar="IN", help="the same as IN")
    parser.add_argument("--outputfile", metavar="OUT", help="the same as OUT")
    parser.add_argument(
        "--line", action="store_true", help="write every board to the end of the game"
    )
    parser.add_argument("--stats", metavar="FILE", help="write what was found and its cost as JSON")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell move, value and effort")
    parser.add_argument(
        "--format", type=_one_of("board", "fen"), help="board or fen (default: as the input)"
    )
    _add_search_options(parser)
    _add_board_options(parser)
    return parser


def _analyse() -> Parser:
    parser = Parser(
        prog="solver analyse",
        description="Show what the search finds at every depth, then the best moves.",
        examples="  solver analyse board.txt --lines 3\n"
        "  solver analyse board.txt --depth 10 --ordering none --cache none\n",
    )
    parser.add_argument("input", metavar="FILE", help="board file, - for standard input")
    parser.add_argument(
        "--lines", type=_number(1), default=1, metavar="N", help="how many moves to compare"
    )
    _add_search_options(parser)
    _add_board_options(parser)
    return parser


def _eval() -> Parser:
    parser = Parser(
        prog="solver eval",
        description="Show what a heuristic sees in a position, term by term.",
        examples="  solver eval board.txt --heuristic six-regions\n"
        "  solver eval board.txt --heuristic my.py:evaluate\n",
    )
    parser.add_argument("input", metavar="FILE", help="board file, - for standard input")
    _add_heuristic(parser)
    _add_board_options(parser)
    return parser


def _perft() -> Parser:
    parser = Parser(
        prog="solver perft",
        description="Count the move sequences of each length.",
        examples="  solver perft --depth 6\n  solver perft board.txt --depth 4 --divide --unique\n",
    )
    parser.add_argument(
        "input", nargs="?", metavar="FILE", help="board file (default: the start position)"
    )
    parser.add_argument("--depth", type=_number(1, MAX_DEPTH), required=True, metavar="N")
    parser.add_argument("--divide", action="store_true", help="the count of every first move")
    parser.add_argument(
        "--unique", action="store_true", help="count moves to the same position as one"
    )
    _add_board_options(parser)
    return parser


def _bench() -> Parser:
    parser = Parser(
        prog="solver bench",
        description="Search fixed boards to fixed depths. The sum of the nodes identifies the "
        "behaviour\nof the search; with --speed, the time it takes on this machine.",
        examples="  solver bench\n  solver bench --speed\n",
    )
    parser.add_argument("--speed", action="store_true", help="measure nodes per second as well")
    return parser


def _add_search_options(parser: Parser) -> None:
    limits = parser.add_argument_group(
        "limits", f"The default is {DEFAULT_NODES} nodes: the same answer every time."
    )
    limits.add_argument("--depth", type=_number(1, MAX_DEPTH), metavar="N", help="plies")
    limits.add_argument("--nodes", type=_number(1), metavar="N", help="positions to visit")
    limits.add_argument("--time", type=_seconds, metavar="S", help="seconds")
    how = parser.add_argument_group("techniques")
    _add_heuristic(how)
    for option, known, default in (
        ("--ordering", ORDERINGS, "learned"),
        ("--cache", CACHES, "sound"),
    ):
        about = "; ".join(f"{name}: {text}" for name, text in known.items())
        how.add_argument(option, type=_one_of(*known), default=default, metavar="NAME", help=about)
    how.add_argument(
        "--terminal",
        type=_one_of(*TERMINALS),
        default="distance",
        metavar="NAME",
        help="what a win is worth: distance (1000000 - plies) or depth-ratio "
        "(100000 // (plies + 1))",
    )
    how.add_argument("--no-alpha-beta", action="store_true", help="plain minimax")
    how.add_argument("--no-deepening", action="store_true", help="search --depth at once")
    how.add_argument("--no-extension", action="store_true", help="evaluate in mid-exchange")


def _add_heuristic(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--heuristic", metavar="NAME", help="by name, or your own as FILE.py:FUNCTION"
    )


def _add_board_options(parser: Parser) -> None:
    parser.add_argument(
        "--strict", action="store_true", help="refuse boards that would be mended with a warning"
    )
    parser.add_argument(
        "--notation",
        type=_one_of("pdn", "squares"),
        default="pdn",
        metavar="NAME",
        help="names of moves: pdn (11-15, default) or squares (e3-f4)",
    )


def _settle_files(arguments: argparse.Namespace) -> None:
    """Input and output, from whichever of the two calling styles."""
    if arguments.inputfile is not None and arguments.input is not None:
        raise UserError("The input is given twice, by place and by --inputfile.")
    if arguments.outputfile is not None and arguments.output is not None:
        raise UserError("The output is given twice, by place and by --outputfile.")
    arguments.input = arguments.input if arguments.inputfile is None else arguments.inputfile
    arguments.output = arguments.output if arguments.outputfile is None else arguments.outputfile
    if arguments.input is None:
        raise UserError("Which board? Try 'solver board.txt answer.txt' or 'solver --help'.")
    if arguments.output is None:
        arguments.output = "-"


def _settle_search(arguments: argparse.Namespace) -> None:
    """Limits and switches as the values that the search takes."""
    depth, nodes, seconds = arguments.depth, arguments.nodes, arguments.time
    if depth is None and nodes is None and seconds is None:
        nodes = DEFAULT_NODES
    if arguments.no_deepening and depth is None:
        raise UserError("--no-deepening needs a --depth to search.")
    arguments.limits = Limits(depth, nodes, seconds)
    arguments.switches = Switches(
        alpha_beta=not arguments.no_alpha_beta,
        ordering=arguments.ordering,
        cache=arguments.cache,
        deepening=not arguments.no_deepening,
        extension=not arguments.no_extension,
        terminal=arguments.terminal,
    )


def _one_of(*known: str) -> Callable[[str], str]:
    def check(word: str) -> str:
        if word not in known:
            hint = did_you_mean(word, list(known))
            raise argparse.ArgumentTypeError(
                f"{word!r} is not one of {', '.join(known)}.{hint}".rstrip(".")
            )
        return word

    return check


def _number(least: int, most: int | None = None) -> Callable[[str], int]:
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
