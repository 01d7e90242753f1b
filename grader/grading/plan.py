"""A grading before it begins: everything its marks depend on, with the contents of submissions
and puzzles, so that an interrupted grading continues with what was handed in when it began."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

from grader.grading.records import SCHEMA, Feedback, Record, Report, Worksheet, digest, sha256
from grader.puzzles.find import Case
from grader.sandbox.job import RunLimits, Sandbox, as_plain, from_plain
from grader.submissions.find import Submission
from solver import __version__


class Mode(StrEnum):
    """What an answer is."""

    MOVE = "move"  # the board after the best move
    LINE = "line"  # all boards from the first to the end


@dataclass(frozen=True)
class Task:
    """One submission on one puzzle; `key` is the same if nothing that matters has changed."""

    key: str
    submission: Submission
    case: Case

    @property
    def names(self) -> tuple[str, str]:
        return self.submission.name, self.case.name


@dataclass(frozen=True)
class Plan:
    submissions: tuple[Submission, ...]
    cases: tuple[Case, ...]
    limits: RunLimits
    whole_class: bool = False
    mode: Mode = Mode.MOVE
    slower: float = 0.5  # the part of the marks for a right result that takes longer
    sandbox: Sandbox = Sandbox.AUTO
    feedback: Feedback = Feedback.FULL
    title: str = "Checkmark"
    outputs: tuple[str, ...] = ()  # what to make of the records, as `-o` says it
    worksheet: Worksheet | None = None

    def tasks(self) -> Iterator[Task]:
        conditions = [asdict(self.limits), self.mode, self.slower]
        cases = [
            (case, sha256(case.input), sha256(case.expected + case.proof.encode()), case.points)
            for case in self.cases
        ]
        for submission in self.submissions:
            for case, *known in cases:
                if case.owner in ("", submission.name):
                    key = digest(
                        *(submission.name, submission.sha256, case.name, known, conditions),
                        *(self.sandbox, SCHEMA, __version__),
                    )
                    yield Task(key, submission, case)

    def report(self, records: Mapping[tuple[str, str], Record]) -> Report:
        """The records there are, by the names of their tasks, in the order of the tasks."""
        students = {each.name: each.student for each in self.submissions if each.student}
        pairs = [(each.name, case.name) for each in self.submissions for case in self.cases]
        # Each pair once: students with puzzles of their own have them by the same names.
        ordered = tuple(records[pair] for pair in dict.fromkeys(pairs) if pair in records)
        return Report(ordered, self.feedback, self.title, students, worksheet=self.worksheet)

    def packed(self) -> bytes:
        """The plan as bytes that a later version can read, or refuse."""
        # The fastest level: it is written once, and read only after a crash.
        return zlib.compress(json.dumps({"schema": SCHEMA, "plan": as_plain(self)}).encode(), 1)

    @staticmethod
    def unpacked(content: bytes) -> Plan:
        fields = json.loads(zlib.decompress(content))
        if fields["schema"] != SCHEMA:
            raise ValueError("this grading was begun by another version")
        return from_plain(Plan, fields["plan"])
