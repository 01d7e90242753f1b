"""`solver server`: games of Two Flags between two programs, and their log."""

from __future__ import annotations

import argparse
import asyncio
import os
import stat
from contextlib import suppress
from dataclasses import fields
from functools import partial

from solver.cli.console import tell
from solver.cli.files import check_output, write_file
from solver.cli.options import Parser, amount, number, one_of, parse_host
from solver.errors import FileError, UserError
from solver.games.puzzle import read_text
from solver.games.twoflags import game
from solver.games.twoflags.net import server
from solver.games.twoflags.net.match import (
    MOST_PLIES,
    GameRecord,
    Openings,
    find_fault,
    fixed_opening,
    move_line,
    random_openings,
)
from solver.games.twoflags.net.protocol import DIALECTS

MOST_MINUTES = 10_000.0
MOST_SECONDS = 1_000_000.0
USUAL = server.ServerSettings()


def make_parser() -> Parser:
    parser = Parser(
        "server",
        "Let two programs play Two Flags over TCP. Every move is checked, both clocks run,\n"
        "and anybody may watch with a plain text client.",
        "  solver server\n"
        "  solver server --port 0 --games 10 --opening random:4 --log games.txt\n"
        "  solver server --dialect tournament,course --time 0.5 -v\n",
        {0: "the match is over, whatever its results", 3: "a file or a port could not be opened"},
    )
    add = parser.option
    parser.section("network")
    add("--host NAME", "where to listen", parse_host, USUAL.host)
    add("--port N", "for players; 0 takes any free one", number(0, 65535), USUAL.port)
    about = "for spectators (default: the one after --port)"
    add("--spectator-port N", about, number(0, 65535))
    about = (
        f"{', '.join(DIALECTS)}, or auto: by how the client behaves; two names with a comma are "
        "for the first and the second player (default: auto)"
    )
    add("--dialect NAME", about, _parse_dialects, USUAL.dialects, dest="dialects")
    about = (
        "seconds for a move in a game without clocks, and the most for an OK that never comes "
        "(default: 120; for an OK, 2)"
    )
    add("--patience S", about, amount("seconds", MOST_SECONDS), USUAL.patience)
    add("--forever", "after a match, wait for the next two players")
    add("-v --verbose", "print every move")
    parser.section("games")
    minutes = amount("minutes", MOST_MINUTES, zero=True)
    about = "minutes for each player and game; 0 for no clocks"
    add("--time M", about, minutes, USUAL.minutes, dest="minutes")
    about = "games of a match, with alternating colours (default: 1, or as the first player asks)"
    add("--games N", about, number(1, 1_000_000))
    about = "random:PLIES, anew for every two games, or a file with a position (default: the start)"
    add("--opening WHAT", about)
    add("--seed N", "of random openings", number(0), 0)
    about = "en-passant or no-en-passant (default: with it, unless both speak seed)"
    add("--variant NAME", about, one_of("en-passant", "no-en-passant"))
    add("--log FILE", "write all games there")
    return parser


def run(arguments: argparse.Namespace) -> int:
    log = None if arguments.log is None else GameLog(arguments.log)
    arguments.openings = _read_openings(arguments.opening, arguments.seed)
    names = [field.name for field in fields(server.ServerSettings)]
    settings = server.ServerSettings(**{name: getattr(arguments, name) for name in names})
    listener = partial(print_event, log=log, verbose=arguments.verbose)
    asyncio.run(server.Server(settings, listener).run())
    if log is not None and log.failure is not None:
        raise log.failure
    return 0


def _read_openings(wanted: str | None, seed: int) -> Openings | None:
    if wanted is None:
        return None
    kind, colon, plies = wanted.partition(":")
    if kind != "random" or not colon:
        position = game.read(read_text(wanted, wanted), wanted, strict=True).position
        if (fault := find_fault(position)) is not None:
            raise UserError(f"{wanted}: {fault}.")
        return fixed_opening(position)
    if not (plies.isascii() and plies.isdigit() and len(plies) < 4):
        raise UserError(f"--opening {wanted}: the number of plies is missing: random:4.")
    if int(plies) > MOST_PLIES:
        raise UserError(f"--opening {wanted}: at most {MOST_PLIES} plies.")
    openings = random_openings(int(plies), seed)
    openings(1)  # fails now and not when two players have come
    return openings


def _parse_dialects(word: str) -> tuple[str, str]:
    names = [one_of("auto", *DIALECTS)(name) for name in word.split(",")]
    if len(names) > 2:
        raise argparse.ArgumentTypeError(f"{word!r} names more than two dialects")
    return names[0], names[-1]


class GameLog:
    """The file with all games so far, written anew after each one."""

    def __init__(self, path: str) -> None:
        if path == "-":
            raise UserError("--log needs a file; standard output has the results.")
        if os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode):
            raise UserError(f"--log {path}: a pipe cannot hold a log; give a file.")
        check_output(path)
        self.path = path
        self.games = ""
        self.failure: FileError | None = None

    def add(self, game: str) -> None:
        """A full disk does not end the match."""
        self.games += game
        try:
            write_file(self.path, self.games)
            self.failure = None
        except FileError as error:
            self.failure = error
            tell(f"solver: {error}")


def print_event(event: server.Event, log: GameLog | None, verbose: bool) -> None:
    """Ports and results go to standard output, the rest to standard error; a closed pipe does
    not end the match."""
    text = note = ""
    match event:
        case server.Listening(host, port, spectator_port):
            text = f"listening on {host}:{port}\nspectators on {host}:{spectator_port}"
        case str():
            note = event
        case GameRecord(result=None, interrupted=False):
            note = f"game {event.number}: {event.white} is white, {event.black} is black"
        case server.MoveMade():
            note = move_line(*event)
        case GameRecord(result=result):
            if log is not None:
                log.add(str(event))
            text = (
                f"game {event.number}: {event.white} (white) - {event.black} (black): "
                f"{result or 'interrupted'}; plies: {len(event.moves)}"
            )
        case server.MatchFinished(wins):
            text = "score: " + ", ".join(f"{name} {won}" for name, won in wins.items())
    if note and verbose:
        tell(note)
    if text:
        with suppress(OSError):
            print(text, flush=True)
