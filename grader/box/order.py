"""What the grader asks a warden to do, and how it travels."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Any

from grader.box.level import Level
from grader.limits import Limits
from grader.runs import Ending, File, Outcome


@dataclass(frozen=True)
class Order:
    """One run.  `files` is None if this warden has unpacked them before."""

    level: Level
    submission: str
    files: tuple[File, ...] | None
    forget: tuple[str, ...]  # submissions that need not be kept any longer
    program: str  # an absolute path, or relative to the submission's folder
    arguments: tuple[str, ...]
    input_name: str
    input: bytes
    limits: Limits
    reads: tuple[str, ...]  # folders that the program needs
    python: bool = False  # whether the program is a Python interpreter

    def as_json(self) -> dict[str, Any]:
        return {
            **vars(self),
            "limits": vars(self.limits),
            "files": None if self.files is None else [_file_as_json(file) for file in self.files],
            "input": b64encode(self.input).decode(),
        }

    @staticmethod
    def from_json(fields: dict[str, Any]) -> Order:
        files = fields["files"]
        return Order(
            **{
                **fields,
                "level": Level(fields["level"]),
                "files": None if files is None else tuple(_file_from_json(file) for file in files),
                "forget": tuple(fields["forget"]),
                "arguments": tuple(fields["arguments"]),
                "input": b64decode(fields["input"]),
                "limits": Limits(**fields["limits"]),
                "reads": tuple(fields["reads"]),
            }
        )


def _file_as_json(file: File) -> list[Any]:
    return [file.path, b64encode(file.content).decode(), file.executable]


def _file_from_json(fields: list[Any]) -> File:
    path, content, executable = fields
    return File(path, b64decode(content), executable)


BYTES = ("output", "stdout", "stderr")


def outcome_as_json(outcome: Outcome) -> dict[str, Any]:
    fields = dict(vars(outcome))
    for name in BYTES:
        fields[name] = None if fields[name] is None else b64encode(fields[name]).decode()
    return fields


def outcome_from_json(fields: dict[str, Any]) -> Outcome:
    values = {name: fields[name] and b64decode(fields[name]) for name in BYTES}
    for name in BYTES:  # an empty text stays an empty text
        if fields[name] == "":
            values[name] = b""
    return Outcome(**{**fields, **values, "ending": Ending(fields["ending"])})
