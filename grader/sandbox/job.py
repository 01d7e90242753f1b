"""One run of one program on one input: the job and its outcome, as plain values that travel
between processes and machines as JSON.  A run knows no game and no expected answer."""

from __future__ import annotations

import sys
import types
from base64 import b64decode, b64encode
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum, StrEnum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

ON_LINUX = sys.platform == "linux"

# A program may go on for this many times its limit on processor time.  If it ends by itself
# before that, a busy machine may be to blame, and it is run once more.
GRACE = 1.2
MOST_SECONDS = 1_000_000.0
LEAST_MEGABYTES = 16  # with less, hardly any program starts, and it dies without a message
MOST_MEGABYTES = 1 << 20
MOST_OUTPUT = 1 << 30
WALL_TO_CPU = 3  # the wall-clock limit is at least this many times the limit on processor time


class Level(StrEnum):
    """How strongly a run is isolated, from the strongest to the weakest."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    LIMITS = "limits"

    @property
    def helpers(self) -> int:
        """Processes of the sandbox itself: one waits outside, one is the first inside."""
        return 2 if self is Level.BUBBLEWRAP else 0

    @property
    def warning(self) -> str:
        """What an instructor must know before trusting this level; empty if there is nothing."""
        return WARNINGS.get(self, "") if ON_LINUX else WARNING_OFF_LINUX


SUMMARIES = {
    Level.BUBBLEWRAP: "own files, processes, network and users, by bubblewrap",
    Level.LANDLOCK: "few files, no sockets, no signals to others, by Landlock and seccomp",
    Level.LIMITS: "limits on time, memory, output and processes",
}
WARNINGS = {
    Level.LANDLOCK: (
        "Submissions run under Landlock only: they can see that other files exist and, unless you "
        "are root, change the modes of your files. Install bubblewrap for more."
    ),
    Level.LIMITS: (
        "Submissions run WITHOUT ISOLATION: they can read the expected files, ask Checkmark's own "
        "solver, use the network and change files that you can change. Install bubblewrap."
    ),
}
WARNING_OFF_LINUX = (
    "Submissions run WITHOUT ISOLATION, with a limit on wall-clock time and output only. They can "
    "do whatever you can do. Isolation needs Linux."
)


class Sandbox(StrEnum):
    """How much isolation a grading asks for."""

    REQUIRE = "require"  # the strongest level or nothing
    AUTO = "auto"  # the strongest level that this machine offers
    OFF = "off"  # limits only, for one's own code


@dataclass(frozen=True)
class RunLimits:
    """Time counts as processor time; the wall clock is only a lax guard against sleepers."""

    cpu_s: float = 10.0
    wall_s: float = 60.0
    memory_mb: int = 1024
    output_bytes: int = 1_000_000
    processes: int = 64

    def changed(self, **fields: Any) -> RunLimits:
        """These limits with some of them replaced.  More processor time without a word about
        the wall clock allows more of that too."""
        limits = replace(self, **fields)
        if "cpu_s" in fields and "wall_s" not in fields:
            return replace(limits, wall_s=max(limits.wall_s, WALL_TO_CPU * limits.cpu_s))
        return limits


class Ending(StrEnum):
    """How a run ended; whether its output is any good is for the judge to say."""

    EXIT = "exit"  # by itself, whatever the exit code
    SIGNAL = "signal"
    CPU = "cpu"  # used too much processor time
    WALL = "wall"  # was still running at the wall-clock limit
    MEMORY = "memory"
    OUTPUT = "output"  # wrote too much
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

    The words of the command may contain `{input}`, `{output}` and `{submission}`, which become
    paths inside the sandbox.
    """

    submission: str  # the sha256 of the files: the same for the same content
    files: tuple[File, ...]
    command: tuple[str, ...]
    input_name: str  # a file name such as `board.txt`
    input: bytes
    limits: RunLimits
    sandbox: Sandbox = Sandbox.AUTO


@dataclass(frozen=True)
class Outcome:
    ending: Ending
    exit_code: int | None = None
    signal: str = ""  # such as `SIGSEGV`
    output: bytes | None = None  # None if there is no regular file
    output_fault: str = ""  # why there is none, if something else is in its place
    stdout: bytes = b""  # the first 64 KiB
    stderr: bytes = b""
    cpu_s: float = 0.0
    wall_s: float = 0.0
    max_rss_kb: int = 0
    level: str = ""  # the isolation it ran in
    accounting: str = ""  # who measured it: `cgroup v2`, `cgroup v1` or `proc`
    fault: str = ""  # what went wrong on our side, in words for the staff
    shortage: bool = False  # it was that this machine has too little of something
    worker: str = ""  # host and process
    started_at: str = ""  # UTC, ISO 8601


T = TypeVar("T")


def as_plain(value: Any) -> Any:
    """Values of JSON for dataclasses of texts, numbers, bytes, paths, enums and tuples."""
    if is_dataclass(value):
        return {field.name: as_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [as_plain(each) for each in value]
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Path) else value


def from_plain(kind: type[T], plain: Any) -> T:
    """The inverse of `as_plain`, by types.  Raises `ValueError`, `TypeError` or `KeyError`."""
    value: T = _value(kind, plain)
    return value


def _value(kind: Any, plain: Any) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):  # something or None
        (kind,) = [each for each in get_args(kind) if each is not types.NoneType]
        return None if plain is None else _value(kind, plain)
    if origin is tuple:
        return tuple(_value(get_args(kind)[0], each) for each in plain)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{name: _value(hints[name], each) for name, each in plain.items()})
    if kind is bytes:
        return b64decode(plain)
    return kind(plain) if issubclass(kind, Enum | Path) else plain


_hints = cache(get_type_hints)
