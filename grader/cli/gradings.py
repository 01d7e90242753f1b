"""How gradings are named on the command line: by number, by journal, or as the last one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.grading.journal import Journal, read_journal
from grader.grading.records import Feedback, Report
from solver.errors import UserError


@dataclass(frozen=True)
class Named:
    """A grading of a journal; without a number, its last one."""

    journal: Path
    number: int | None = None

    def report(self, feedback: Feedback | None = None) -> Report:
        with read_journal(self.journal) as journal:
            return report_of(
                journal, last(journal) if self.number is None else self.number, feedback
            )


def named(word: str, journal: str) -> Named:
    """`3`, `old.db` or `old.db:3`; a file of that name comes first."""
    if Path(word).exists():
        return Named(Path(word))
    file, colon, number = word.rpartition(":")
    if number.isascii() and number.isdigit() and len(number) < 10:
        return Named(Path(file if colon else journal), int(number))
    raise UserError(f"{word}: neither a journal nor the number of a grading. See 'grader journal'.")


def last(journal: Journal, before: int = 0) -> int:
    """The number of the last grading, or of one so many before it."""
    numbers = [entry.number for entry in journal.entries()]
    if len(numbers) <= before:
        found = "only one grading" if numbers else "no grading"
        raise UserError(f"{journal.path}: there is {found} in this journal")
    return numbers[-1 - before]


def report_of(journal: Journal, number: int, feedback: Feedback | None = None) -> Report:
    """The records of a grading in the order of its plan."""
    plan = journal.plan(number)
    records = plan.in_order(journal.records(number))
    return Report(records, feedback or plan.feedback, plan.title)
