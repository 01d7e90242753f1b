"""One run of one program on one input: what is asked for, and what came of it.

Both travel between processes and machines, so they are plain values.  A run knows no game and
no expected answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from grader.limits import Limits


class Sandbox(StrEnum):
    """How much isolation a grading asks for."""

    REQUIRE = "require"  # the strongest level or nothing
    AUTO = "auto"  # the strongest level that this machine gives
    OFF = "off"  # limits only, for one's own code


class Ending(StrEnum):
    """How a run ended; whether its output is any good is for the judge to say."""

    EXIT = "exit"  # by itself, whatever the exit code
    SIGNAL = "signal"
    CPU = "cpu"  # used more processor time than it may
    WALL = "wall"  # was still there when the wall clock's limit was over
    MEMORY = "memory"
    OUTPUT = "output"  # wrote more than it may
    FAULT = "fault"  # could not be run at all: never the submission's fault


@dataclass(frozen=True)
class File:
    """A file of a submission: its path below the submission's folder, and its content."""

    path: str
    content: bytes
    executable: bool = False


@dataclass(frozen=True)
class Job:
    """Run `command` in a copy of the submission's folder, with one input file.

    The words of the command may hold `{input}`, `{output}` and `{submission}`, which become
    paths inside the box.  `reads` are further folders of this machine that the command needs,
    such as the interpreter of a virtual environment; system folders are always there.
    """

    submission: str  # the sha256 of the files: the same for the same content
    files: tuple[File, ...]
    command: tuple[str, ...]
    input_name: str  # a file name such as `board.txt`
    input: bytes
    limits: Limits
    sandbox: Sandbox = Sandbox.AUTO
    reads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    ending: Ending
    exit_code: int | None = None
    signal: str = ""  # such as `SIGSEGV`
    output: bytes | None = None  # None if there is no regular file
    output_fault: str = ""  # why there is none, if something else lies there
    stdout: bytes = b""  # the first 64 KiB
    stderr: bytes = b""
    cpu_s: float = 0.0
    wall_s: float = 0.0
    max_rss_kb: int = 0
    level: str = ""  # the isolation it ran in
    fault: str = ""  # what went wrong on our side, in words for the staff
    worker: str = ""  # host and process
    started_at: str = ""  # UTC, ISO 8601
