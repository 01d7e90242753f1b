"""`solver agent`: plays Two Flags on a server."""

from __future__ import annotations

import sys
from argparse import Namespace
from functools import partial
from pathlib import Path

import solver
from solver.cli import guarded
from solver.cli.console import tell
from solver.cli.files import write_file
from solver.cli.options import (
    LOOPBACK,
    Parser,
    amount,
    choose_heuristic,
    number,
    one_of,
    parse_host,
)
from solver.cli.play import play_agent
from solver.errors import FileError, UserError, counted
from solver.games import GAMES
from solver.games.agent import Agent, SearchingAgent, load_agent
from solver.games.puzzle import start_puzzle
from solver.games.solve import find_heuristic
from solver.games.twoflags.net.client import Client, Connection, GamePlayed
from solver.games.twoflags.net.conversation import Conversation
from solver.games.twoflags.net.protocol import DIALECTS
from solver.games.twoflags.solved import open_solved
from solver.play.ponderer import Ponderer
from solver.search.techniques import PLAYING, Techniques

KIT = Path(solver.__file__).parent / "games/agent_kit"


def make_parser() -> Parser:
    parser = Parser(
        "agent",
        "Play Two Flags on a server, as many games as it offers, in either colour.",
        "  solver agent\n"
        "  solver agent --player my_agent.py:MyAgent\n"
        "  solver agent --host 127.0.0.1 --dialect seed --move-time 0.5 --no-ponder\n",
        {
            0: "the games were played to their end, won or lost",
            3: "no connection",
            4: "the server broke off, fell silent or sent invalid messages during a game",
        },
    )
    add = parser.option
    parser.section("network")
    add("--host NAME", "", parse_host, LOOPBACK)
    add("--port N", "", number(1, 65535), 9999)
    about = f"{', '.join(DIALECTS)}, or auto: by what the server says"
    add("--dialect NAME", about, one_of("auto", *DIALECTS), "auto")
    about = "how our messages end: newline, or none for servers that cannot read lines"
    add("--framing NAME", about, one_of("newline", "none"), "newline")
    add("--patience S", "how long a server may be silent", amount("seconds"), 600.0)
    parser.section("play")
    add("--player FILE.py:CLASS", "your own subclass of solver.Agent", load_agent)
    about = "seconds for a move (default: a share of the server's time, or 1)"
    add("--move-time S", about, amount("seconds"))
    about = "a proof made by 'solver proof write' (default: those that come with Two Flags)"
    add("--tables FILE", about, default="", rare=True)
    add("--no-ponder", "do not think in the opponent's time")
    add("-q --quiet", "print no moves")
    parser.add_heuristic("twoflags")
    return parser


def run_own(player: type[Agent]) -> None:
    """Let an agent play, as the last line of its program: `my.py HOST PORT`, or with the options of
    `solver agent`, on a server; `my.py` in the terminal against a person."""
    raise SystemExit(guarded(sys.argv[0], partial(_play_own, player), sys.argv[1:]))


def _play_own(player: type[Agent], argv: list[str]) -> int:
    if not argv:
        return play_agent(player)
    if not argv[0].startswith("-"):
        argv = ["--host", argv[0], "--port", *argv[1:]]
    parser = make_parser()
    parser.set_defaults(player=player)
    return run(parser.parse_args(argv))


def run(arguments: Namespace) -> int:
    wanted = choose_heuristic(arguments.heuristic)
    _, evaluate = find_heuristic(start_puzzle("twoflags"), wanted)
    techniques = Techniques().changed(with_=PLAYING)
    exact = open_solved(arguments.tables)
    if arguments.player is None:
        exact.open()
    elif arguments.player.game != "twoflags":
        raise UserError("Only Two Flags is played on a server. Start your program without options.")
    ponders = not arguments.no_ponder
    make_agent = arguments.player or (
        lambda: SearchingAgent(Ponderer(evaluate, techniques, exact), ponders)
    )
    connection = Connection(arguments.host, arguments.port, arguments.framing == "newline")
    client = Client(
        connection,
        Conversation(arguments.dialect),
        make_agent,
        lambda event: None if arguments.quiet else tell(str(event)),
        move_seconds=arguments.move_time,
        patience=arguments.patience,
    )
    try:
        client.run()
    finally:
        connection.close()
        if client.games:
            print(summarise(client.games))
    return 0


def make_new_parser() -> Parser:
    parser = Parser(
        "new-agent",
        "Write a folder with a greedy agent, a minimax agent to be completed, a random opponent,\n"
        "a test, and a README with the next steps.",
        "  solver new-agent mine\n  solver new-agent mine --game checkers\n",
        {0: "written", 3: "the folder exists already, or cannot be written"},
    )
    parser.option("folder FOLDER", "a new folder")
    parser.option("--game NAME", "", one_of(*GAMES), "twoflags")
    return parser


def run_new(arguments: Namespace) -> int:
    folder = Path(arguments.folder)
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror}. Name a new folder.") from None
    for file in KIT.iterdir():
        text = file.read_text("utf-8").replace("twoflags", arguments.game)
        write_file(str(folder / file.stem), text)
    print(f"written: {folder}. Read {folder / 'README.md'}.")
    return 0


def summarise(games: list[GamePlayed]) -> str:
    moves = [move for game in games for move in game.moves]
    won, seconds = sum(game.won for game in games), sum(move.seconds for move in moves)
    played = f"{counted(len(games), 'game')}, {won} won"
    return f"{played}; {counted(len(moves), 'move')}, {seconds:.1f} s"
