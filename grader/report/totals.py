"""What the records of a grading add up to, and the tables about them for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from grader.records import Record
from grader.report.text import NOTHING, Table, number, one_line, percent, shorten
from grader.verdicts import Verdict

LETTERS = dict(zip(Verdict, "EQswifntmoc!", strict=True))  # where there is no room for words
NOT_GRADED = "."
LONGEST_NAME = 40
LONGEST_MOVE = 24


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


def group_by(field: str, records: Iterable[Record]) -> dict[str, list[Record]]:
    """The records by their submission, group or puzzle, in the order of first appearance."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(getattr(record, field), []).append(record)
    return groups


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
    heads = ("puzzle", "verdict", "marks", "move", "best", "CPU s", "MB", "nodes")
    rows = [
        (
            short_name(record.puzzle),
            record.verdict.words,
            f"{number(record.score)}/{number(record.max_score)}",
            _move(record.move),
            _best(record.best),
            f"{record.cpu_s:.2f}",
            megabytes(record) or NOTHING,
            NOTHING if record.nodes_reported is None else f"{record.nodes_reported:,}",
        )
        for record in records
    ]
    return Table("Puzzles", heads, rows, 5)


def ranking_table(records: Iterable[Record]) -> Table:
    records = list(records)
    verdicts = [verdict for verdict, _ in add_up("", records).counts()]
    heads = ["", "submission", "marks", "%", *(LETTERS[verdict] for verdict in verdicts), "CPU s"]
    rows = [
        (
            str(place),
            short_name(totals.name),
            f"{number(totals.score)}/{number(totals.max_score)}",
            totals.share.rstrip("%"),
            *(str(totals.verdicts[verdict] or "") for verdict in verdicts),
            f"{totals.cpu_s:.2f}",
        )
        for place, totals in rank(records)
    ]
    return Table("Ranking", heads, rows, 2)


def short_name(text: str) -> str:
    return shorten(one_line(text), LONGEST_NAME)


def megabytes(record: Record) -> str:
    return f"{record.max_rss_kb / 1024:.1f}" if record.max_rss_kb else ""


def _move(name: str) -> str:
    return shorten(one_line(name), LONGEST_MOVE) or NOTHING


def _best(moves: tuple[str, ...]) -> str:
    more = f" +{len(moves) - 1}" if len(moves) > 1 else ""
    return _move(moves[0] if moves else "") + more
