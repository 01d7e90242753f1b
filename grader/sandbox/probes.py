"""The probes of `grader doctor`: each attack really run, at every level that is available."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from grader.sandbox import attacks, excesses
from grader.sandbox.client import level_reports, run_at
from grader.sandbox.job import Ending, File, Job, Level, Outcome
from grader.sandbox.levels import LevelReport
from grader.sandbox.stage import LIMITS, Stage, staged

SHORT = 0.5  # seconds for an attack that is about time; a pause of the machine may take as long
DYING = 1.0  # seconds in which a killed process is gone, also on a busy machine


class Held(StrEnum):
    HELD = "held"
    NOT_HELD = "not held"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True)
class ProbeResult:
    level: Level
    probe: str
    held: Held
    words: str = ""  # what happened, where that is not as it should be


Check = Callable[[Outcome, Stage], bool]


@dataclass(frozen=True)
class Probe:
    """`holds` says whether a box has held, from what came of the attack."""

    name: str
    attack: str
    holds: Check
    twice: bool = False  # only a second run shows it
    cpu_s: float = LIMITS.cpu_s
    wall_s: float = LIMITS.wall_s


def _stopped(outcome: Outcome, stage: Stage) -> bool:
    return outcome.ending is Ending.EXIT and outcome.exit_code == 0


def _ends(ending: Ending) -> Check:
    return lambda outcome, stage: outcome.ending is ending


def _not_written(outcome: Outcome, stage: Stage) -> bool:
    written = stage.open_folder / "written"
    reached = written.exists()
    written.unlink(missing_ok=True)
    return _stopped(outcome, stage) and not reached


def _modes_kept(outcome: Outcome, stage: Stage) -> bool:
    kept = stat.S_IMODE(stage.secret.stat().st_mode) == 0o644
    stage.secret.chmod(0o644)
    return _stopped(outcome, stage) and kept


def _nothing_heard(outcome: Outcome, stage: Stage) -> bool:
    heard = stage.heard()
    return _stopped(outcome, stage) and not heard


def _victim_lives(outcome: Outcome, stage: Stage) -> bool:
    try:
        stage.victim.wait(DYING)
    except subprocess.TimeoutExpired:
        return _stopped(outcome, stage)
    return False


def _nobody_left(outcome: Outcome, stage: Stage) -> bool:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if stage.token.encode() in words:
            return False
    return _stopped(outcome, stage)


def _no_answer(outcome: Outcome, stage: Stage) -> bool:
    return _stopped(outcome, stage) and outcome.output is None and bool(outcome.output_fault)


def _answered(outcome: Outcome, stage: Stage) -> bool:
    return _stopped(outcome, stage) and outcome.output == b"answer"


def _stopped_or_flooded(outcome: Outcome, stage: Stage) -> bool:
    return outcome.ending is Ending.OUTPUT or _stopped(outcome, stage)


def _stopped_or_killed(outcome: Outcome, stage: Stage) -> bool:
    return outcome.ending is Ending.SIGNAL or _stopped(outcome, stage)


PROBES = (
    Probe("reads the expected answer", attacks.READS_EXPECTED, _stopped),
    Probe("reads the grader's home", attacks.READS_HOME, _stopped),
    Probe("reads the grader's environment", attacks.READS_ENVIRONMENT, _stopped),
    Probe("writes outside of its folder", attacks.WRITES_OUTSIDE, _not_written),
    Probe("changes modes of other files", attacks.CHANGES_MODES, _modes_kept),
    Probe("uses TCP", attacks.USES_TCP, _stopped),
    Probe("uses UDP", attacks.USES_UDP, _nothing_heard),
    Probe("uses abstract sockets", attacks.USES_LOCAL_SOCKETS, _stopped),
    Probe("sees other processes", attacks.SEES_PROCESSES, _stopped),
    Probe("traces other processes", attacks.TRACES_PROCESSES, _stopped),
    Probe("keeps rights of root", attacks.KEEPS_RIGHTS, _stopped),
    Probe("finds open files", attacks.FINDS_OPEN_FILES, _stopped),
    Probe("starts too many processes", excesses.FORKS, _stopped_or_killed),
    Probe("leaves a daemon behind", attacks.LEAVES_A_DAEMON, _nobody_left),
    Probe("takes too much memory", excesses.TAKES_MEMORY, _ends(Ending.MEMORY)),
    Probe("takes it in many processes", excesses.TAKES_MEMORY_TOGETHER, _ends(Ending.MEMORY)),
    Probe("takes it as shared memory", excesses.TAKES_SHARED_MEMORY, _stopped),
    Probe("takes too much time", excesses.TAKES_TIME, _ends(Ending.CPU), cpu_s=SHORT),
    Probe(
        "takes it in many processes too",
        excesses.TAKES_TIME_TOGETHER,
        _ends(Ending.CPU),
        cpu_s=SHORT,
    ),
    Probe("sleeps and ignores signals", excesses.SLEEPS, _ends(Ending.WALL), wall_s=1.0),
    Probe("floods standard output", excesses.FLOODS_STDOUT, _ends(Ending.OUTPUT)),
    Probe("floods its output file", excesses.FLOODS_OUTPUT, _ends(Ending.OUTPUT)),
    Probe("fills the disk", excesses.FILLS_THE_DISK, _stopped_or_flooded),
    Probe("fills folders below its output", excesses.FILLS_FOLDERS, _ends(Ending.OUTPUT)),
    Probe("fills the disk with nameless files", excesses.HIDES_FILES, _ends(Ending.OUTPUT)),
    Probe("closes its output to us", attacks.CLOSES_THE_OUTPUT, _answered),
    Probe("makes the output a link", attacks.LINKS_THE_OUTPUT, _no_answer),
    Probe("makes the output a pipe", attacks.PIPES_THE_OUTPUT, _no_answer),
    Probe("deletes its own folder", attacks.DELETES_ITSELF, _stopped, twice=True),
    Probe("leaves a note for later", attacks.LEAVES_A_NOTE, _stopped, twice=True),
    Probe("leaves one in the kernel", attacks.LEAVES_A_NOTE_IN_THE_KERNEL, _stopped, twice=True),
    Probe("kills other processes", attacks.SENDS_SIGNALS, _victim_lives),  # the last: it may work
)


def probe_all() -> list[ProbeResult]:
    """All probes at all levels, all levels at the same time."""
    reports = level_reports()
    with ThreadPoolExecutor(len(reports)) as pool:
        return [result for found in pool.map(probe_level, reports) for result in found]


def probe_level(report: LevelReport) -> list[ProbeResult]:
    if not report.available:
        return [
            ProbeResult(report.level, probe.name, Held.NOT_APPLICABLE, report.reason)
            for probe in PROBES
        ]
    with staged() as stage:
        return [_tried(probe, report.level, stage) for probe in PROBES]


def _tried(probe: Probe, level: Level, stage: Stage) -> ProbeResult:
    files = (
        File("attack.py", (attacks.PRELUDE + probe.attack).encode()),
        File("where.json", stage.as_json()),
    )
    job = Job(
        submission=f"{stage.token} {probe.name}",
        files=files,
        command=(sys.executable, "-S", "attack.py", "{input}", "{output}", stage.token),
        input_name="board.txt",
        input=b"",
        limits=replace(LIMITS, cpu_s=probe.cpu_s, wall_s=probe.wall_s),
    )
    outcome = run_at(job, level)
    if probe.twice and probe.holds(outcome, stage):
        outcome = run_at(job, level)
    if probe.holds(outcome, stage):
        return ProbeResult(level, probe.name, Held.HELD)
    return ProbeResult(level, probe.name, Held.NOT_HELD, _words(outcome))


def _words(outcome: Outcome) -> str:
    if outcome.ending is Ending.FAULT:
        return f"could not be tried: {outcome.fault}"
    if outcome.ending is Ending.EXIT and outcome.exit_code in (0, attacks.SUCCEEDED):
        return ""
    said = outcome.stderr.decode(errors="replace").strip().splitlines()
    return f"ended with {outcome.ending.value} {outcome.exit_code}: {said[-1] if said else ''}"
