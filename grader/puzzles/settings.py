"""What an instructor sets once for a batch, in the optional file `grader.toml`.

    call = "python3 {submission}/checkers.py {input} {output}"  # how a submission is started
    mode = "move"            # move, line or play
    inputs = "inputs"        # folders, as seen from this file
    expected = "expected"
    feedback = "own"         # full, own or verdict: how much a student is told
    slower = 0.5             # the part of the marks for a right result that takes longer
    points = 1               # for a puzzle
    visibility = "visible"   # or hidden, after_due_date, after_published

    [limits]                 # on one puzzle
    cpu = 10                 # seconds of processor time
    wall = 60                # seconds on the clock
    memory = 1024            # megabytes
    output = 1000000         # bytes
    processes = 64

    [groups.jumps]           # `puzzles` puts puzzles in a group; without it the group is there
    puzzles = ["checkers/double-jump*", "compulsory-*"]
    points = 2
    visibility = "after_due_date"

    [puzzles."checkers/opening"]
    points = 5
    visibility = "hidden"

Everything may be left out; what is said on the command line comes first.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from grader.grading.plan import Mode
from grader.grading.records import Feedback, Visibility
from grader.limits import LEAST_MEGABYTES, MOST_MEGABYTES, MOST_OUTPUT, MOST_SECONDS, Limits
from grader.puzzles.find import About
from grader.submissions.find import check_call
from solver.errors import FileError, UserError, did_you_mean

FILE_NAME = "grader.toml"
Word = TypeVar("Word", bound=StrEnum)
Check = Callable[[Any], Any]


@dataclass(frozen=True)
class Settings:
    limits: Limits = field(default_factory=Limits)
    mode: Mode = Mode.MOVE
    call: str | None = None
    inputs: Path | None = None
    expected: Path | None = None
    feedback: Feedback = Feedback.FULL
    slower: float = 0.5
    points: float = 1.0
    visibility: Visibility = Visibility.VISIBLE
    about: tuple[About, ...] = ()  # groups first, then single puzzles


class Wrong(Exception):
    """Why a value is not allowed, to be followed by what is."""


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: not TOML: {error}") from None


def read_settings(path: Path) -> Settings:
    reading = Reading(path)
    settings = reading.settings(read_toml(path))
    if reading.faults:
        raise UserError("\n".join(reading.faults))
    return settings


class Reading:
    """Collects everything that is wrong with a file before it is refused."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.faults: list[str] = []

    def settings(self, fields: dict[str, Any]) -> Settings:
        tables = {"limits": _table, "groups": _table, "puzzles": _table}
        values = self.checked("", fields, PLAIN | tables)
        limits = self.checked("limits.", values.pop("limits", {}), LIMITS)
        groups, puzzles = values.pop("groups", {}), values.pop("puzzles", {})
        for folder in ("inputs", "expected"):
            if folder in values:
                values[folder] = self.path.parent / values[folder]
        return replace(
            Settings(),
            **values,
            limits=Limits().changed(**{LIMIT_FIELDS[key]: limits[key] for key in limits}),
            about=(*self.groups(groups), *self.puzzles(puzzles)),
        )

    def groups(self, tables: dict[str, Any]) -> list[About]:
        about = []
        for name, table in self.checked("groups.", tables, dict.fromkeys(tables, _table)).items():
            values = self.checked(f"groups.{name}.", table, ABOUT | {"puzzles": _patterns})
            about.append(About(name, values.pop("puzzles", ()), **values))
        return about

    def puzzles(self, tables: dict[str, Any]) -> list[About]:
        about = []
        for name, table in self.checked("puzzles.", tables, dict.fromkeys(tables, _table)).items():
            values = self.checked(f"puzzles.{name}.", table, ABOUT)
            about.append(About("", (name,), **values))
        return about

    def checked(self, where: str, table: dict[str, Any], known: dict[str, Check]) -> dict[str, Any]:
        """The values that are as they should be; the others become faults."""
        values = {}
        for key, value in table.items():
            if key not in known:
                hint = did_you_mean(key, list(known))
                allowed = ", ".join(sorted(known))
                self.faults.append(f"{self.path}: {where}{key}: unknown.{hint} Known: {allowed}.")
                continue
            try:
                values[key] = known[key](value)
            except Wrong as wrong:
                self.faults.append(f"{self.path}: {where}{key}: {wrong}")
        return values


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Wrong(f"{value!r} is not a table")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Wrong(f"{value!r} is not a text in quotation marks")
    return value


def _call(value: Any) -> str:
    try:
        check_call(_text(value))
    except UserError as error:
        raise Wrong(str(error)) from None
    return str(value)


def _patterns(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise Wrong(f'{value!r} is not a list of names such as ["checkers/double-jump*"]')
    return tuple(value)


def _number(least: float, most: float = math.inf) -> Check:
    def check(value: Any) -> float:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not least <= value <= most or value == math.inf:
            bounds = f"from {least:g}" + (f" to {most:g}" if most < math.inf else " on")
            raise Wrong(f"{value!r} is not a number {bounds}")
        return float(value)

    return check


def _whole(least: int, most: int) -> Check:
    def check(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise Wrong(f"{value!r} is not a whole number from {least} to {most}")
        return value

    return check


def _one_of(words: type[Word]) -> Check:
    def check(value: Any) -> Word:
        known = [str(word) for word in words]
        if value not in known:
            hint = did_you_mean(value, known) if isinstance(value, str) else ""
            raise Wrong(f"{value!r} is not one of {', '.join(known)}.{hint}")
        return words(value)

    return check


ABOUT: dict[str, Check] = {"points": _number(0, 1e6), "visibility": _one_of(Visibility)}
PLAIN: dict[str, Check] = ABOUT | {
    "call": _call,
    "mode": _one_of(Mode),
    "inputs": _text,
    "expected": _text,
    "feedback": _one_of(Feedback),
    "slower": _number(0, 1),
}
LIMITS: dict[str, Check] = {
    "cpu": _number(0.01, MOST_SECONDS),
    "wall": _number(0.01, MOST_SECONDS),
    "memory": _whole(LEAST_MEGABYTES, MOST_MEGABYTES),
    "output": _whole(1, MOST_OUTPUT),
    "processes": _whole(1, 10_000),
}
LIMIT_FIELDS = {
    "cpu": "cpu_s",
    "wall": "wall_s",
    "memory": "memory_mb",
    "output": "output_bytes",
    "processes": "processes",
}
