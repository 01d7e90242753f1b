"""`grader resume`: go on with a grading that was interrupted."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from grader.cli.forms import add_forms, form_of
from grader.cli.gradings import last
from grader.cli.options import add_fail_under, add_feedback, add_running, place_of
from grader.cli.outputs import checked
from grader.cli.parser import GraderParser
from grader.cli.sitting import go_on
from grader.grading.journal import open_journal, read_journal
from grader.grading.records import Feedback
from grader.report import GRADING_FORMATS
from grader.sandbox.job import Sandbox
from solver.cli.options import number

EXAMPLES = """\
  grader resume
  grader resume 3 --journal marks.db -o csv:marks.csv
"""


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="resume",
        about="Goes on with a grading: every record that is in the journal stays, the others are"
        " graded now,\nfrom the submissions and puzzles as they were when it began.",
        examples=EXAMPLES,
    )
    parser.add_argument(
        "number", metavar="N", nargs="?", type=number(1), help="which grading (default: the last)"
    )
    add_fail_under(parser)
    add_running(parser)
    add_forms(parser, GRADING_FORMATS)
    add_feedback(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    path = Path(arguments.journal)
    with read_journal(path) as journal:  # which must be there
        last(journal)
    with open_journal(path) as journal:
        grading = arguments.number or last(journal)
        plan = journal.plan(grading)
        if arguments.sandbox:
            plan = replace(plan, sandbox=Sandbox(arguments.sandbox))
        if arguments.feedback:
            plan = replace(plan, feedback=Feedback(arguments.feedback))
        outputs = checked(
            arguments.outputs or [form_of(GRADING_FORMATS)(word) for word in plan.outputs],
            path,
            len(plan.submissions),
        )
        place = replace(place_of(arguments, outputs), fail_under=arguments.fail_under)
        return go_on(grading, plan, place, journal)
