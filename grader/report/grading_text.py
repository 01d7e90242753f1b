"""A grading for people: what its records add up to, for the terminal and in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from textwrap import fill
from typing import TypeVar

from grader.grading.feedback import render_diagnosis, render_feedback
from grader.grading.records import Diagnosis, Feedback, Record, Report, Verdict
from grader.report.text import Column, Table, markdown, number, percent, printable, short_line
from solver.errors import counted

LETTERS = dict(zip(Verdict, "EQswifntmoc!", strict=True))  # where there is no room for words
NOT_GRADED = "."
LONGEST_NAME = 40
LONGEST_MOVE = 24
WIDTH = 100
MOST_FAULTS = 3  # shown in full
BLOCK = 10  # puzzles in one column of the matrix
T = TypeVar("T")


@dataclass(frozen=True)
class Totals:
    name: str  # a submission, a group or a puzzle
    score: float
    max_score: float
    cpu_s: float
    verdicts: Counter[Verdict]

    @property
    def accepted(self) -> int:
        return sum(self.verdicts[verdict] for verdict in Verdict if verdict.accepted)

    @property
    def graded(self) -> int:
        return self.verdicts.total()

    def counts(self) -> list[tuple[Verdict, int]]:
        """The verdicts that occur, the best first."""
        return [(verdict, self.verdicts[verdict]) for verdict in Verdict if self.verdicts[verdict]]

    @property
    def share(self) -> str:
        return percent(self.score, self.max_score)

    @property
    def marks(self) -> str:
        return f"{number(self.score)} of {number(self.max_score)}"


def add_up(name: str, records: Iterable[Record]) -> Totals:
    records = list(records)
    return Totals(
        name,
        fsum(record.score for record in records),
        fsum(record.max_score for record in records),
        fsum(record.cpu_s for record in records),
        Counter(record.verdict for record in records),
    )


def group_by(field: str, records: Iterable[T]) -> dict[str, list[T]]:
    """By their submission, group, puzzle or another text, in the order of first appearance."""
    groups: dict[str, list[T]] = {}
    for record in records:
        groups.setdefault(getattr(record, field), []).append(record)
    return groups


def select_marked(records: Sequence[Record]) -> list[Record]:
    """Without the puzzles that are worth no points, unless there are no others; what could not be
    judged stays, though it does not count."""
    return [one for one in records if one.max_score or one.verdict is Verdict.JUDGE_ERROR] or list(
        records
    )


def rank(records: Iterable[Record]) -> list[tuple[int, Totals]]:
    """Submissions with their ranks, best first.  Marks alone decide: equal marks share a rank,
    whatever time they took."""
    totals = [add_up(name, own) for name, own in group_by("submission", records).items()]
    totals.sort(key=lambda one: (-one.score, one.name))
    scores = [one.score for one in totals]
    return [(scores.index(one.score) + 1, one) for one in totals]


def explain_letters(records: Iterable[Record]) -> str:
    verdicts = [verdict for verdict, _ in add_up("", records).counts()]
    return ", ".join(f"{LETTERS[verdict]} {verdict.words}" for verdict in verdicts)


def summarize(totals: Totals) -> str:
    """`3 of 4 marks (75.0%): 1 exact, 1 crash; 0.50 s CPU`."""
    counts = [f"{count} {verdict.words}" for verdict, count in totals.counts()]
    return f"{totals.marks} marks ({totals.share}): {', '.join(counts)}; {totals.cpu_s:.2f} s CPU"


def puzzle_table(records: Iterable[Record]) -> Table:
    """One submission, puzzle by puzzle."""
    columns: tuple[Column, ...] = (
        ("puzzle", lambda record: short_name(record.puzzle)),
        *(("verdict", "verdict.words"), ("marks", _marks)),
        ("move", lambda record: short_line(record.move, LONGEST_MOVE) or "-"),
        ("best", _best),
        *(("CPU s", "cpu_s"), ("MB", megabytes), ("nodes", "nodes_reported")),
    )
    return Table.of("Puzzles", records, columns, 5)


def ranking_table(records: Sequence[Record]) -> Table:
    verdicts = [verdict for verdict, _ in add_up("", records).counts()]
    heads = ["", "submission", "marks", "%", *(LETTERS[verdict] for verdict in verdicts), "CPU s"]
    rows = []
    for place, sums in rank(records):
        counts = [str(sums.verdicts[verdict] or "") for verdict in verdicts]
        name, share = short_name(sums.name), sums.share.rstrip("%")
        rows.append([str(place), name, _marks(sums), share, *counts, f"{sums.cpu_s:.2f}"])
    return Table("Ranking", heads, rows, 2)


def _marks(of: Record | Totals) -> str:
    return f"{number(of.score)}/{number(of.max_score)}"


def short_name(text: str) -> str:
    return short_line(text, LONGEST_NAME)


def megabytes(record: Record) -> str:
    return f"{record.max_rss_kb / 1024:.1f}" if record.max_rss_kb else "-"


def _best(record: Record) -> str:
    first, *others = record.best or ("-",)
    return short_line(first, LONGEST_MOVE) + (f" +{len(others)}" if others else "")


def render_table(report: Report) -> str:
    """The puzzles of one submission, or the ranking and matrix of many."""
    records = select_marked(report.records)
    if not records:
        return "Nothing was graded.\n"
    if len(group_by("submission", records)) > 1:
        return f"{ranking_table(records)}\n{_matrix(records)}\n{_accepted(records)}"
    lines = [summarize(add_up("", records)), *_unmarked(report.records)]
    return "\n".join([str(puzzle_table(records)), *lines, _faults(report)])


def _unmarked(records: Sequence[Record]) -> list[str]:
    """What became of the puzzles that are worth no points, if there are others too."""
    marked, sums = add_up("", select_marked(records)), add_up("", records)
    left, accepted = sums.graded - marked.graded, sums.accepted - marked.accepted
    return [f"{counted(left, 'puzzle')} without marks: {accepted} accepted"] if left else []


def _faults(report: Report) -> str:
    """What is wrong with each answer that was not accepted."""
    if report.feedback is Feedback.VERDICT:
        return ""
    wrong = [record for record in report.records if not record.verdict.accepted]
    parts = [
        f"\n{short_name(record.puzzle)}: {printable(render_feedback(record, report.feedback))}\n"
        for record in wrong[:MOST_FAULTS]
    ]
    if len(wrong) > MOST_FAULTS:
        more = len(wrong) - MOST_FAULTS
        parts.append(f"\nAnd {more} more: -q NAME shows one, -o html:FILE shows all.\n")
    return "".join(parts)


def _matrix(records: Sequence[Record]) -> str:
    """One letter for each submission and puzzle, ten puzzles to a column."""
    puzzles = list(group_by("puzzle", records))
    letters = {(one.submission, one.puzzle): LETTERS[one.verdict] for one in records}
    starts = range(0, len(puzzles), BLOCK)
    heads = [f"{start + 1}-{min(start + BLOCK, len(puzzles))}" for start in starts]
    rows = []
    for _, sums in rank(records):
        own = "".join(letters.get((sums.name, puzzle), NOT_GRADED) for puzzle in puzzles)
        rows.append([short_name(sums.name), *(own[start : start + BLOCK] for start in starts)])
    missing = "" if len(letters) == len(rows) * len(puzzles) else f", {NOT_GRADED} not graded"
    table = Table("Matrix", ["submission", *heads], rows, 1 + len(heads))
    return f"{table}\n{fill(explain_letters(records) + missing, WIDTH)}\n"


def _accepted(records: Sequence[Record]) -> Table:
    rows = []
    for place, (puzzle, own) in enumerate(group_by("puzzle", records).items(), 1):
        sums = add_up(puzzle, own)
        share = percent(sums.accepted, sums.graded).rstrip("%")
        rows.append([str(place), short_name(puzzle), str(sums.accepted), share])
    return Table("Accepted", ["", "puzzle", "accepted", "%"], rows, 2)


def render_md(report: Report) -> str:
    """A summary, the diagnosis, and what is wrong with each answer that was not accepted."""
    submissions = group_by("submission", report.records)
    parts = [f"# {markdown(report.title)}"]
    if len(submissions) > 1:
        marked = select_marked(report.records)
        parts += [ranking_table(marked).markdown(), explain_letters(marked)]
    for name, records in submissions.items():
        marked = select_marked(records)
        diagnosis = render_diagnosis(report.diagnoses.get(name, Diagnosis()))
        parts += [f"## {markdown(name)}", *map(markdown, diagnosis)]
        parts += [puzzle_table(marked).markdown(), summarize(add_up(name, marked))]
        parts += _unmarked(records)
        parts += [_detail(one, report.feedback) for one in records if not one.verdict.accepted]
    return "\n\n".join(parts) + "\n"


def _detail(record: Record, feedback: Feedback) -> str:
    """Indented text is the one thing in Markdown that nothing within can end."""
    lines = printable(render_feedback(record, feedback)).split("\n")
    block = "\n".join(f"    {line}".rstrip() for line in lines)
    return f"### {markdown(record.puzzle)}\n\n{block}"
