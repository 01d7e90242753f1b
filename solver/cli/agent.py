"""`solver agent`: plays Two Flags on a server."""

from __future__ import annotations

from argparse import Namespace
from statistics import fmean

from solver.cli.console import tell
from solver.cli.files import check_output, write_file
from solver.cli.options import (
    LOOPBACK,
    Parser,
    amount,
    choose_heuristic,
    number,
    one_of,
    parse_host,
)
from solver.errors import counted
from solver.games import game_named
from solver.games.puzzle import start_puzzle
from solver.games.solve import find_heuristic
from solver.games.twoflags.net.client import Agent, Connection, GamePlayed
from solver.games.twoflags.net.conversation import Conversation
from solver.games.twoflags.net.protocol import DIALECTS
from solver.play.ponderer import Ponderer
from solver.search.techniques import Techniques


def make_parser() -> Parser:
    parser = Parser(
        "agent",
        "Play Two Flags on a server, as many games as it offers, in either colour.",
        "  solver agent\n"
        "  solver agent --port 9999 --report games.md\n"
        "  solver agent --host 127.0.0.1 --dialect seed --move-time 0.5 --no-ponder\n",
        {
            0: "the games were played to their end, won or lost",
            3: "no connection, or the report cannot be written",
            4: "the server broke off, fell silent or sent invalid messages during a game",
        },
    )
    add = parser.option
    parser.section("network")
    add("--host NAME", "", parse_host, LOOPBACK)
    add("--port N", "", number(1, 65535), 9999)
    about = f"{', '.join(DIALECTS)}, or auto: by what the server says"
    add("--dialect NAME", about, one_of("auto", *DIALECTS), "auto")
    add("--patience S", "how long a server may be silent", amount("seconds"), 600.0)
    parser.section("play")
    about = "en-passant or no-en-passant (default: as is usual in the dialect)"
    add("--variant NAME", about, one_of("en-passant", "no-en-passant"))
    about = "seconds for a move (default: a share of the server's time, or 1)"
    add("--move-time S", about, amount("seconds"))
    about = "a proof made by 'solver proof write' (default: those that come with Two Flags)"
    add("--tables FILE", about, default="", rare=True)
    add("--no-ponder", "do not think in the opponent's time")
    add("--report FILE.md", "write depths, node counts and times of all moves")
    add("-q --quiet", "print no moves")
    parser.add_heuristic("twoflags")
    return parser


def run(arguments: Namespace) -> int:
    if arguments.report is not None:
        check_output(arguments.report)
    wanted = choose_heuristic(arguments.heuristic)
    heuristic, evaluate = find_heuristic(start_puzzle("twoflags"), wanted)
    techniques = Techniques()
    exact = game_named("twoflags").tables(arguments.tables)
    variant = "" if arguments.variant == "en-passant" else arguments.variant
    connection = Connection(arguments.host, arguments.port)
    agent = Agent(
        connection,
        Conversation(arguments.dialect, variant),
        lambda: Ponderer(evaluate, techniques, exact),
        lambda event: None if arguments.quiet else tell(str(event)),
        move_seconds=arguments.move_time,
        ponders=not arguments.no_ponder,
        patience=arguments.patience,
    )
    try:
        agent.run()
    finally:
        connection.close()
        if arguments.report is not None:
            write_file(arguments.report, render_report(agent.games, heuristic, techniques))
        if agent.games:
            print(GamesSummary(agent.games))
    return 0


class GamesSummary:
    """All games in a few numbers; depths and branching of moves that were not forced."""

    def __init__(self, games: list[GamePlayed]) -> None:
        moves = [move for game in games for move in game.moves]
        thought = [move for move in moves if move.choices > 1]
        self.games = f"{counted(len(games), 'game')}, {sum(game.won for game in games)} won"
        self.moves = len(moves)
        self.depths = [move.depth for move in thought] or [0]
        self.nodes = sum(move.nodes for move in moves)
        self.seconds = sum(move.seconds for move in moves)
        self.choices = fmean([move.choices for move in moves] or [0])
        self.branching = fmean([m.branching for m in thought if m.branching is not None] or [0])

    def __str__(self) -> str:
        return (
            f"{self.games}; {counted(self.moves, 'move')}, mean depth {fmean(self.depths):.1f}, "
            f"{self.nodes} nodes, {self.seconds:.1f} s"
        )


def render_report(games: list[GamePlayed], heuristic: str, switches: Techniques) -> str:
    """What a course asks for, in Markdown: depths, branching, time, and the techniques."""
    total = GamesSummary(games)
    rows = [
        ("games", total.games),
        ("moves", total.moves),
        ("search depth, least", min(total.depths)),
        ("search depth, average", f"{fmean(total.depths):.2f}"),
        ("search depth, most", max(total.depths)),
        ("branching factor of the game (legal moves)", f"{total.choices:.2f}"),
        ("effective branching factor", f"{total.branching:.2f}"),
        ("positions visited", total.nodes),
        ("seconds used", f"{total.seconds:.2f}"),
        ("heuristic", heuristic),
        *switches.values.items(),
    ]
    parts = ["# Games", "", "| | |", "|---|---|"]
    parts += [f"| {name} | {value} |" for name, value in rows]
    for number_, game in enumerate(games, 1):
        result = "unfinished" if not game.ending.winner else "won" if game.won else "lost"
        parts += ["", f"## Game {number_}: {game.colour}, {result}", ""]
        parts += [f"{game.ending}. Dialect: {game.dialect or 'unknown'}.", ""]
        parts += ["```text", *map(str, game.moves), "```"]
    return "\n".join(parts) + "\n"
