"""What one grading is: one submission on one puzzle.  Everything shown later is made from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from grader.limits import Limits
from grader.plain import as_plain, from_plain
from grader.verdicts import Verdict

SCHEMA = 1


class Feedback(StrEnum):
    """How much a student is told."""

    FULL = "full"  # everything, the best move included
    OWN = "own"  # what is wrong with the own answer, but not the right one
    VERDICT = "verdict"  # one word


class Visibility(StrEnum):
    """When a student may see a puzzle's result; the words are Gradescope's."""

    VISIBLE = "visible"
    HIDDEN = "hidden"
    AFTER_DUE_DATE = "after_due_date"
    AFTER_PUBLISHED = "after_published"


@dataclass(frozen=True)
class Record:
    """One finished grading.  Marks come from the verdict alone; what the submission says about
    itself, such as its nodes, is kept as a claim."""

    submission: str
    puzzle: str
    game: str
    group: str
    mode: str  # move, line or play
    verdict: Verdict
    score: float
    max_score: float
    reason: str  # for the student
    cause: str = ""  # what the wrong board betrays about the program
    comparison: str = ""  # with the best answer
    staff: str = ""  # for the instructor only
    move: str = ""  # what was played, if it can be named
    best: tuple[str, ...] = ()
    input_board: str = ""
    expected_board: str = ""
    given_board: str = ""
    diff: str = ""  # the boards side by side
    own_diff: str = ""  # the same without the expected one
    visibility: Visibility = Visibility.VISIBLE
    cpu_s: float = 0.0
    wall_s: float = 0.0
    max_rss_kb: int = 0
    nodes_reported: int | None = None
    runs: int = 1
    exit_code: int | None = None
    signal: str = ""
    sandbox: str = ""  # the level it ran in
    limits: Limits = field(default_factory=Limits)
    worker: str = ""
    submission_sha256: str = ""
    input_sha256: str = ""
    expected_sha256: str = ""
    version: str = ""
    started_at: str = ""  # UTC, ISO 8601
    schema: int = SCHEMA

    def as_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = as_plain(self)
        return fields

    @staticmethod
    def from_dict(fields: dict[str, Any]) -> Record:
        """The inverse of `as_dict`, after a round through JSON."""
        return from_plain(Record, fields)


@dataclass(frozen=True)
class Report:
    """A grading to be shown: its records in order, puzzle by puzzle for each submission."""

    records: tuple[Record, ...]
    feedback: Feedback = Feedback.FULL
    title: str = "Checkmark"
