"""Runs one command that nobody trusts on one input, in a box.  Knows no game.

Any number of threads may run jobs at the same time.  Nothing that a submission does raises an
exception here; what goes wrong on our side is the outcome `Ending.FAULT`, with words.
"""

from __future__ import annotations

import os
import socket
from datetime import UTC, datetime

from grader.sandbox.job import Ending, Job, Level, Outcome
from grader.sandbox.levels import LevelReport, Refused, choose_level, level_reports
from grader.sandbox.order import Order
from grader.sandbox.pool import POOL, WardenLost
from grader.sandbox.program import NotFound, find_program

__all__ = [
    "Level",
    "LevelReport",
    "Refused",
    "choose_level",
    "level_reports",
    "run",
    "run_at",
    "stop",
]


def run(job: Job) -> Outcome:
    """At the strongest level that the job's sandbox and this machine give."""
    try:
        level = choose_level(job.sandbox)
    except Refused as error:
        return _fault(str(error))
    return run_at(job, level)


def run_at(job: Job, level: Level) -> Outcome:
    """At one level, whatever the job asks for."""
    try:
        if not job.command:
            raise NotFound("the command is empty")
        program = find_program(job.command[0])
        return POOL.ask(
            Order(
                level=level,
                submission=job.submission,
                files=job.files,
                forget=(),
                program=program.path,
                arguments=job.command[1:],
                input_name=job.input_name,
                input=job.input,
                limits=job.limits,
                reads=(*program.reads, *job.reads),
                python=program.python,
            )
        )
    except (OSError, NotFound, WardenLost, ValueError, LookupError, RuntimeError) as error:
        return _fault(f"{error}", level)


def stop() -> None:
    """End all runs that are going on, at once; each becomes a fault in the thread that waits."""
    POOL.stop()


def _fault(words: str, level: Level | None = None) -> Outcome:
    return Outcome(
        Ending.FAULT,
        fault=words,
        level=level or "",
        worker=f"{socket.gethostname()}:{os.getpid()}",
        started_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )
