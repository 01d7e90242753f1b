"""`solver comply`: checks whether an agent or a server keeps to the protocol."""

from __future__ import annotations

import argparse
import signal

from solver.cli.address import address
from solver.cli.arguments import Parser, amount, number, one_of
from solver.cli.words import shown
from solver.errors import UserError
from solver.twoflags.net.comply.agent_checks import AGENT_CHECKS, check_agent
from solver.twoflags.net.comply.agent_trial import DEFAULT_PORT, HOST, AgentUnderTest
from solver.twoflags.net.comply.checklist import Outcome
from solver.twoflags.net.comply.server_checks import SERVER_CHECKS, check_server
from solver.twoflags.net.comply.server_trial import ServerUnderTest
from solver.twoflags.net.dialects import DIALECTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from solver.twoflags.net.comply.checklist import Verdict

COMPLY_EXIT_CODES = """exit codes:
  0    all checks passed, or could not be made
  1    a check failed
  2    wrong usage, or a command that cannot be started
  3    a port could not be opened
  130  interrupted
"""
INDENT = "    "


def make_parser() -> Parser:
    parser = Parser(
        command="comply",
        about="Check an agent or a server for Two Flags: does it keep to the protocol and the\n"
        "rules? After a failure comes what was said: > by us, < by the program under test.\n\n"
        "A command is started without a shell, anew for every check. {host}, {port} and\n"
        "{dialect} in it are filled in; an agent without {port} is expected at --port.",
        examples="  solver comply --agent 'python3 my_agent.py {host} {port}'\n"
        "  solver comply --agent ./my_agent --port 9999 --dialect tournament --only 5,7\n"
        "  solver comply --server-cmd 'solver server --port {port} --dialect {dialect}'\n"
        "  solver comply --server 127.0.0.1:9999\n",
        exit_codes=COMPLY_EXIT_CODES,
    )
    subject = parser.add_argument_group("what to check").add_mutually_exclusive_group(required=True)
    subject.add_argument("--agent", metavar="CMD", help="the command that starts an agent")
    subject.add_argument("--server-cmd", metavar="CMD", help="the command that starts a server")
    subject.add_argument(
        "--server",
        type=address,
        metavar="HOST:PORT",
        help="a running server; what fits into one match is checked",
    )
    subject.add_argument("--list", action="store_true", help="list all checks and end")
    _add_conditions(parser)
    return parser


def _add_conditions(parser: Parser) -> None:
    group = parser.add_argument_group("how to check it")
    group.add_argument(
        "--dialect",
        type=one_of(*DIALECTS),
        default="course",
        metavar="NAME",
        help=f"{', '.join(DIALECTS)} (default: course)",
    )
    group.add_argument(
        "--framing",
        type=one_of("newline", "none"),
        default="newline",
        metavar="NAME",
        help="how we end our messages, newline or none (default: newline)",
    )
    group.add_argument(
        "--patience",
        type=amount("seconds"),
        default=5.0,
        metavar="S",
        help="how long to wait for an answer, and three times as long for a move (default: 5)",
    )
    group.add_argument(
        "--time",
        type=amount("minutes"),
        default=1.0,
        metavar="M",
        help="minutes that an agent is given for a game (default: 1)",
    )
    group.add_argument(
        "--port",
        type=number(1, 65535),
        default=DEFAULT_PORT,
        metavar="N",
        help=f"where we wait on {HOST} for an agent whose command has no {{port}} "
        f"(default: {DEFAULT_PORT})",
    )
    group.add_argument(
        "--relay", action="store_true", help="the server passes moves on unchecked, as it should"
    )
    group.add_argument(
        "--only", type=numbers, default=(), metavar="N,N", help="only the checks with these numbers"
    )


def numbers(word: str) -> tuple[int, ...]:
    return tuple(number(1)(part) for part in word.split(","))


def run(arguments: argparse.Namespace) -> int:
    if arguments.list:
        _list_checks()
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that nothing is left running
    count = len((AGENT_CHECKS if arguments.agent is not None else SERVER_CHECKS).checks)
    if any(wanted > count for wanted in arguments.only):
        raise UserError(f"--only: the checks are numbered from 1 to {count}.")
    return tell_verdicts(_verdicts(arguments))


def _list_checks() -> None:
    for name, checks in (("agents", AGENT_CHECKS.checks), ("servers", SERVER_CHECKS.checks)):
        print(f"{name}:")
        for check in checks:
            print(f"{check.number:4}  {check.title}. {check.why}")


def _verdicts(arguments: argparse.Namespace) -> Iterable[Verdict]:
    newlines = arguments.framing == "newline"
    if arguments.agent is not None:
        agent = AgentUnderTest(
            command=arguments.agent,
            dialect=arguments.dialect,
            patience=arguments.patience,
            newlines=newlines,
            port=arguments.port,
            minutes=arguments.time,
        )
        return check_agent(agent, arguments.only)
    host, port = arguments.server or (HOST, 0)
    server = ServerUnderTest(
        host=host,
        port=port,
        command=arguments.server_cmd or "",
        dialect=arguments.dialect,
        patience=arguments.patience,
        newlines=newlines,
        relay=arguments.relay,
    )
    return check_server(server, arguments.only)


def tell_verdicts(verdicts: Iterable[Verdict]) -> int:
    """A line for each as it comes, with the evidence of a failure; the exit code."""
    times = dict.fromkeys(Outcome, 0)
    for verdict in verdicts:
        times[verdict.outcome] += 1
        print(shown(str(verdict)), flush=True)
        if verdict.outcome is Outcome.FAILED:
            print(f"{INDENT}{verdict.why}")
            for line in verdict.transcript:
                print(f"{INDENT}{shown(line)}", flush=True)
    print(
        f"{times[Outcome.PASSED]} passed, {times[Outcome.FAILED]} failed, "
        f"{times[Outcome.SKIPPED]} skipped"
    )
    return 1 if times[Outcome.FAILED] else 0
