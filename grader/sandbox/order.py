"""What the grader asks a warden to do."""

from __future__ import annotations

from dataclasses import dataclass

from grader.sandbox.job import File, Level, Limits


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
