"""What the records of a report add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from grader.records import Record
from grader.verdicts import Verdict


@dataclass(frozen=True)
class Totals:
    name: str  # a submission or a group
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

    @property
    def share(self) -> float:
        return self.score / self.max_score if self.max_score else 0.0


def total(name: str, records: Iterable[Record]) -> Totals:
    records = list(records)
    return Totals(
        name,
        fsum(record.score for record in records),
        fsum(record.max_score for record in records),
        fsum(record.cpu_s for record in records),
        Counter(record.verdict for record in records),
    )


def by_submission(records: Iterable[Record]) -> dict[str, list[Record]]:
    grouped: dict[str, list[Record]] = {}
    for record in records:
        grouped.setdefault(record.submission, []).append(record)
    return grouped


def by_group(records: Iterable[Record]) -> list[Totals]:
    grouped: dict[str, list[Record]] = {}
    for record in records:
        grouped.setdefault(record.group, []).append(record)
    return [total(group, own) for group, own in grouped.items()]


def puzzles_of(records: Iterable[Record]) -> list[str]:
    """The names of all puzzles, in the order of their first appearance."""
    return list(dict.fromkeys(record.puzzle for record in records))


def ranking(records: Iterable[Record]) -> list[tuple[int, Totals]]:
    """Submissions with their ranks, best first.  Marks alone decide: equal marks share a rank,
    whatever time they took."""
    totals = [total(name, own) for name, own in by_submission(records).items()]
    totals.sort(key=lambda one: (-one.score, one.name))
    scores = [one.score for one in totals]
    return [(scores.index(one.score) + 1, one) for one in totals]


def verdicts_among(records: Iterable[Record]) -> list[Verdict]:
    """The verdicts that occur, the best first."""
    found = {record.verdict for record in records}
    return [verdict for verdict in Verdict if verdict in found]
