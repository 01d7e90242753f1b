"""`solver comply`: checks whether an agent keeps to the protocol."""

from __future__ import annotations

import argparse

from solver.cli.console import shown
from solver.cli.options import Parser, amount, number, one_of
from solver.errors import UserError
from solver.games.twoflags.net.comply import (
    CHECKS,
    DEFAULT_PORT,
    HOST,
    AgentUnderTest,
    CheckStatus,
    run_checks,
)
from solver.games.twoflags.net.protocol import DIALECTS


def make_parser() -> Parser:
    parser = Parser(
        "comply",
        "Check an agent for Two Flags: does it keep to the protocol and the rules?\n"
        "A failure is shown with what was said: > by us, < by the agent.\n\n"
        "The command is started without a shell, anew for every check. {host}, {port} and\n"
        "{dialect} in it are filled in; without {port}, the agent is expected at --port.",
        "  solver comply --agent 'python3 my_agent.py {host} {port}'\n"
        "  solver comply --agent ./my_agent --port 9999 --dialect tournament --only 5,7\n",
        {
            0: "every check passed or was skipped",
            1: "a check failed",
            3: "a port could not be opened",
        },
    )
    parser.section("what to check")
    subject, add = parser.either(required=True), parser.option
    add("--agent CMD", "the command that starts the agent", either=subject)
    add("--list", "list all checks and exit", either=subject)
    parser.section("how to check it")
    add("--dialect NAME", ", ".join(DIALECTS), one_of(*DIALECTS), "course")
    about = "time for an answer; for a move, three times as long"
    add("--patience S", about, amount("seconds"), 5.0)
    about = f"where to wait on {HOST} for an agent without {{port}}"
    add("--port N", about, number(1, 65535), DEFAULT_PORT)
    about = "only the checks with these numbers"
    add("--only N,N", about, _parse_numbers, default=())
    return parser


def _parse_numbers(word: str) -> tuple[int, ...]:
    return tuple(number(1)(part) for part in word.split(","))


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each check as it ends, with the transcript of a failure."""
    if arguments.list:
        for check in CHECKS:
            print(f"{check.number:2}  {check.title}. {check.why}")
        return 0
    if any(wanted > len(CHECKS) for wanted in arguments.only):
        raise UserError(f"--only: the checks are numbered from 1 to {len(CHECKS)}.")
    agent = AgentUnderTest(arguments.agent, arguments.port, arguments.dialect, arguments.patience)
    counts = dict.fromkeys(CheckStatus, 0)
    for result in run_checks(agent, arguments.only):
        counts[result.status] += 1
        print(shown(str(result)), flush=True)
        if result.status is CheckStatus.FAILED:
            for line in (result.check.why, *result.transcript):
                print(f"    {shown(line)}", flush=True)
    passed, failed, skipped = (counts[status] for status in CheckStatus)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0
