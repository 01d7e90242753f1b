"""Runs one command that nobody trusts on one input, and leaves nothing of it behind.

`run(job)` is the only way in; README.md says what each level of isolation promises.
"""

from grader.sandbox.client import (
    LevelReport,
    Refused,
    choose_level,
    level_reports,
    run,
    run_at,
    stop,
)
from grader.sandbox.job import (
    GRACE,
    LEAST_MEGABYTES,
    MOST_MEGABYTES,
    MOST_OUTPUT,
    MOST_SECONDS,
    Ending,
    File,
    Job,
    Level,
    Limits,
    Outcome,
    Sandbox,
)
from grader.sandbox.program import NotFound, Program, find_program

__all__ = [
    "GRACE",
    "LEAST_MEGABYTES",
    "MOST_MEGABYTES",
    "MOST_OUTPUT",
    "MOST_SECONDS",
    "Ending",
    "File",
    "Job",
    "Level",
    "LevelReport",
    "Limits",
    "NotFound",
    "Outcome",
    "Program",
    "Refused",
    "Sandbox",
    "choose_level",
    "find_program",
    "level_reports",
    "run",
    "run_at",
    "stop",
]
