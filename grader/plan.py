"""A grading before it begins: everything its marks depend on.

A plan holds the contents of submissions and puzzles, not their paths.  An interrupted grading
goes on with what was handed in when it began, whatever has happened to the files since.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from grader.cases import Case
from grader.keys import digest, sha256
from grader.limits import Limits
from grader.records import SCHEMA, Feedback, Visibility
from grader.runs import File, Sandbox
from grader.submissions import Submission
from solver import __version__


class Mode(StrEnum):
    """What an answer is."""

    MOVE = "move"  # the board after the best move
    LINE = "line"  # all boards from the first to the end
    PLAY = "play"  # a game against the best defence, each move a fresh run


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
    limits: Limits
    whole_class: bool = False
    mode: Mode = Mode.MOVE
    repeat: int = 1
    slower: float = 0.5  # the part of the marks for a right result that takes longer
    strict: bool = False
    sandbox: Sandbox = Sandbox.AUTO
    feedback: Feedback = Feedback.FULL
    title: str = "Checkmark"
    outputs: tuple[str, ...] = ()  # what to make of the records, as `-o` says it

    def tasks(self) -> Iterator[Task]:
        conditions = [asdict(self.limits), self.mode, self.repeat, self.slower, self.strict]
        cases = [
            (case, sha256(case.input), sha256(case.expected + case.proof.encode()), case.points)
            for case in self.cases
        ]
        for submission in self.submissions:
            for case, *known in cases:
                key = digest(
                    *(submission.name, submission.sha256, case.name, known, conditions),
                    *(self.sandbox, SCHEMA, __version__),
                )
                yield Task(key, submission, case)

    def packed(self) -> bytes:
        """The plan as bytes that a later version can read, or refuse."""
        fields = {"schema": SCHEMA, **asdict(self)}
        return zlib.compress(json.dumps(fields, default=_plain).encode())

    @staticmethod
    def unpacked(content: bytes) -> Plan:
        fields = json.loads(zlib.decompress(content))
        if fields.pop("schema") != SCHEMA:
            raise ValueError("this grading was begun by another version")
        return Plan(
            **{
                **fields,
                "submissions": tuple(_submission(each) for each in fields["submissions"]),
                "cases": tuple(_case(each) for each in fields["cases"]),
                "limits": Limits(**fields["limits"]),
                "mode": Mode(fields["mode"]),
                "sandbox": Sandbox(fields["sandbox"]),
                "feedback": Feedback(fields["feedback"]),
                "outputs": tuple(fields["outputs"]),
            }
        )


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{value!r} has no place in a plan")


def _submission(fields: dict[str, Any]) -> Submission:
    files = [
        File(**{**each, "content": base64.b64decode(each["content"])}) for each in fields["files"]
    ]
    return Submission(**{**fields, "command": tuple(fields["command"]), "files": tuple(files)})


def _case(fields: dict[str, Any]) -> Case:
    return Case(
        **{
            **fields,
            "input_path": Path(fields["input_path"]),
            "input": base64.b64decode(fields["input"]),
            "expected": base64.b64decode(fields["expected"]),
            "visibility": Visibility(fields["visibility"]),
        }
    )
