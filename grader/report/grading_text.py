"""A grading for the terminal, and in Markdown."""

from __future__ import annotations

from textwrap import fill

from grader.feedback import told
from grader.records import Feedback, Record, Report
from grader.report.text import Table, markdown, one_line, percent, printable
from grader.report.totals import (
    LETTERS,
    NOT_GRADED,
    add_up,
    explain_letters,
    group_by,
    puzzle_table,
    rank,
    ranking_table,
    short_name,
    summarize,
)

WIDTH = 100
MOST_FAULTS = 3  # shown in full
BLOCK = 10  # puzzles in one column of the matrix


def render_table(report: Report) -> str:
    """The puzzles of one submission, or the ranking and matrix of many."""
    records = report.records
    if not records:
        return "Nothing was graded.\n"
    if len(group_by("submission", records)) == 1:
        return f"{puzzle_table(records)}\n{summarize(add_up('', records))}\n{_faults(report)}"
    return "\n".join([str(ranking_table(records)), _matrix(records), str(_accepted(records))])


def _faults(report: Report) -> str:
    """What is wrong with each answer that was not accepted."""
    if report.feedback is Feedback.VERDICT:
        return ""
    wrong = [record for record in report.records if not record.verdict.accepted]
    parts = [
        f"\n{one_line(record.puzzle)}: {printable(told(record, report.feedback))}\n"
        for record in wrong[:MOST_FAULTS]
    ]
    if len(wrong) > MOST_FAULTS:
        more = len(wrong) - MOST_FAULTS
        parts.append(f"\nAnd {more} more: -q NAME shows one, -o html:FILE shows all.\n")
    return "".join(parts)


def _matrix(records: tuple[Record, ...]) -> str:
    """One letter for each submission and puzzle, ten puzzles to a column."""
    puzzles = list(group_by("puzzle", records))
    letters = {(one.submission, one.puzzle): LETTERS[one.verdict] for one in records}
    starts = range(0, len(puzzles), BLOCK)
    heads = [f"{start + 1}-{min(start + BLOCK, len(puzzles))}" for start in starts]
    rows = []
    for _, totals in rank(records):
        own = "".join(letters.get((totals.name, puzzle), NOT_GRADED) for puzzle in puzzles)
        rows.append([short_name(totals.name), *(own[start : start + BLOCK] for start in starts)])
    missing = "" if len(letters) == len(rows) * len(puzzles) else f", {NOT_GRADED} not graded"
    table = Table("Matrix", ["submission", *heads], rows, 1 + len(heads))
    return f"{table}\n{fill(explain_letters(records) + missing, WIDTH)}\n"


def _accepted(records: tuple[Record, ...]) -> Table:
    rows = []
    for place, (puzzle, own) in enumerate(group_by("puzzle", records).items(), 1):
        sums = add_up(puzzle, own)
        share = percent(sums.accepted, sums.graded).rstrip("%")
        rows.append([str(place), short_name(puzzle), str(sums.accepted), share])
    return Table("Accepted", ["", "puzzle", "accepted", "%"], rows, 2)


def render_md(report: Report) -> str:
    """A summary, and what is wrong with each answer that was not accepted."""
    submissions = group_by("submission", report.records)
    parts = [f"# {markdown(report.title)}"]
    if len(submissions) > 1:
        parts += [ranking_table(report.records).markdown(), explain_letters(report.records)]
    for name, records in submissions.items():
        parts += [f"## {markdown(name)}", puzzle_table(records).markdown()]
        parts.append(summarize(add_up(name, records)))
        parts += [_detail(one, report.feedback) for one in records if not one.verdict.accepted]
    return "\n\n".join(parts) + "\n"


def _detail(record: Record, feedback: Feedback) -> str:
    """Indented text is the one thing in Markdown that nothing within can end."""
    lines = printable(told(record, feedback)).split("\n")
    block = "\n".join(f"    {line}".rstrip() for line in lines)
    return f"### {markdown(record.puzzle)}\n\n{block}"
