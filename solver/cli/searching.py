"""The options of whatever searches: limits, heuristic, techniques."""

from __future__ import annotations

import argparse

from solver.cli.arguments import Parser, amount, number, one_of
from solver.cli.boards import add_board_options, add_notation
from solver.cli.request import Request
from solver.errors import UserError
from solver.games import GAMES, game_named
from solver.limits import Limits
from solver.score import MAX_DEPTH
from solver.solve import DEFAULT_NODES
from solver.table import MEGABYTES
from solver.techniques import CACHES, ORDERINGS, TERMINALS, Techniques

MOST_MEGABYTES = 1 << 20
MOST_THREADS = 256


def add_solving_options(parser: Parser) -> None:
    """All options of a command that reads a board and solves it."""
    _add_search_options(parser)
    add_board_options(parser)
    add_notation(parser)


def add_threads(parser: Parser) -> None:
    """For commands that search one position at a time, to a fixed depth."""
    parser.add_argument(
        "--threads",
        type=number(1, MOST_THREADS),
        default=1,
        metavar="N",
        help="processes that search together; needs --depth, and gives the same answer",
    )


def check_threads(arguments: argparse.Namespace) -> None:
    if arguments.threads == 1:
        return
    if arguments.depth is None:
        raise UserError("--threads needs a --depth: then it gives the answer of one process.")
    if arguments.nodes is not None:
        raise UserError("--threads cannot keep to --nodes; --depth and --time are heeded.")


def _add_search_options(parser: Parser) -> None:
    limits = parser.add_argument_group(
        "limits", f"The default is {DEFAULT_NODES} nodes: the same answer every time."
    )
    limits.add_argument(
        "--depth", type=number(1, MAX_DEPTH), metavar="N", help="plies; skips all proofs"
    )
    limits.add_argument("--nodes", type=number(1), metavar="N", help="positions to visit")
    limits.add_argument("--time", type=amount("seconds"), metavar="S", help="seconds")
    how = add_techniques(parser, GAMES)
    how.add_argument("--no-deepening", action="store_true", help="search --depth at once")
    tables = how.add_mutually_exclusive_group()
    tables.add_argument("--no-tables", action="store_true", help="search endings like all else")
    tables.add_argument(
        "--tables",
        default="",
        metavar="FILE",
        help="endgame tables by 'solver endgame build' (default: those of up to four pieces that "
        "come with checkers)",
    )


def add_techniques(parser: Parser, games: tuple[str, ...]) -> argparse._ArgumentGroup:
    """The techniques of the search, and the heuristics of these games."""
    how = parser.add_argument_group("techniques")
    add_heuristic(how, games)
    add_remembering(how, "learned", "sound")
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
    how.add_argument("--no-aspiration", action="store_true", help="an open window at the root")
    how.add_argument(
        "--no-win-bounds", action="store_true", help="look even for wins that come too late"
    )
    how.add_argument(
        "--no-transposition-cuts",
        action="store_true",
        help="ask the cache about a child only when its turn has come",
    )
    how.add_argument(
        "--hash",
        type=number(1, MOST_MEGABYTES),
        metavar="MB",
        help=f"memory for the cache, and for proofs (default: {MEGABYTES})",
    )
    how.add_argument("--no-extension", action="store_true", help="evaluate in mid-exchange")
    return how


def add_remembering(
    parser: argparse._ActionsContainer, ordering: str | None = None, cache: str | None = None
) -> None:
    """The two techniques of which there are several kinds; the default may be left open."""
    for option, known, default in (
        ("--ordering", ORDERINGS, ordering),
        ("--cache", CACHES, cache),
    ):
        about = "; ".join(f"{name}: {text}" for name, text in known.items())
        parser.add_argument(
            option,
            type=one_of(*known),
            default=default,
            metavar="NAME",
            help=f"{about} (default: {default or 'none'})",
        )


def add_heuristic(parser: argparse._ActionsContainer, game_names: tuple[str, ...] = GAMES) -> None:
    games = [game_named(name) for name in game_names]
    about = "; ".join(
        f"{name}: {text}" for game in games for name, text in game.heuristics().items()
    )
    defaults = ", ".join(game.DEFAULT_HEURISTIC for game in games)
    parser.add_argument(
        "--heuristic",
        metavar="NAME",
        help=f"{about}; or your own as FILE.py:FUNCTION (default: {defaults})",
    )


def requested(arguments: argparse.Namespace) -> Request:
    """What the search options ask for."""
    depth, nodes, seconds = arguments.depth, arguments.nodes, arguments.time
    if depth is None and nodes is None and seconds is None:
        nodes = DEFAULT_NODES
    if arguments.no_deepening and depth is None:
        raise UserError("--no-deepening needs a --depth to search.")
    return Request(
        Limits(depth, nodes, seconds),
        chosen_techniques(
            arguments,
            deepening=not arguments.no_deepening,
            tables=not arguments.no_tables,
        ),
        arguments.heuristic,
        arguments.tables,
        getattr(arguments, "threads", 1),
    )


def chosen_techniques(
    arguments: argparse.Namespace,
    *,
    deepening: bool = True,
    tables: bool = True,
) -> Techniques:
    """What the techniques ask for."""
    return Techniques(
        alpha_beta=not arguments.no_alpha_beta,
        scouts=not arguments.no_scouts,
        aspiration=not arguments.no_aspiration,
        win_bounds=not arguments.no_win_bounds,
        transposition_cuts=not arguments.no_transposition_cuts,
        ordering=arguments.ordering,
        cache=arguments.cache,
        deepening=deepening,
        extension=not arguments.no_extension,
        tables=tables,
        terminal=arguments.terminal,
        megabytes=arguments.hash or MEGABYTES,
    )
