"""The attacks that `grader doctor` and the tests really run, at every level.

A new attack is a function in `script.py` and its name in `ATTACKS`.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.sandbox.attacks.script import SUCCEEDED
from grader.sandbox.client import LevelReport, level_reports, run_at
from grader.sandbox.job import ON_LINUX, Ending, File, Job, Level, Outcome, RunLimits, as_plain
from grader.sandbox.view import find_program

SCRIPT = Path(__file__).with_name("script.py")
LIMITS = RunLimits(cpu_s=10.0, wall_s=60.0, memory_mb=64, output_bytes=200_000, processes=16)
SHORT = 0.1  # seconds for an attack that is about time
HOME = os.path.expanduser("~")


@dataclass(frozen=True)
class Stage:
    """Things of our own that a sandbox must protect."""

    secret: Path
    open_folder: Path
    token: str  # in the environment of the victim, and a word of every attack's command
    victim: subprocess.Popen[bytes]
    tcp: socket.socket
    udp: socket.socket

    def facts(self, **more: Any) -> dict[str, Any]:
        """What an attacker would have to find out, which makes each attack as strong as can be."""
        return {
            "secret": str(self.secret),
            "open_folder": str(self.open_folder),
            "path_socket": f"{self.open_folder}.socket",
            "checkmark": list(find_program(sys.executable).ours),
            "home": HOME,
            "home_names": os.listdir(HOME) if os.path.isdir(HOME) else ["nobody"],
            "token": self.token,
            "victim": self.victim.pid,
            "tcp": self.tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1],
            "seconds": 5,
            "children": 300,
            **as_plain(LIMITS),
            **more,
        }

    def is_untouched(self) -> bool:
        """Whether an attack has left no traces here.  Files are as before afterwards."""
        written = list(self.open_folder.iterdir())
        for path in written:
            path.unlink()
        mode = stat.S_IMODE(self.secret.stat().st_mode)
        self.secret.chmod(0o644)
        received = b""
        with contextlib.suppress(BlockingIOError):
            received = self.udp.recv(100)
        lives = self.victim.poll() is None
        return lives and mode == 0o644 and not (written or received or find_processes(self.token))


@contextlib.contextmanager
def open_stage() -> Iterator[Stage]:
    """Files that only a sandbox can protect, since their modes are as open as can be, a process
    and sockets."""
    folder = Path(tempfile.mkdtemp(prefix="checkmark-doctor-"))
    token = f"checkmark-{secrets.token_hex(8)}"
    victim = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"],
        env={"SECRET": token},
        stdin=subprocess.DEVNULL,
    )
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as with_path,
    ):
        try:
            udp.bind(("127.0.0.1", 0))
            udp.setblocking(False)
            abstract.bind(f"\0{token}")
            abstract.listen()
            stage = Stage(folder / "expected.txt", folder / "open", token, victim, tcp, udp)
            folder.chmod(0o755)
            stage.secret.write_text("the answer\n")
            stage.secret.chmod(0o644)
            with_path.bind(f"{stage.open_folder}.socket")
            os.chmod(f"{stage.open_folder}.socket", 0o777)
            stage.open_folder.mkdir()
            stage.open_folder.chmod(0o777)
            yield stage
        finally:
            victim.kill()
            victim.wait()
            shutil.rmtree(folder)
            Path("/dev/shm", token).unlink(missing_ok=True)  # a note that was left there


def find_processes(word: str) -> list[str]:
    """The command lines of processes that contain a word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes().split(b"\0")
            if word.encode() in words:
                found.append(b" ".join(words).decode(errors="replace"))
    return found


@dataclass(frozen=True)
class Attack:
    """A sandbox holds if the run ends in one of the `endings`, with exit code 0 if it exits, its
    outcome passes the `check`, and the stage is untouched."""

    name: str
    endings: tuple[Ending, ...] = (Ending.EXIT,)
    check: Callable[[Outcome], bool] = lambda outcome: True
    twice: bool = False  # only a second run shows it
    cpu_s: float = LIMITS.cpu_s
    wall_s: float = LIMITS.wall_s

    def is_held(self, outcome: Outcome) -> bool:
        stopped = outcome.exit_code == 0 or outcome.ending is not Ending.EXIT
        return stopped and outcome.ending in self.endings and self.check(outcome)


CPU, MEMORY, OUTPUT = (Ending.CPU,), (Ending.MEMORY,), (Ending.OUTPUT,)
# On a busy machine the time is up before the memory is; what has got it would sleep.
STOPPED = (Ending.EXIT, Ending.OUTPUT, Ending.MEMORY, Ending.CPU)
# On a busy machine, children that should follow each other become too many at a time.
CHILDREN = (Ending.CPU, Ending.SIGNAL)
CLOCK = (*CHILDREN, Ending.WALL)  # only a control group knows that time
FILES = (Ending.OUTPUT, Ending.MEMORY)  # they may be in memory that is charged to the run
REACHING = (  # for what it must not have
    *("reads the expected answer", "reads it by detours", "reads the grader's home"),
    *("reads the environment of others", "sees other processes", "finds open descriptors"),
    *("reads files of Checkmark", "imports Checkmark", "runs commands of Checkmark"),
    *("writes outside its folder", "changes modes of other files", "changes kernel settings"),
    *("connects by TCP", "sends by UDP", "opens odd sockets"),
    *("connects to abstract sockets", "connects to sockets with a path"),
    *("traces other processes", "writes to memory of others", "limits or slows other processes"),
    *("uses forbidden system calls", "keeps rights of root", "leaves its control group"),
)
MEMORY_OF_PROCESSES = (
    *("takes too much memory", "memory in many processes", "memory without a main thread"),
    *("memory in shared pages", "memory in dropped pages", "memory of a hidden process"),
    *("memory for a moment", "memory in page tables", "memory in many mappings"),
)
MEMORY_OF_THE_KERNEL = (
    *("memory of System V or memfd", "memory in socket buffers", "memory in TCP buffers"),
    *("memory in pipe buffers", "memory in names of files", "memory in attributes of files"),
    "memory in nameless files",
)
TIME = (
    *("takes too much time", "time in many processes", "time in threads"),
    "time without a main thread",
)
ATTACKS = (
    *map(Attack, REACHING),
    Attack("starts too many processes", (Ending.EXIT, Ending.SIGNAL)),
    Attack("starts too many threads", (Ending.EXIT, Ending.SIGNAL)),
    Attack("forks for ever", (Ending.CPU, Ending.SIGNAL), cpu_s=SHORT),
    *(Attack(name, MEMORY) for name in MEMORY_OF_PROCESSES),
    *(Attack(name, STOPPED) for name in MEMORY_OF_THE_KERNEL),
    *(Attack(name, CPU, cpu_s=SHORT) for name in TIME),
    Attack("time in unwaited children", CHILDREN, cpu_s=SHORT),
    Attack("time in short orphans", CHILDREN, cpu_s=SHORT),
    Attack("time in dropped children", CLOCK, cpu_s=SHORT, wall_s=2),
    Attack("sleeps and ignores signals", (Ending.WALL,), wall_s=0.5),
    Attack("floods standard output", OUTPUT),
    Attack("floods its output file", OUTPUT),
    Attack("fills its temporary folder", (Ending.EXIT, *FILES)),
    Attack("fills folders below its output", FILES),
    Attack("fills the disk with deleted files", FILES),
    Attack("reserves space on the disk", (Ending.EXIT, *FILES)),
    Attack("leaves a daemon"),
    Attack("closes its output", check=lambda run: run.output == b"answer"),
    Attack("makes its output a link", check=lambda run: bool(run.output_fault)),
    Attack("makes its output a pipe", check=lambda run: bool(run.output_fault)),
    Attack("links its output to the input", check=lambda run: not run.output),
    Attack("makes a sparse output", check=lambda run: not run.output),
    Attack("poisons kept bytecode", twice=True),
    Attack("deletes its own folder", twice=True),
    Attack("leaves a file for later", twice=True),
    Attack("leaves a note in the kernel", twice=True),
    Attack("kills other processes"),  # last: it may work
)


@dataclass(frozen=True)
class AttackResult:
    level: Level
    attack: str
    held: bool
    words: str = ""  # what happened, if that is unexpected


def run_attacks(attacks: tuple[Attack, ...] = ATTACKS) -> list[AttackResult]:
    """Attacks at all levels, as root at all levels at the same time.  Otherwise all runs have our
    own user, whose processes the kernel counts together: while one run forks for ever, another
    cannot fork."""

    def attack_level(report: LevelReport) -> list[AttackResult]:
        with open_stage() as stage:
            return [_run_attack(each, report.level, stage) for each in attacks]

    reports = [report for report in level_reports() if report.available and ON_LINUX]
    with ThreadPoolExecutor(len(reports) if ON_LINUX and os.geteuid() == 0 else 1) as pool:
        return [result for found in pool.map(attack_level, reports) for result in found]


def _run_attack(attack: Attack, level: Level, stage: Stage) -> AttackResult:
    where = json.dumps(stage.facts(attack=attack.name)).encode()
    job = Job(
        submission=f"{stage.token} {attack.name}",
        files=(File("attack.py", SCRIPT.read_bytes()), File("where.json", where)),
        command=(sys.executable, "-S", "attack.py", "{input}", "{output}", stage.token),
        input_name="board.txt",
        input=b"",
        limits=replace(LIMITS, cpu_s=attack.cpu_s, wall_s=attack.wall_s),
    )
    for _ in range(1 + attack.twice):
        outcome = run_at(job, level)
        untouched = stage.is_untouched()
        if not (attack.is_held(outcome) and untouched):
            return AttackResult(level, attack.name, False, _explain(outcome))
    return AttackResult(level, attack.name, True)


def _explain(outcome: Outcome) -> str:
    if outcome.ending is Ending.FAULT:
        return f"could not be tried: {outcome.fault}"
    if outcome.ending is Ending.EXIT and outcome.exit_code in (0, SUCCEEDED):
        return ""
    lines = outcome.stderr.decode(errors="replace").strip().splitlines()
    last = lines[-1] if lines else ""
    return f"ended with {outcome.ending.value} {outcome.exit_code}: {last}"
