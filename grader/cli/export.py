"""`grader export`: a grading in another format, from the journal."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.cli.forms import form_of
from grader.cli.gradings import Named
from grader.cli.options import add_feedback, add_journal
from grader.cli.outputs import checked, write_all
from grader.cli.parser import READING, GraderParser
from grader.grading.records import Feedback
from grader.report import GRADING_FORMATS
from solver.cli.options import number

EXAMPLES = """\
  grader export html:report.html csv:marks.csv
  grader export gradescope:results.json --grading 3 --feedback own
"""


def make_parser() -> GraderParser:
    formats = "\n".join(f"  {name:13}{about}" for name, about in GRADING_FORMATS.items())
    parser = GraderParser(
        command="export",
        about=f"Writes a grading of the journal in any format:\n\n{formats}",
        examples=EXAMPLES,
        codes=READING,
    )
    parser.add_argument(
        "outputs", metavar="FORMAT[:FILE]", nargs="+", type=form_of(GRADING_FORMATS)
    )
    parser.add_argument(
        "--grading", metavar="N", type=number(1), help="which one (default: the last)"
    )
    add_feedback(parser)
    add_journal(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    feedback = Feedback(arguments.feedback) if arguments.feedback else None
    report = Named(Path(arguments.journal), arguments.grading).report(feedback)
    submissions = len({record.submission for record in report.records})
    outputs = checked(arguments.outputs, arguments.journal, submissions)
    outputs = [each for each in outputs if each in arguments.outputs]
    write_all(outputs, report)
    return 0
