"""`grader diff`: which marks changed between two gradings, and why."""

from __future__ import annotations

import argparse
from pathlib import Path

from tabulate import tabulate

from grader.cli.gradings import Named, last, named
from grader.cli.options import add_journal
from grader.cli.parser import GraderParser
from grader.grading.journal import read_journal
from grader.grading.records import Change, Record, find_changes
from solver.cli.console import shown
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


def make_parser() -> GraderParser:
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


def run(arguments: argparse.Namespace) -> int:
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
