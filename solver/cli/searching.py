"""The options of commands that search: limits, heuristic, techniques."""

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
from solver.techniques import REMOVABLE, TECHNIQUES, Techniques, names_in

MOST_MEGABYTES = 1 << 20


def add_limited_search(parser: Parser) -> None:
    """For commands that search as usual: limits, a heuristic and the board."""
    limits = parser.add_argument_group(
        "limits", f"The default is {DEFAULT_NODES} nodes: the same answer every time."
    )
    limits.add_argument(
        "--depth", type=number(1, MAX_DEPTH), metavar="N", help="plies; skips all proofs"
    )
    limits.add_argument("--nodes", type=number(1), metavar="N", help="positions to visit")
    limits.add_argument("--time", type=amount("seconds"), metavar="S", help="seconds")
    add_heuristic(parser)
    add_board_options(parser)
    add_notation(parser)
    parser.set_defaults(techniques=Techniques(), hash=None, tables="")


def add_solving_options(parser: Parser) -> None:
    """For commands on which every technique can be chosen."""
    add_limited_search(parser)
    group = parser.add_argument_group("techniques")
    add_techniques(group, Techniques(), ("ordering", "cache", "terminal"))
    group.add_argument(
        "--hash",
        type=number(1, MOST_MEGABYTES),
        metavar="MB",
        help=f"memory for the cache, and for proofs (default: {MEGABYTES})",
    )
    group.add_argument(
        "--tables",
        default="",
        metavar="FILE",
        help="endgame tables by 'solver endgame build' (default: those of up to four pieces that "
        "come with checkers)",
    )


class Change(argparse.Action):
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
    group: argparse._ActionsContainer, default: Techniques, choices: tuple[str, ...]
) -> None:
    """Which techniques to leave out, and what to choose where there is a choice."""
    about = "; ".join(f"{name}: {TECHNIQUES[name].about}" for name in REMOVABLE)
    group.add_argument(
        "--without",
        action=Change,
        type=check_names,
        dest="techniques",
        metavar="NAME[,NAME...]",
        help=f"techniques to leave out: {about}",
    )
    for name in choices:
        known = TECHNIQUES[name].choices
        texts = "; ".join(f"{each}: {text}" for each, text in known.items())
        group.add_argument(
            f"--{name}",
            action=Change,
            type=one_of(*known),
            dest="techniques",
            metavar="NAME",
            help=f"{texts} (default: {default.values[name]})",
        )


def check_names(names: str) -> str:
    names_in(names)
    return names


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
    techniques: Techniques = arguments.techniques.changed(megabytes=arguments.hash or 0)
    if depth is None and nodes is None and seconds is None:
        nodes = DEFAULT_NODES
    if depth is None and not techniques.has("deepening"):
        raise UserError("--without deepening needs a --depth to search.")
    if arguments.tables and not techniques.has("tables"):
        raise UserError("--tables FILE is not allowed with --without tables.")
    limits = Limits(depth, nodes, seconds)
    return Request(limits, techniques, arguments.heuristic, arguments.tables)
