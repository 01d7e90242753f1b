"""What an instructor sets once for a batch, in the optional file `grader.toml`; grader/README.md
shows one.  Everything may be left out, and the command line comes first."""

from __future__ import annotations

import tomllib
from argparse import ArgumentTypeError
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from grader.grading.plan import Mode
from grader.grading.records import Feedback, Visibility
from grader.puzzles.find import About
from grader.sandbox.job import LEAST_MEGABYTES, MOST_MEGABYTES, MOST_OUTPUT, MOST_SECONDS, RunLimits
from grader.submissions.find import check_call
from solver.cli.options import one_of
from solver.errors import FileError, UserError, did_you_mean

FILE_NAME = "grader.toml"
Check = Callable[[Any], Any]  # the value to use; raises `ValueError` or `UserError`


@dataclass(frozen=True)
class Settings:
    limits: RunLimits = field(default_factory=RunLimits)
    mode: Mode = Mode.MOVE
    call: str | None = None
    inputs: Path | None = None
    expected: Path | None = None
    feedback: Feedback = Feedback.FULL
    slower: float = 0.5
    about: tuple[About, ...] = ()  # all puzzles first, then groups, then single puzzles


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: not UTF-8 text") from None
    except (ValueError, RecursionError) as error:  # also a number of 5000 digits
        raise UserError(f"{path}: not TOML: {error}") from None


def read_settings(path: Path) -> Settings:
    """Raises `UserError` with everything that is wrong with the file."""
    faults: list[str] = []

    def check(where: str, table: dict[str, Any], known: dict[str, Check]) -> dict[str, Any]:
        """The values that are as they should be; the others become faults."""
        values = {}
        for key, value in table.items():
            try:
                if key not in known:
                    hint = did_you_mean(key, list(known))
                    raise ValueError(f"unknown.{hint} Known: {', '.join(sorted(known))}.")
                values[key] = known[key](value)
            except (ValueError, UserError, ArgumentTypeError) as error:
                faults.append(f"{path}: {where}{key}: {error}")
        return values

    def check_tables(kind: str, known: dict[str, Check]) -> dict[str, dict[str, Any]]:
        tables = values.pop(kind, {})
        found = check(f"{kind}.", tables, dict.fromkeys(tables, _table))
        return {name: check(f"{kind}.{name}.", table, known) for name, table in found.items()}

    values = check("", read_toml(path), SETTINGS)
    known_limits = {word: check for word, (_, check) in LIMITS.items()}
    limits = check("limits.", values.pop("limits", {}), known_limits)
    groups = check_tables("groups", ABOUT | {"puzzles": _patterns})
    puzzles = check_tables("puzzles", ABOUT)
    if faults:
        raise UserError("\n".join(faults))
    for folder in ("inputs", "expected"):
        if folder in values:
            values[folder] = path.parent / values[folder]
    general = {key: values.pop(key) for key in ABOUT if key in values}
    about = [About(patterns=("*",), **general)] if general else []
    about += [About(name, table.pop("puzzles", ()), **table) for name, table in groups.items()]
    about += [About("", (name,), **table) for name, table in puzzles.items()]
    changed = {LIMITS[key][0]: value for key, value in limits.items()}
    return replace(Settings(), **values, limits=RunLimits().changed(**changed), about=tuple(about))


def _kind(fits: Callable[[Any], bool], what: str) -> Check:
    def check(value: Any) -> Any:
        if not fits(value):
            raise ValueError(f"{value!r} is not {what}")
        return value

    return check


_table = _kind(lambda value: isinstance(value, dict), "a table")
_text = _kind(
    lambda value: isinstance(value, str) and bool(value.strip()), "a text in quotation marks"
)


def _call(value: Any) -> str:
    check_call(_text(value))
    return str(value)


def _patterns(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise ValueError(f'{value!r} is not a list of names such as ["checkers/double-jump*"]')
    return tuple(value)


def _number(least: float, most: float, whole: bool = False) -> Check:
    kinds = (int,) if whole else (int, float)
    what = f"a whole number from {least} to {most}"
    fits = _kind(
        lambda value: type(value) in kinds and least <= value <= most,
        what if whole else f"a number from {least:g} to {most:g}",
    )
    return lambda value: fits(value) if whole else float(fits(value))


def _one_of(words: type[StrEnum]) -> Check:
    return lambda value: words(one_of(*words)(str(value)))


ABOUT: dict[str, Check] = {"points": _number(0, 1e6), "visibility": _one_of(Visibility)}
SETTINGS: dict[str, Check] = ABOUT | {
    "call": _call,
    "mode": _one_of(Mode),
    "inputs": _text,
    "expected": _text,
    "feedback": _one_of(Feedback),
    "slower": _number(0, 1),
    "limits": _table,
    "groups": _table,
    "puzzles": _table,
}
# The field of `Limits` that a word sets.
LIMITS: dict[str, tuple[str, Check]] = {
    "cpu": ("cpu_s", _number(0.01, MOST_SECONDS)),
    "wall": ("wall_s", _number(0.01, MOST_SECONDS)),
    "memory": ("memory_mb", _number(LEAST_MEGABYTES, MOST_MEGABYTES, whole=True)),
    "output": ("output_bytes", _number(1, MOST_OUTPUT, whole=True)),
    "processes": ("processes", _number(1, 10_000, whole=True)),
}
