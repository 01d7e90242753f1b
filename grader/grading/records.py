"""What grading is about: verdicts, judgements, and one record for each submission and puzzle.

Everything shown later is made from records.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from grader.grading.serialise import as_plain, from_plain
from grader.sandbox.job import Limits

SCHEMA = 1
# Written into every journal, so that no other file is taken for one.
APPLICATION = 0x43686B6D
NOT_YOUR_FAULT = "This could not be judged. That is not the fault of your program."


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def digest(*parts: Any) -> str:
    """A hash of JSON values."""
    return sha256(json.dumps(parts, sort_keys=True).encode())


class Verdict(StrEnum):
    """What can become of an answer, from the best on; the value is the word in every record."""

    EXACT = "exact"  # the canonical best board
    EQUAL = "equal"  # another move of the same value
    SLOWER = "slower"  # keeps the result, takes longer
    WORSE = "worse"  # throws the win or the draw away
    ILLEGAL = "illegal"  # breaks a rule of the game
    MALFORMED = "malformed"  # is not a board
    MISSING = "missing"  # there is no output
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output-limit"
    CRASH = "crash"
    JUDGE_ERROR = "judge-error"  # our fault, never the student's

    @property
    def accepted(self) -> bool:
        return self in (Verdict.EXACT, Verdict.EQUAL)

    @property
    def words(self) -> str:
        """For people; the value is for programs."""
        return "not the best way" if self is Verdict.SLOWER else self.value

    @property
    def code(self) -> str:
        """The code that contest systems use."""
        return CODES[self]


CODES = {
    Verdict.EXACT: "AC",
    Verdict.EQUAL: "AC",
    Verdict.SLOWER: "WA",
    Verdict.WORSE: "WA",
    Verdict.ILLEGAL: "WA",
    Verdict.MALFORMED: "WA",
    Verdict.MISSING: "NO",
    Verdict.TIMEOUT: "TLE",
    Verdict.MEMORY: "MLE",
    Verdict.OUTPUT_LIMIT: "OLE",
    Verdict.CRASH: "RTE",
    Verdict.JUDGE_ERROR: "JE",
}


@dataclass(frozen=True)
class Judgement:
    """`reason` and `cause` are about the given answer only; what gives the right answer away is in
    `best` and `comparison`, which students see with full feedback only."""

    verdict: Verdict
    reason: str
    cause: str = ""  # what the answer betrays about the program, if anything
    comparison: str = ""  # against the best: "win in 9 instead of 7"
    move: str = ""  # what was played, if that can be said
    best: tuple[str, ...] = ()
    given: str = ""  # the answer as a board, if it is one
    expected: str = ""
    share: float | None = None  # part of the marks, where the verdict alone does not say


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
