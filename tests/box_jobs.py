"""Small jobs for tests of the box."""

from __future__ import annotations

import hashlib
from typing import Any

from grader.limits import Limits
from grader.runs import File, Job

LIMITS = Limits(cpu_s=10, wall_s=60, memory_mb=256, output_bytes=100_000, processes=32)
INPUT = b"a board\n"


def script(source: str, *words: str, **fields: Any) -> Job:
    """A submission of one Python file, called with the input, the output and more words; without
    its `site`, Python starts much faster."""
    files = (File("checkers.py", source.encode()),)
    return job(("python3", "-S", "checkers.py", "{input}", "{output}", *words), files, **fields)


def job(command: tuple[str, ...], files: tuple[File, ...] = (), **fields: Any) -> Job:
    digest = hashlib.sha256(repr(files).encode()).hexdigest()
    fields = {"input_name": "board.txt", "input": INPUT, "limits": LIMITS, **fields}
    return Job(submission=digest, files=files, command=command, **fields)
