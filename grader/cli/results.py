"""`grader diff`, `export` and `journal`: what the journal holds."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader.cli import options
from grader.grading.journal import read_journal
from grader.grading.records import Change, Feedback, Record, Report, find_changes
from grader.report import GRADING_FILES, GRADING_FORMATS
from grader.report.text import Column, Table, one_line
from solver.cli.options import number
from solver.errors import UserError, counted

DIFF_EXAMPLES = """\
  grader diff                   # the last two gradings of the journal
  grader diff 1 3
  grader diff old.db new.db:2
"""
EXPORT_EXAMPLES = """\
  grader export report.html marks.csv
  grader export gradescope:results.json --grading 3 --feedback own
"""


def make_diff_parser() -> options.GraderParser:
    about = "Shows which marks changed between two gradings of a class, and why."
    parser = options.GraderParser(
        "diff", about, DIFF_EXAMPLES, {0: "no mark has changed", 1: "some have"}
    )
    parser.option("old [OLD]", "a number, a journal, or FILE:N")
    parser.option("new [NEW]", "the same")
    parser.add_journal()
    return parser


def run_diff(arguments: argparse.Namespace) -> int:
    journal = arguments.journal
    if arguments.new is not None:
        before, after = (_read_named(word, journal) for word in (arguments.old, arguments.new))
    elif arguments.old is not None:
        raise UserError("Give both gradings, or none for the last two. See 'grader journal'.")
    else:
        before, after = (_read_report(Path(journal), before=back) for back in (1, 0))
    old, new, others = _select_common(before.records, after.records)
    found = find_changes(old, new)
    if found:
        heads = ["submission", "puzzle", "old", "new", "marks", "why"]
        print(Table("", heads, [_row(change) for change in found], words=len(heads)))
    for line in others:
        print(line)
    gained = sum(each.score for each in new) - sum(each.score for each in old)
    same = len(new) - sum(change.new is not None for change in found)
    print(f"{counted(len(found), 'mark')} changed, {same} as before; {gained:+g} in all")
    return 1 if found or others else 0


def _select_common(
    old: Sequence[Record], new: Sequence[Record]
) -> tuple[Sequence[Record], Sequence[Record], list[str]]:
    """The records of the puzzles and submissions that are in both gradings, and a line about each
    of the others.  Gradings of another class, or of other puzzles, are refused."""
    lines = []
    for field, least in (("submission", 0.0), ("puzzle", 0.5)):
        names = [dict.fromkeys(getattr(one, field) for one in records) for records in (old, new)]
        both, most = names[0].keys() & names[1].keys(), max(map(len, names))
        if len(both) <= least * most:
            raise UserError(
                f"The gradings share {len(both)} of {counted(most, field)}: too few to compare."
                " Name two of the same class and puzzles; 'grader journal' lists them."
            )
        for word, mine in zip(("gone", "new"), names, strict=True):
            lines += [f"{word} {field}: {one_line(each)}" for each in mine if each not in both]
        old, new = ([one for one in own if getattr(one, field) in both] for own in (old, new))
    return old, new, lines


def _read_named(word: str, journal: str) -> Report:
    """`3`, `old.db` or `old.db:3`; a file of that name comes first."""
    if Path(word).exists():
        return _read_report(Path(word))
    file, colon, digits = word.rpartition(":")
    if digits.isascii() and digits.isdigit() and len(digits) < 10:
        return _read_report(Path(file if colon else journal), int(digits))
    raise UserError(f"{word}: neither a journal nor the number of a grading. See 'grader journal'.")


def _read_report(
    path: Path, grading: int | None = None, feedback: Feedback | None = None, before: int = 0
) -> Report:
    """A grading of a journal: by number, the last one, or an earlier one counted back from it."""
    with read_journal(path) as journal:
        chosen = options.find_last(journal, before) if grading is None else grading
        report = journal.plan(chosen).report(journal.records(chosen))
        return replace(report, feedback=feedback or report.feedback)


def _row(change: Change) -> list[str]:
    def verdict(record: Record | None) -> str:
        return "-" if record is None else record.verdict.value

    old, new = change.old, change.new
    gained = (new.score if new else 0.0) - (old.score if old else 0.0)
    names = [change.submission, change.puzzle]
    return [*names, verdict(old), verdict(new), f"{gained:+g}", "; ".join(change.why)]


def make_export_parser() -> options.GraderParser:
    formats = "\n".join(f"  {name:13}{about}" for name, about in GRADING_FORMATS.items())
    about = f"Writes a grading of the journal in any format:\n\n{formats}"
    parser = options.GraderParser("export", about, EXPORT_EXAMPLES, options.READING)
    kind = options.form_of(GRADING_FORMATS, GRADING_FILES)
    parser.option("outputs OUTPUT", "FILE, FORMAT:FILE, or FORMAT alone", kind, nargs="+")
    parser.option("--grading N", "which one (default: the last)", number(1))
    parser.add_worksheet()
    parser.add_feedback()
    parser.add_journal()
    return parser


def run_export(arguments: argparse.Namespace) -> int:
    feedback = Feedback(arguments.feedback) if arguments.feedback else None
    report = _read_report(Path(arguments.journal), arguments.grading, feedback)
    worksheet = options.read_worksheet(arguments, arguments.outputs, report.worksheet)
    report = replace(report, worksheet=worksheet)
    submissions = len({record.submission for record in report.records})
    options.check_outputs(arguments.outputs, arguments.journal, submissions)
    options.write_grading(arguments.outputs, report)
    return 0


def make_journal_parser() -> options.GraderParser:
    about = "Lists the gradings of a journal; resume, diff and export take their numbers."
    parser = options.GraderParser("journal", about, "  grader journal\n", options.READING)
    parser.add_journal()
    return parser


def run_journal(arguments: argparse.Namespace) -> int:
    columns: tuple[Column, ...] = (
        *("number", ("of", "title")),
        ("begun (UTC)", lambda each: each.begun_at.removesuffix("+00:00").replace("T", " ")),
        ("graded", lambda each: f"{each.finished} of {each.tasks}"),
    )
    with read_journal(Path(arguments.journal)) as journal:
        print(Table.of("", journal.entries(), columns, words=3), end="")
    return 0
