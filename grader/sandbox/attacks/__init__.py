"""The attacks that `grader doctor` and the tests really run, at every level.

A new attack is a function in `script.py` and a line in `ATTACKS`.
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
from enum import StrEnum
from pathlib import Path
from typing import Any

from grader.sandbox.attacks.script import SUCCEEDED
from grader.sandbox.client import NOT_LINUX, LevelReport, level_reports, run_at
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
    function: str  # in the script
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
CLOCK = (Ending.CPU, Ending.WALL)  # only a control group knows that time
FILES = (Ending.OUTPUT, Ending.MEMORY)  # they may be in memory that is charged to the run
ATTACKS = (
    Attack("reads the expected answer", "reads_expected"),
    Attack("reads it by detours", "reads_by_detours"),
    Attack("reads files of Checkmark", "reads_checkmark"),
    Attack("imports Checkmark", "imports_checkmark"),
    Attack("runs commands of Checkmark", "runs_checkmark"),
    Attack("reads the grader's home", "reads_home"),
    Attack("reads the grader's environment", "reads_environment"),
    Attack("writes outside its folder", "writes_outside"),
    Attack("changes modes of other files", "changes_modes"),
    Attack("connects by TCP", "connects_by_tcp"),
    Attack("sends by UDP", "sends_by_udp"),
    Attack("connects to abstract sockets", "connects_to_abstract_sockets"),
    Attack("connects to sockets with a path", "connects_to_paths"),
    Attack("opens odd sockets", "opens_odd_sockets"),
    Attack("sees other processes", "sees_processes"),
    Attack("traces other processes", "traces_processes"),
    Attack("writes to memory of others", "writes_memory"),
    Attack("limits or slows other processes", "meddles_with_processes"),
    Attack("uses forbidden system calls", "uses_forbidden_calls"),
    Attack("changes kernel settings", "changes_kernel_settings"),
    Attack("keeps rights of root", "keeps_rights"),
    Attack("finds open descriptors", "finds_descriptors"),
    Attack("starts too many processes", "forks", (Ending.EXIT, Ending.SIGNAL)),
    Attack("starts too many threads", "starts_threads", (Ending.EXIT, Ending.SIGNAL)),
    Attack("forks for ever", "forks_for_ever", (Ending.CPU, Ending.SIGNAL), cpu_s=SHORT),
    Attack("takes too much memory", "takes_memory", MEMORY),
    Attack("memory in many processes", "takes_memory_together", MEMORY),
    Attack("memory of System V or memfd", "takes_system_v_memory"),
    Attack("memory in shared pages", "takes_shared_pages", MEMORY),
    Attack("memory in dropped pages", "drops_shared_pages", MEMORY),
    Attack("memory without a main thread", "takes_memory_without_main_thread", MEMORY),
    Attack("memory for a moment", "takes_memory_for_a_moment", MEMORY),
    Attack("memory in page tables", "takes_page_tables", MEMORY),
    Attack("memory in many mappings", "takes_mappings", MEMORY),
    Attack("memory in socket buffers", "takes_socket_buffers", STOPPED),
    Attack("memory in pipe buffers", "takes_pipe_buffers", STOPPED),
    Attack("memory in names of files", "makes_files", STOPPED),
    Attack("memory in attributes of files", "fills_attributes", STOPPED),
    Attack("memory in nameless files", "fills_nameless_files", STOPPED),
    Attack("takes too much time", "takes_time", CPU, cpu_s=SHORT),
    Attack("time in many processes", "takes_time_together", CPU, cpu_s=SHORT),
    Attack("time in unwaited children", "takes_time_unwaited", CPU, cpu_s=SHORT),
    Attack("time without a main thread", "takes_time_without_main_thread", CPU, cpu_s=SHORT),
    Attack("time in threads", "takes_time_in_threads", CPU, cpu_s=SHORT),
    Attack("time in dropped children", "takes_time_unwaited_by_flag", CLOCK, cpu_s=SHORT, wall_s=2),
    Attack("time in short-lived orphans", "takes_time_in_orphans", CPU, cpu_s=SHORT),
    Attack("sleeps and ignores signals", "sleeps", (Ending.WALL,), wall_s=0.5),
    Attack("floods standard output", "floods_stdout", OUTPUT),
    Attack("floods its output file", "floods_output", OUTPUT),
    Attack("fills its temporary folder", "fills_temporary_folder", (Ending.EXIT, *FILES)),
    Attack("fills folders below its output", "fills_folders", FILES),
    Attack("fills the disk with deleted files", "fills_deleted_files", FILES),
    Attack("leaves a daemon", "leaves_daemon"),
    Attack("closes its output", "closes_output", check=lambda run: run.output == b"answer"),
    Attack("makes its output a link", "links_output", check=lambda run: bool(run.output_fault)),
    Attack("makes its output a pipe", "pipes_output", check=lambda run: bool(run.output_fault)),
    Attack("links its output to the input", "hardlinks_output", check=lambda run: not run.output),
    Attack("makes a sparse output", "makes_sparse_output", check=lambda run: not run.output),
    Attack("poisons kept bytecode", "poisons_bytecode", twice=True),
    Attack("deletes its own folder", "deletes_itself", twice=True),
    Attack("leaves a file for later", "leaves_file", twice=True),
    Attack("leaves a note in the kernel", "leaves_note_in_kernel", twice=True),
    Attack("kills other processes", "kills_processes"),  # last: it may work
)


class Held(StrEnum):
    HELD = "held"
    NOT_HELD = "NOT HELD"
    NOT_APPLICABLE = "-"


@dataclass(frozen=True)
class AttackResult:
    level: Level
    attack: str
    held: Held
    words: str = ""  # what happened, if that is unexpected


def run_attacks(attacks: tuple[Attack, ...] = ATTACKS) -> list[AttackResult]:
    """Attacks at all levels, as root at all levels at the same time.  Otherwise all runs have our
    own user, whose processes the kernel counts together: while one run forks for ever, another
    cannot fork."""

    def attack_level(report: LevelReport) -> list[AttackResult]:
        level, reason = report.level, report.reason if ON_LINUX else NOT_LINUX
        if not report.available or not ON_LINUX:
            return [AttackResult(level, each.name, Held.NOT_APPLICABLE, reason) for each in attacks]
        with open_stage() as stage:
            return [_run_attack(each, level, stage) for each in attacks]

    reports = level_reports()
    with ThreadPoolExecutor(len(reports) if ON_LINUX and os.geteuid() == 0 else 1) as pool:
        return [result for found in pool.map(attack_level, reports) for result in found]


def _run_attack(attack: Attack, level: Level, stage: Stage) -> AttackResult:
    where = json.dumps(stage.facts(attack=attack.function)).encode()
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
            return AttackResult(level, attack.name, Held.NOT_HELD, _explain(outcome))
    return AttackResult(level, attack.name, Held.HELD)


def _explain(outcome: Outcome) -> str:
    if outcome.ending is Ending.FAULT:
        return f"could not be tried: {outcome.fault}"
    if outcome.ending is Ending.EXIT and outcome.exit_code in (0, SUCCEEDED):
        return ""
    lines = outcome.stderr.decode(errors="replace").strip().splitlines()
    last = lines[-1] if lines else ""
    return f"ended with {outcome.ending.value} {outcome.exit_code}: {last}"
