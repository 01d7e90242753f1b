"""`solver server`: lets two programs play Two Flags against each other."""

from __future__ import annotations

import argparse
import asyncio
import os
import stat
import time
from contextlib import suppress

from solver.cli.console import tell
from solver.cli.files import check_output, write_text
from solver.cli.options import LOOPBACK, Parser, amount, number, one_of, parse_host
from solver.errors import FileError, UserError, did_you_mean
from solver.games.puzzle import read_text
from solver.games.twoflags.net import server
from solver.games.twoflags.net.protocol import DIALECTS
from solver.games.twoflags.net.record import move_line
from solver.games.twoflags.net.referee import (
    MOST_PLIES,
    listed_openings,
    parse_openings,
    random_openings,
)
from solver.games.twoflags.net.server import Server, ServerSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.games.twoflags.net.referee import Openings

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
    add = parser.add_argument_group("network").add_argument
    about = f"where to listen (default: {LOOPBACK})"
    add("--host", type=parse_host, default=LOOPBACK, metavar="NAME", help=about)
    about = "for players; 0 takes any free one (default: 9999)"
    add("--port", type=number(0, 65535), default=9999, metavar="N", help=about)
    about = "for spectators (default: the one after --port)"
    add("--spectator-port", type=number(0, 65535), metavar="N", help=about)
    about = (
        f"{', '.join(DIALECTS)}, or auto: by how the client behaves; two names with a comma are "
        "for the first and the second player (default: auto)"
    )
    add("--dialect", type=_parse_dialects, default=("auto", "auto"), metavar="NAME", help=about)
    about = (
        "seconds for a move in a game without clocks, and the most for an OK that never comes "
        "(default: 120; for an OK, 2)"
    )
    seconds = amount("seconds", MOST_SECONDS)
    add("--patience", type=seconds, default=120.0, metavar="S", help=about)
    add("--forever", action="store_true", help="after a match, wait for the next two players")
    add("-v", "--verbose", action="store_true", help="print every move")
    add = parser.add_argument_group("games").add_argument
    about = "minutes for each player and game; 0 for no clocks (default: 5)"
    minutes = amount("minutes", MOST_MINUTES, least=LEAST_MINUTES, zero=True)
    add("--time", type=minutes, default=5.0, metavar="M", help=about)
    about = "games of a match, with alternating colours (default: 1, or as the first player asks)"
    add("--games", type=number(1, 1_000_000), metavar="N", help=about)
    about = (
        "random:PLIES, or a file with a board or with a Setup on each line; for two games each "
        "(default: the start)"
    )
    add("--opening", metavar="WHAT", help=about)
    add("--seed", type=number(0), default=0, metavar="N", help="of random openings (default: 0)")
    about = "en-passant or no-en-passant (default: with it, unless both speak seed)"
    add("--variant", type=one_of("en-passant", "no-en-passant"), metavar="NAME", help=about)
    add("--relay", action="store_true", help="pass moves on unchecked, and without clocks")
    about = "write all games there, or one file per match into a folder"
    add("--log", metavar="FILE", help=about)
    return parser


def run(arguments: argparse.Namespace) -> int:
    log = None if arguments.log is None else GameLog(arguments.log)
    settings = ServerSettings(
        host=arguments.host,
        port=arguments.port,
        spectator_port=arguments.spectator_port,
        dialects=arguments.dialect,
        minutes=arguments.time,
        games=arguments.games,
        openings=_read_openings(arguments.opening, arguments.seed),
        variant=arguments.variant,
        relay=arguments.relay,
        patience=arguments.patience,
        forever=arguments.forever,
    )
    asyncio.run(Server(settings, ServerConsole(arguments.verbose, log)).run())
    if log is not None and log.failure is not None:
        raise log.failure
    return 0


def _read_openings(wanted: str | None, seed: int) -> Openings | None:
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


def _parse_dialects(word: str) -> tuple[str, str]:
    known = ["auto", *DIALECTS]
    names = word.split(",")
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(known)}.{hint}")
    if len(names) > 2:
        raise argparse.ArgumentTypeError(f"{word!r} names more than two dialects")
    return names[0], names[-1]


class GameLog:
    """The file with all games so far, written anew after each one; or a folder, where every
    match has a file of its own."""

    def __init__(self, path: str) -> None:
        if path == "-":
            raise UserError("--log needs a file or a folder; standard output has the results.")
        if os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode):
            raise UserError(f"--log {path}: a pipe cannot hold a log; give a file or a folder.")
        self.folder = path if os.path.isdir(path) else ""
        self.path = path
        self.games = ""
        self.failure: FileError | None = None
        self.started = time.strftime("%Y%m%d-%H%M%S")
        self.matches = 0
        self.next_match()
        check_output(self.path)

    def next_match(self) -> None:
        if self.folder:
            self.matches += 1
            self.games = ""
            self.path = os.path.join(self.folder, f"match-{self.started}-{self.matches:04d}.txt")

    def add(self, game: str) -> None:
        """A full disk does not end the match: the players cannot help it."""
        self.games += game
        try:
            write_text(self.path, self.games)
            self.failure = None
        except FileError as error:
            self.failure = error
            tell(f"solver: {error}")


class ServerConsole:
    """Prints what happens: ports and results on standard output, the rest on standard error."""

    def __init__(self, verbose: bool, log: GameLog | None) -> None:
        self.verbose = verbose
        self.log = log

    def __call__(self, event: server.Event) -> None:
        match event:
            case server.Listening(host, port, spectator_port):
                _print(f"listening on {host}:{port}")
                _print(f"spectators on {host}:{spectator_port}")
            case server.GameFinished(record):
                if self.log is not None:
                    self.log.add(str(record))
                _print(
                    f"game {record.number}: {record.white} (white) - {record.black} (black): "
                    f"{record.result}; plies: {len(record.moves)}"
                )
            case server.MatchFinished(names, wins, ratings):
                _print(f"score: {names[0]} {wins[0]}, {names[1]} {wins[1]}")
                _print(f"Elo: {names[0]} {ratings[0]:.1f}, {names[1]} {ratings[1]:.1f}")
                if self.log is not None:
                    self.log.next_match()
            case _ if self.verbose:
                tell(describe_event(event))


def _print(line: str) -> None:
    """A closed pipe does not end the match: the players cannot help it."""
    with suppress(OSError):
        print(line, flush=True)


def describe_event(event: server.Event) -> str:
    match event:
        case server.PlayerSeated(name, dialect):
            return f"{name} has come and speaks {dialect}"
        case server.Departed(name, reason):
            return f"{name} has gone: {reason}"
        case server.TurnedAway(address):
            return f"turned away: {address}"
        case server.GameStarted(record):
            return f"game {record.number}: {record.white} is white, {record.black} is black"
        case server.MoveMade(ply, move, clocks):
            return move_line(ply, move, clocks)
    return str(event)
