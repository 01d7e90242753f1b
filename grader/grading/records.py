"""Verdicts, judgements, and one record for each submission and puzzle, from which every report
is made; and what has changed between two gradings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from grader.sandbox.job import RunLimits as RunLimits  # also for reports, which see records only
from grader.sandbox.job import as_plain

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

    def share(self, slower: float) -> float:
        """The part of a puzzle's points that it is worth."""
        return 1.0 if self.accepted else slower if self is Verdict.SLOWER else 0.0

    @property
    def words(self) -> str:
        """For people; the value is for programs."""
        return "not the best way" if self is Verdict.SLOWER else self.value

    @property
    def code(self) -> str:
        """The code that contest systems use."""
        return "AC" if self.accepted else CODES.get(self, "WA")


CODES = {
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
    cause: str = ""  # what the answer shows about the program, if anything
    comparison: str = ""  # against the best: "win in 9 instead of 7"
    move: str = ""  # what was played, if that can be said
    best: tuple[str, ...] = ()
    given_board: str = ""  # the answer, if it is a board
    expected_board: str = ""


class Feedback(StrEnum):
    """How much a student sees."""

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
    mode: str  # move or line
    verdict: Verdict
    score: float
    max_score: float
    reason: str  # for the student
    cause: str = ""  # what the wrong board shows about the program
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
    accounting: str = ""  # who measured time and memory: cgroup v2, cgroup v1 or proc
    limits: RunLimits = field(default_factory=RunLimits)
    worker: str = ""
    submission_sha256: str = ""
    input_sha256: str = ""
    expected_sha256: str = ""
    version: str = ""
    started_at: str = ""  # UTC, ISO 8601
    schema: int = SCHEMA

    def as_dict(self) -> dict[str, Any]:
        return dict(as_plain(self))


@dataclass(frozen=True)
class Student:
    """Who handed a submission in, as far as the download of a course system says it.  Names and
    ids of a group are joined."""

    JOINED: ClassVar[str] = "; "

    name: str
    id: str = ""
    late: bool = False

    @property
    def ids(self) -> list[str]:
        return [each for each in self.id.split(self.JOINED) if each]


@dataclass(frozen=True)
class FoundBug:
    """A bug that explains a program's answers.  It is `shown` if it explains illegal ones; else
    the program only plays as if it had the bug."""

    name: str  # "kings never move backward"
    shown: bool
    matching: int  # answers that a right program would not give, and this bug does
    telling: int  # answers by which the bug can be told from a right program
    illegal: int  # of the matching answers
    first: str  # the puzzle that shows it on the smallest board
    rule: str = ""  # what is right instead
    doubt: str = ""  # what else would look like this


@dataclass(frozen=True)
class Diagnosis:
    """What all answers of one submission say about its program.  It never changes marks."""

    bugs: tuple[FoundBug, ...] = ()  # none, one, or two that cannot be told apart
    unexplained: tuple[str, ...] = ()  # puzzles with illegal answers that fit no known bug
    depth: int | None = None  # of a search with the right rules that answers most alike


@dataclass(frozen=True)
class Worksheet:
    """A file of a course system, to be filled in and uploaded again."""

    name: str
    text: str
    column: str = ""  # a part of the name of the one with the marks, if that is not clear


@dataclass(frozen=True)
class Report:
    """A grading to be shown: its records in order, puzzle by puzzle for each submission, and what
    is known about each submission by its name."""

    records: tuple[Record, ...]
    feedback: Feedback = Feedback.FULL
    title: str = "Checkmark"
    students: Mapping[str, Student] = field(default_factory=dict)
    diagnoses: Mapping[str, Diagnosis] = field(default_factory=dict)
    worksheet: Worksheet | None = None


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
        if len({each and (each.verdict, each.score) for each in (change.old, change.new)}) > 1:
            found.append(change)
    return found
