"""Which levels this machine gives: each is tried by really running something in it."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from dataclasses import dataclass

from grader.sandbox import bubblewrap, landlock
from grader.sandbox.job import Ending, Level, Limits, Sandbox
from grader.sandbox.order import Order
from grader.sandbox.pool import POOL, WardenLost
from grader.sandbox.program import NotFound, find_program

BOARD = b"........\n"
TRIAL_LIMITS = Limits(cpu_s=20, wall_s=120)
TRIAL = """
import shutil, sys
shutil.copyfile(sys.argv[1], sys.argv[2])
try:
    open(sys.argv[3]).close()
except OSError:
    sys.exit(7)
"""
HELD = 7


@dataclass(frozen=True)
class LevelReport:
    """`reason` says why a level is not available, or what it lacks here."""

    level: Level
    available: bool
    reason: str = ""


class Refused(Exception):
    """The isolation that was asked for is not there; the message says why and what to do."""


_lock = threading.RLock()
_reports: dict[Level, LevelReport] = {}


def level_reports() -> tuple[LevelReport, ...]:
    """All levels, the strongest first."""
    return tuple(level_report(level) for level in Level)


def level_report(level: Level) -> LevelReport:
    """Tried once in the life of a process."""
    with _lock:
        if level not in _reports:
            _reports[level] = _try(level)
        return _reports[level]


def choose_level(sandbox: Sandbox) -> Level:
    """The level at which jobs will run, or `Refused`."""
    if sandbox is Sandbox.OFF:
        return Level.LIMITS
    if sandbox is Sandbox.REQUIRE:
        report = level_report(Level.BUBBLEWRAP)
        if not report.available:
            raise Refused(
                f"The strongest isolation is not available: {report.reason}. "
                "Install bubblewrap, or allow a weaker level with --sandbox auto."
            )
        return Level.BUBBLEWRAP
    return next(level for level in Level if level_report(level).available or level is Level.LIMITS)


def _try(level: Level) -> LevelReport:
    missing = _missing(level)
    if missing:
        return LevelReport(level, False, missing)
    with tempfile.NamedTemporaryFile() as secret:
        os.chmod(secret.name, 0o644)
        try:
            program = find_program(sys.executable)
            order = Order(
                level=level,
                submission="a trial of this machine",
                files=(),
                forget=(),
                program=program.path,
                arguments=("-I", "-S", "-c", TRIAL, "{input}", "{output}", secret.name),
                input_name="board.txt",
                input=BOARD,
                limits=TRIAL_LIMITS,
                reads=program.reads,
            )
            outcome = POOL.ask(order)
        except (OSError, NotFound, WardenLost) as error:
            return LevelReport(level, False, str(error))
    if outcome.ending is not Ending.EXIT or outcome.output != BOARD:
        said = outcome.fault or outcome.stderr.decode(errors="replace").strip()
        return LevelReport(level, False, said or f"a trial ended with {outcome.ending.value}")
    if level is not Level.LIMITS and outcome.exit_code != HELD:
        return LevelReport(level, False, "a trial could read a file outside of its box")
    return LevelReport(level, True, _lacking(level))


def _missing(level: Level) -> str:
    if level is Level.BUBBLEWRAP and not bubblewrap.PROGRAM:
        return "bwrap is not installed"
    if level is Level.LANDLOCK and not landlock.version():
        return "the kernel has no Landlock"
    return ""


def _lacking(level: Level) -> str:
    version = landlock.version()
    if level is not Level.LANDLOCK or version >= 6:
        return ""
    return f"Landlock {version} knows no {'signals' if version >= 4 else 'TCP and no signals'}"
