"""What has changed between two gradings, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grader.grading.records import Record

# What a mark depends on, and what to say if it is not the same.
REASONS = (
    ("submission_sha256", "submission changed"),
    ("input_sha256", "puzzle changed"),
    ("expected_sha256", "expected answer changed"),
    ("max_score", "points of the puzzle changed"),
    ("mode", "mode changed"),
    ("limits", "limits changed"),
    ("version", "grader version changed"),
    ("sandbox", "sandbox level changed"),
)
UNEXPLAINED = "nothing known has changed: the program may be random, or close to a limit"


@dataclass(frozen=True)
class Change:
    """One submission on one puzzle in both gradings; None where it was not graded."""

    submission: str
    puzzle: str
    old: Record | None
    new: Record | None

    @property
    def why(self) -> tuple[str, ...]:
        if self.old is None:
            return ("graded for the first time",)
        if self.new is None:
            return ("no longer graded",)
        old, new = self.old, self.new
        found = tuple(
            words for field, words in REASONS if getattr(old, field) != getattr(new, field)
        )
        return found or (UNEXPLAINED,)


def find_changes(old: Iterable[Record], new: Iterable[Record]) -> list[Change]:
    """Every pair of submission and puzzle with another verdict or score, in the new order."""
    before = {(record.submission, record.puzzle): record for record in old}
    after = {(record.submission, record.puzzle): record for record in new}
    found = []
    for pair in [*after, *(pair for pair in before if pair not in after)]:
        change = Change(*pair, before.get(pair), after.get(pair))
        if _mark(change.old) != _mark(change.new):
            found.append(change)
    return found


def _mark(record: Record | None) -> object:
    return record and (record.verdict, record.score)
