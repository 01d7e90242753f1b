"""How a run has ended, from what was measured; an exit code alone can be forged."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass

from grader.sandbox.job import Ending, Limits

OUT_OF_MEMORY = (
    b"MemoryError",
    b"bad_alloc",
    b"OutOfMemoryError",
    b"Cannot allocate memory",
    b"out of memory",
    b"cannot map zero-fill pages",
    b"failed to map segment",
)


@dataclass(frozen=True)
class End:
    ending: Ending
    exit_code: int | None = None
    signal: str = ""


def end_of(
    status: int,
    broken: Ending | None,
    cpu_s: float,
    limits: Limits,
    flooded: bool,
    stderr: bytes,
) -> End:
    """`status` is a wait status, `broken` the limit for which the run was stopped by us."""
    if broken is not None:
        return End(broken, signal="SIGKILL" if broken is Ending.SIGNAL else "")
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if cpu_s > limits.cpu_s:
        ending = Ending.CPU
    elif flooded or number == signal.SIGXFSZ:
        ending = Ending.OUTPUT
    elif status and any(words in stderr for words in OUT_OF_MEMORY):
        ending = Ending.MEMORY
    else:
        ending = Ending.SIGNAL if number else Ending.EXIT
    return End(ending, code, _name(number))


def status_of_code(code: int) -> int:
    """The wait status behind a shell's exit code, in which a signal is 128 more than its
    number."""
    return code - 128 if code > 128 and _name(code - 128) else code << 8


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name if number else ""
    except ValueError:
        return f"signal {number}" if number < 65 else ""
