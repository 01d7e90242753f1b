"""`grader class`: every submission of a class over every puzzle."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from grader.cli.options import (
    add_fail_under,
    add_options,
    cases_of,
    place_of,
    planned,
    secret_paths,
    settings_of,
)
from grader.cli.outputs import checked
from grader.cli.parser import GraderParser
from grader.cli.sitting import begin
from grader.submissions.find import check_mounts, find_submissions
from solver.cli.console import shown, tell

EXAMPLES = """\
  grader class submissions/
  grader class submissions/ -j 8 --sandbox require -o csv:marks.csv -o html:report.html
  grader class submissions/ --call "python3 {submission}/main.py {input} {output}"
  grader class submissions/ --reuse           # only what has changed since
"""


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="class",
        about="Grades every submission of a class over every puzzle.",
        examples=EXAMPLES,
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
    checked(arguments.outputs, arguments.journal)
    settings = settings_of(arguments)
    cases = cases_of(arguments, settings)
    folder = Path(arguments.submissions)
    secret = secret_paths(arguments, settings)
    submissions, warnings = find_submissions(folder, arguments.call or settings.call, secret)
    faults = [f"{each.name}: cannot be run: {each.fault}" for each in submissions if each.fault]
    for warning in warnings + faults:
        tell(f"grader: {warning}")
    outputs = checked(arguments.outputs, arguments.journal, len(submissions))
    if arguments.scheduler is None:
        check_mounts(submissions, secret)
    title = shown(folder.resolve().name)
    plan = planned(arguments, settings, submissions, cases, title, whole_class=True)
    place = replace(place_of(arguments, outputs), fail_under=arguments.fail_under)
    return begin(plan, place, arguments.reuse)
