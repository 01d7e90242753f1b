"""The limits that the kernel holds by itself, process by process."""

from __future__ import annotations

import math
import resource

from grader.sandbox.job import GRACE, Limits

OPEN_FILES = 128  # each can hold memory that is nobody's


def set_rlimits(limits: Limits, processes: int | None) -> None:
    """To be called in the new process.  Processor time is measured and cut off by the warden;
    here it is a backstop.  Memory is what can be written to, because Java, Go and Node reserve
    far more than they ever use."""
    seconds = math.ceil(limits.cpu_s * GRACE) + 1
    _set(resource.RLIMIT_CPU, seconds)
    _set(resource.RLIMIT_FSIZE, limits.output_bytes + 1)
    _set(resource.RLIMIT_DATA, limits.memory_mb << 20)
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_NOFILE, OPEN_FILES)
    if processes is not None:
        _set(resource.RLIMIT_NPROC, processes)


def _set(what: int, value: int) -> None:
    hardest = resource.getrlimit(what)[1]
    if hardest != resource.RLIM_INFINITY:
        value = min(value, hardest)
    resource.setrlimit(what, (value, value))
