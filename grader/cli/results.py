"""`grader diff`: which marks changed between two gradings, and why."""

from __future__ import annotations

import argparse
from pathlib import Path

from tabulate import tabulate

from grader.cli.options import (
    READING,
    GraderParser,
    Named,
    add_feedback,
    add_journal,
    checked,
    form_of,
    last,
    named,
    write_all,
)
from grader.grading.changes import Change, find_changes
from grader.grading.journal import read_journal
from grader.grading.records import Feedback, Record
from grader.report import GRADING_FORMATS
from solver.cli.console import shown
from solver.cli.options import number
from solver.errors import UserError, counted

EXAMPLES = """\
  grader diff                   # the last two gradings of the journal
  grader diff 1 3
  grader diff old.db new.db:2
"""
EXIT_CODES = """exit codes:
  0    no mark has changed
  1    some have
  2    wrong usage
  3    a journal that cannot be read
"""


def make_diff_parser() -> GraderParser:
    parser = GraderParser(
        command="diff",
        about="Shows which marks changed between two gradings, and why.",
        examples=EXAMPLES,
        codes=EXIT_CODES,
    )
    parser.add_argument("old", metavar="OLD", nargs="?", help="a number, a journal, or FILE:N")
    parser.add_argument("new", metavar="NEW", nargs="?", help="the same")
    add_journal(parser)
    return parser


def run_diff(arguments: argparse.Namespace) -> int:
    old, new = _both(arguments)
    before, after = old.report().records, new.report().records
    found = find_changes(before, after)
    if found:
        rows = [_row(change) for change in found]
        headers = ["submission", "puzzle", "old", "new", "marks", "why"]
        print(tabulate(rows, headers, disable_numparse=True))
        print()
    gained = sum(record.score for record in after) - sum(record.score for record in before)
    same = len(after) - sum(change.new is not None for change in found)
    print(f"{counted(len(found), 'mark')} changed, {same} as before; {gained:+g} in all")
    return 1 if found else 0


def _both(arguments: argparse.Namespace) -> tuple[Named, Named]:
    if arguments.new is not None:
        return named(arguments.old, arguments.journal), named(arguments.new, arguments.journal)
    if arguments.old is not None:
        raise UserError("Give both gradings, or none for the last two. See 'grader journal'.")
    path = Path(arguments.journal)
    with read_journal(path) as journal:
        return Named(path, last(journal, 1)), Named(path, last(journal))


def _row(change: Change) -> list[str]:
    return [
        shown(change.submission),
        shown(change.puzzle),
        _verdict(change.old),
        _verdict(change.new),
        f"{_score(change.new) - _score(change.old):+g}",
        "; ".join(change.why),
    ]


def _verdict(record: Record | None) -> str:
    return "-" if record is None else record.verdict.value


def _score(record: Record | None) -> float:
    return 0.0 if record is None else record.score


# `grader export`: a grading in another format, from the journal.


EXPORT_EXAMPLES = """\
  grader export html:report.html csv:marks.csv
  grader export gradescope:results.json --grading 3 --feedback own
"""


def make_export_parser() -> GraderParser:
    formats = "\n".join(f"  {name:13}{about}" for name, about in GRADING_FORMATS.items())
    parser = GraderParser(
        command="export",
        about=f"Writes a grading of the journal in any format:\n\n{formats}",
        examples=EXPORT_EXAMPLES,
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


def run_export(arguments: argparse.Namespace) -> int:
    feedback = Feedback(arguments.feedback) if arguments.feedback else None
    report = Named(Path(arguments.journal), arguments.grading).report(feedback)
    submissions = len({record.submission for record in report.records})
    outputs = checked(arguments.outputs, arguments.journal, submissions)
    outputs = [each for each in outputs if each in arguments.outputs]
    write_all(outputs, report)
    return 0


# `grader journal`: the gradings there are.


HEADERS = ("number", "of", "begun (UTC)", "graded")


def make_journal_parser() -> GraderParser:
    parser = GraderParser(
        command="journal",
        about="Lists the gradings of a journal; resume, diff and export take their numbers.",
        examples="  grader journal\n",
        codes=READING,
    )
    add_journal(parser)
    return parser


def run_journal(arguments: argparse.Namespace) -> int:
    with read_journal(Path(arguments.journal)) as journal:
        rows = [
            (
                entry.number,
                shown(entry.title),
                entry.begun_at.removesuffix("+00:00").replace("T", " "),
                f"{entry.finished} of {entry.tasks}",
            )
            for entry in journal.entries()
        ]
    print(tabulate(rows, HEADERS, colalign=("right", "left", "left", "right")))
    return 0
