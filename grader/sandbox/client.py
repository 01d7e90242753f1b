"""Running jobs, from any number of threads: the choice of a level, and `run`.  Nothing that a
submission does raises an exception; an error on our side is the outcome `Ending.FAULT`."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from grader.sandbox.job import ON_LINUX, Ending, File, Job, Level, Outcome, RunLimits, Sandbox
from grader.sandbox.pool import POOL, Closed, Order
from grader.sandbox.scratch import NOT_A_FILE, PRINTED_BYTES, BadName, is_shortage, lay_out, unpack
from grader.sandbox.view import OUTPUT_NAME, NotFound, Program, find_program, plain_view

TRIAL_INPUT = b"........\n"
TRIAL_LIMITS = RunLimits(cpu_s=20, wall_s=120)
TRIAL = "import shutil, sys; shutil.copyfile(*sys.argv[1:3]); open(sys.argv[3])"
BORROW = "import solver.games.checkers as found; print(found.__file__ or '')"


@dataclass(frozen=True)
class LevelReport:
    """`reason` says why a level is not available, or what it lacks here."""

    level: Level
    available: bool
    reason: str = ""
    accounting: str = ""  # of its runs


class Refused(Exception):
    """The requested isolation is not available; the message says why and what to do."""


class Short(Refused):
    """Nothing can be said about isolation now: this machine has too little of something."""


def run(job: Job) -> Outcome:
    """At the strongest level that the job's sandbox and this machine allow."""
    try:
        if job.sandbox is Sandbox.REQUIRE:
            find_warnings(job.sandbox, job.command[:1])
        return run_at(job, choose_level(job.sandbox))
    except (Refused, NotFound) as error:
        return replace(_fault(str(error)), shortage=isinstance(error, Short))


def run_at(job: Job, level: Level) -> Outcome:
    """At one level, whatever the job asks for."""
    try:
        if not job.command:
            raise NotFound("the command is empty")
        program = find_program(job.command[0])
        return POOL.ask(Order(job, level, program)) if ON_LINUX else _run_plain(job, program)
    except (OSError, NotFound, BadName, Closed, ValueError, LookupError, RuntimeError) as error:
        return replace(_fault(f"{error}", level), shortage=is_shortage(error))


def stop() -> None:
    """End all runs at once; each becomes a fault in the thread that waits."""
    POOL.stop()


def _fault(words: str, level: Level | None = None) -> Outcome:
    return Outcome(
        Ending.FAULT,
        level=level or "",
        fault=words,
        worker=f"{socket.gethostname()}:{os.getpid()}",
        started_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )


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


def find_warnings(sandbox: Sandbox, programs: Iterable[str]) -> list[str]:
    """What an instructor must know before trusting marks of submissions that are started by some
    programs; `Refused` if the strongest isolation is required and not enough."""
    level = choose_level(sandbox)
    found = [level.warning, *(_find_leak(each, level) for each in programs)]
    if sandbox is Sandbox.REQUIRE and any(found):
        raise Refused(f"{' '.join(found).strip()} Use another Python for submissions.")
    return [each for each in found if each]


@functools.cache
def _find_leak(word: str, level: Level) -> str:
    """What is wrong if a submission in Python could import parts of Checkmark: really tried."""
    if level is Level.LIMITS or not find_program(word).python:  # whose warning says it anyhow
        return ""
    outcome = _try_out(Job("leak", (), (word, "-c", BORROW), "none", b"", TRIAL_LIMITS), level)
    found = outcome.stdout.decode(errors="replace").split()
    return f"Submissions can import {found[0]}, which solves every puzzle." if found else ""


def _try_out(job: Job, level: Level) -> Outcome:
    outcome = run_at(job, level)
    if outcome.shortage:  # or a full disk would look like a missing level
        raise Short(f"The sandbox cannot be tried out: {outcome.fault}.")
    return outcome


def level_reports() -> tuple[LevelReport, ...]:
    """All levels, the strongest first."""
    return tuple(map(level_report, Level))


@functools.cache
def level_report(level: Level) -> LevelReport:
    """Whether this machine offers a level: really run something that looks at a file outside."""
    if not ON_LINUX:
        plain = level is Level.LIMITS
        return LevelReport(
            level, plain, "only time and output are limited" if plain else "it needs Linux"
        )
    from grader.sandbox import kernel, levels

    landlock = kernel.landlock_version()
    if level is Level.BUBBLEWRAP and not levels.BWRAP:
        return LevelReport(level, False, "bwrap is not installed")
    if level is Level.LANDLOCK and not landlock:
        return LevelReport(level, False, "the kernel has no Landlock")
    with tempfile.NamedTemporaryFile() as secret:
        os.chmod(secret.name, 0o644)
        words = ("-I", "-S", "-c", TRIAL, "{input}", "{output}", secret.name)
        command = (sys.executable, *words)
        trial = Job("trial", (), command, "board.txt", TRIAL_INPUT, TRIAL_LIMITS)
        outcome = _try_out(trial, level)
    if outcome.ending is not Ending.EXIT or outcome.output != TRIAL_INPUT:
        reason = outcome.fault or outcome.stderr.decode(errors="replace").strip()
        return LevelReport(level, False, reason or f"a trial ended with {outcome.ending.value}")
    if level is not Level.LIMITS and outcome.exit_code == 0:
        return LevelReport(level, False, "a trial could read a file outside of its sandbox")
    lacks = ""
    if level is Level.LANDLOCK and landlock < 6:
        lacks = f"Landlock {landlock} does not cover signals"
    elif level is not Level.BUBBLEWRAP and os.uname().machine not in kernel.MACHINES:
        lacks = "system calls and sockets are not restricted here"
    return LevelReport(level, True, lacks, outcome.accounting)


def _run_plain(job: Job, program: Program) -> Outcome:
    """A subprocess with a wall-clock limit, where there is no Linux.  Its time is wall-clock
    time, and a daemon may survive it."""
    outcome = _fault("", Level.LIMITS)  # with the time of the start
    with tempfile.TemporaryDirectory(prefix="checkmark-", ignore_cleanup_errors=True) as place:
        folder = os.path.realpath(place)
        lay_out(folder, job.files, None)
        unpack([File(job.input_name, job.input)], f"{folder}/input")
        view = plain_view(folder, job.input_name)
        command = [view.fill(word) for word in (program.path, *job.command[1:])]
        environment = view.environment(command[0])
        if "SYSTEMROOT" in os.environ:  # without it, Windows starts no Python
            environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
        with open(f"{folder}/stdout", "wb") as stdout, open(f"{folder}/stderr", "wb") as stderr:
            began = time.monotonic()
            process = subprocess.Popen(
                command,
                cwd=view.submission,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=os.name == "posix",
            )
            code = _wait_and_kill(process, job.limits.wall_s)
            wall_s = round(time.monotonic() - began, 6)
        path = f"{view.output}/{OUTPUT_NAME}"
        is_file = os.path.isfile(path) and not os.path.islink(path)
        starts = []
        for each in (stdout.name, stderr.name, *([path] if is_file else ())):
            with open(each, "rb") as file:
                starts.append(file.read(job.limits.output_bytes + 1))
        large = max(map(len, starts)) > job.limits.output_bytes
        no_file = os.path.lexists(path) and not is_file
    ending, name = Ending.EXIT, ""
    if code is None:
        ending = Ending.WALL
    elif large:
        ending, code = Ending.OUTPUT, None
    elif code < 0:
        name = signal.Signals(-code).name
        ending, code = Ending.SIGNAL, None
    return replace(
        outcome,
        ending=ending,
        exit_code=code,
        signal=name,
        output=starts[2] if is_file and not large else None,
        output_fault=NOT_A_FILE if no_file else "",
        stdout=starts[0][:PRINTED_BYTES],
        stderr=starts[1][:PRINTED_BYTES],
        cpu_s=wall_s,
        wall_s=wall_s,
    )


def _wait_and_kill(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Its exit code, or None if it took too long.  What is left of its session ends too."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(OSError):  # gone already
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
