"""`grader class`: every submission of a class over every puzzle."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.cli.general import EXIT_CODES
from grader.cli.options import (
    add_fail_under,
    add_options,
    cases_of,
    jobs_of,
    planned,
    secret_paths,
    settings_of,
)
from grader.cli.outputs import checked
from grader.cli.session import Place, begin
from grader.roster import find_submissions
from solver.cli.arguments import Parser
from solver.cli.words import tell

EXAMPLES = """\
  grader class submissions/
  grader class submissions/ -j 8 --sandbox require -o csv:marks.csv -o html:report.html
  grader class submissions/ --call "python3 {submission}/main.py {input} {output}"
  grader class submissions/ --reuse           # only what has changed since
"""


def make_parser() -> Parser:
    parser = Parser(
        command="class",
        name="grader",
        about="Grades every submission of a class over every puzzle.",
        examples=EXAMPLES,
        exit_codes=EXIT_CODES,
    )
    parser.add_argument(
        "submissions", metavar="SUBMISSIONS", help="a folder, a .zip or a .py for each student"
    )
    parser.add_argument("--call", metavar="COMMAND", help="how all of them are started")
    parser.add_argument(
        "--reuse", action="store_true", help="take over earlier marks where nothing has changed"
    )
    add_fail_under(parser)
    add_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    outputs = checked(arguments.outputs)
    settings = settings_of(arguments)
    cases = cases_of(arguments, settings)
    folder = Path(arguments.submissions)
    submissions, warnings = find_submissions(
        folder, arguments.call or settings.call, secret_paths(arguments, settings)
    )
    for warning in warnings:
        tell(f"grader: {warning}")
    title = folder.resolve().name
    plan = planned(arguments, settings, submissions, cases, title, whole_class=True)
    place = Place(
        Path(arguments.journal),
        jobs_of(arguments),
        arguments.scheduler,
        outputs,
        arguments.fail_under,
    )
    return begin(plan, place, arguments.reuse)
