"""`grader run`: one program over a batch of puzzles."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.cli.options import add_options, cases_of, place_of, planned, secret_paths, settings_of
from grader.cli.outputs import checked
from grader.cli.parser import GraderParser
from grader.cli.sitting import begin
from grader.grading.plan import Mode
from grader.submissions.find import check_mounts, from_command, own_solver

EXAMPLES = """\
  grader run                                  # our own solver, as a yardstick
  grader run --solver "python3 checkers.py"   # called as IN OUT or by --inputfile/--outputfile
  grader run --solver "./engine {input} {output} --fast" -k jump --timeout 5
  grader run --solver "python3 checkers.py" --play -o html:report.html
"""


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="run",
        about="Grades one program over a batch of puzzles.",
        examples=EXAMPLES,
    )
    parser.add_argument(
        "--solver",
        metavar="COMMAND",
        help="how the program is started; {input} and {output} stand for its files"
        " (default: our own solver)",
    )
    add_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    outputs = checked(arguments.outputs, arguments.journal)
    settings = settings_of(arguments)
    cases = cases_of(arguments, settings)
    secret = secret_paths(arguments, settings)
    if arguments.solver is None:
        submission = own_solver(*(["--line"] if settings.mode is Mode.LINE else []))
    else:
        submission = from_command(arguments.solver, Path.cwd(), leave_out=secret)
    if arguments.scheduler is None:
        check_mounts([submission], secret)
    plan = planned(arguments, settings, [submission], cases, submission.name)
    return begin(plan, place_of(arguments, outputs))
