"""`solver server`: lets two programs play Two Flags against each other."""

from __future__ import annotations

import argparse
import asyncio

from solver.cli.arguments import LOOPBACK, Parser, amount, number, one_of, parse_host
from solver.cli.files import read_text
from solver.cli.game_log import Log
from solver.cli.server_words import Teller
from solver.errors import UserError, did_you_mean
from solver.twoflags.net.openings import (
    MOST_PLIES,
    listed_openings,
    parse_openings,
    random_openings,
)
from solver.twoflags.net.protocol import DIALECTS
from solver.twoflags.net.server import Server
from solver.twoflags.net.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.twoflags.net.openings import Openings

SERVER_EXIT_CODES = """exit codes:
  0    the match is over, however its games have ended
  2    wrong usage or a malformed opening
  3    a file or a port could not be opened
  130  interrupted
"""
LEAST_MINUTES = 0.001  # less could not be told without an exponent
MOST_MINUTES = 10_000.0
MOST_SECONDS = 1_000_000.0


def make_parser() -> Parser:
    parser = Parser(
        command="server",
        about="Let two programs play Two Flags over TCP. Every move is checked, both clocks run,\n"
        "and anybody may watch with a plain text client.",
        examples="  solver server\n"
        "  solver server --port 0 --games 10 --opening random:4 --log games.txt\n"
        "  solver server --dialect tournament,course --time 0.5 -v\n",
        exit_codes=SERVER_EXIT_CODES,
    )
    _add_places(parser)
    _add_games(parser)
    return parser


def _add_places(parser: Parser) -> None:
    group = parser.add_argument_group("network")
    group.add_argument(
        "--host",
        type=parse_host,
        default=LOOPBACK,
        metavar="NAME",
        help=f"where to listen (default: {LOOPBACK})",
    )
    group.add_argument(
        "--port",
        type=number(0, 65535),
        default=9999,
        metavar="N",
        help="for players; 0 takes any free one (default: 9999)",
    )
    group.add_argument(
        "--spectator-port",
        type=number(0, 65535),
        metavar="N",
        help="for spectators (default: the one after --port)",
    )
    group.add_argument(
        "--dialect",
        type=_dialects,
        default=("auto", "auto"),
        metavar="NAME",
        help=f"{', '.join(DIALECTS)}, or auto: tell by how the client behaves; two "
        "names with a comma are for the first and the second player (default: auto)",
    )
    group.add_argument(
        "--patience",
        type=amount("seconds", MOST_SECONDS),
        default=120.0,
        metavar="S",
        help="seconds for a move in a game without clocks, and the most for an OK that never "
        "comes (default: 120; for an OK, 2)",
    )
    group.add_argument(
        "--forever", action="store_true", help="after a match, wait for the next two players"
    )
    group.add_argument("-v", "--verbose", action="store_true", help="tell every move")


def _add_games(parser: Parser) -> None:
    group = parser.add_argument_group("games")
    group.add_argument(
        "--time",
        type=amount("minutes", MOST_MINUTES, least=LEAST_MINUTES, zero=True),
        default=5.0,
        metavar="M",
        help="minutes for each player and game; 0 for no clocks (default: 5)",
    )
    group.add_argument(
        "--games",
        type=number(1, 1_000_000),
        metavar="N",
        help="games of a match, with alternating colours (default: 1, or as the first player asks)",
    )
    group.add_argument(
        "--opening",
        metavar="WHAT",
        help="random:PLIES, or a file with a board or with a Setup on each line; for two games "
        "each (default: the start)",
    )
    group.add_argument(
        "--seed", type=number(0), default=0, metavar="N", help="of random openings (default: 0)"
    )
    group.add_argument(
        "--variant",
        type=one_of("en-passant", "no-en-passant"),
        metavar="NAME",
        help="en-passant or no-en-passant (default: with it, unless both speak seed)",
    )
    group.add_argument(
        "--relay", action="store_true", help="pass moves on unchecked, and without clocks"
    )
    group.add_argument(
        "--log", metavar="FILE", help="write all games there, or one file a match into a folder"
    )


def run(arguments: argparse.Namespace) -> int:
    log = None if arguments.log is None else Log(arguments.log)
    settings = Settings(
        host=arguments.host,
        port=arguments.port,
        spectator_port=arguments.spectator_port,
        dialects=arguments.dialect,
        minutes=arguments.time,
        games=arguments.games,
        openings=_openings(arguments.opening, arguments.seed),
        variant=arguments.variant,
        relay=arguments.relay,
        patience=arguments.patience,
        forever=arguments.forever,
    )
    asyncio.run(Server(settings, Teller(arguments.verbose, log)).run())
    if log is not None:
        log.check()
    return 0


def _openings(wanted: str | None, seed: int) -> Openings | None:
    if wanted is None:
        return None
    kind, colon, plies = wanted.partition(":")
    if kind == "random" and colon:
        if not (plies.isascii() and plies.isdigit() and len(plies) < 4):
            raise UserError(f"--opening {wanted}: the number of plies is missing: random:4.")
        if int(plies) > MOST_PLIES:
            raise UserError(f"--opening {wanted}: at most {MOST_PLIES} plies.")
        openings = random_openings(int(plies), seed)
        openings(1)  # fails now and not when two players have come
        return openings
    return listed_openings(parse_openings(read_text(wanted, wanted), wanted))


def _dialects(word: str) -> tuple[str, str]:
    known = ["auto", *DIALECTS]
    names = word.split(",")
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(known)}.{hint}")
    if len(names) > 2:
        raise argparse.ArgumentTypeError(f"{word!r} names more than two dialects")
    return names[0], names[-1]
