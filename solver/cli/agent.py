"""`solver agent`: plays Two Flags on a server."""

from __future__ import annotations

from solver.cli.agent_report import report, summary_lines
from solver.cli.arguments import LOOPBACK, Parser, amount, number, one_of, parse_host
from solver.cli.files import check_output, write_text
from solver.cli.puzzle import start_puzzle
from solver.cli.searching import add_heuristic
from solver.cli.words import tell
from solver.play.ponderer import Ponderer
from solver.techniques import Techniques
from solver.twoflags.net.agent import Agent, Settings
from solver.twoflags.net.connection import Connection
from solver.twoflags.net.protocol import DIALECTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

AGENT_EXIT_CODES = """exit codes:
  0    the games were played to their end, won or lost
  2    wrong usage
  3    no connection, or the report cannot be written
  4    the server broke off, fell silent or made no sense in mid-game
  130  interrupted
"""


def make_parser() -> Parser:
    parser = Parser(
        command="agent",
        about="Play Two Flags on a server, as many games as it offers, in either colour.",
        examples="  solver agent\n"
        "  solver agent --port 9999 --report games.md\n"
        "  solver agent --host 127.0.0.1 --dialect seed --move-time 0.5 --no-ponder\n",
        exit_codes=AGENT_EXIT_CODES,
    )
    network = parser.add_argument_group("network")
    network.add_argument(
        "--host", type=parse_host, default=LOOPBACK, metavar="NAME", help=f"(default: {LOOPBACK})"
    )
    network.add_argument(
        "--port", type=number(1, 65535), default=9999, metavar="N", help="(default: 9999)"
    )
    network.add_argument(
        "--dialect",
        type=one_of("auto", *DIALECTS),
        default="auto",
        metavar="NAME",
        help=f"{', '.join(DIALECTS)}, or auto: tell by what the server says (default: auto)",
    )
    network.add_argument(
        "--name", default="", metavar="NAME", help="for the report; the protocol has no names"
    )
    network.add_argument(
        "--patience",
        type=amount("seconds"),
        default=600.0,
        metavar="S",
        help="how long a server may be silent (default: 600)",
    )
    play = parser.add_argument_group("play")
    play.add_argument(
        "--variant",
        type=one_of("en-passant", "no-en-passant"),
        metavar="NAME",
        help="en-passant or no-en-passant (default: as is usual in the dialect)",
    )
    play.add_argument(
        "--move-time",
        type=amount("seconds"),
        metavar="S",
        help="seconds for a move (default: a share of the server's time, or 1)",
    )
    play.add_argument("--no-ponder", action="store_true", help="rest while the opponent thinks")
    play.add_argument("--report", metavar="FILE.md", help="write what the games have cost")
    play.add_argument("-q", "--quiet", action="store_true", help="tell no moves")
    add_heuristic(play, ("twoflags",))
    return parser


def run(arguments: Namespace) -> int:
    if arguments.report is not None:
        check_output(arguments.report)
    puzzle = start_puzzle("twoflags")
    evaluate = puzzle.evaluator(arguments.heuristic)
    techniques = Techniques()
    variant = {"en-passant": "", None: None}.get(arguments.variant, arguments.variant)
    settings = Settings(
        make_thinker=lambda: Ponderer(evaluate, techniques),
        dialect=arguments.dialect,
        variant=variant,
        move_seconds=arguments.move_time,
        ponders=not arguments.no_ponder,
        patience=arguments.patience,
    )
    connection = Connection(arguments.host, arguments.port)
    agent = Agent(connection, settings, _silent if arguments.quiet else _tell)
    try:
        agent.run()
    finally:
        connection.close()
        if arguments.report is not None:
            heuristic = arguments.heuristic or puzzle.game.DEFAULT_HEURISTIC
            write_text(arguments.report, report(agent.games, arguments.name, heuristic, techniques))
        for line in summary_lines(agent.games):
            print(line)
    return 0


def _tell(event: object) -> None:
    tell(str(event))


def _silent(event: object) -> None:
    """Only the summary is wanted."""
