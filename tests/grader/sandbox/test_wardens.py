"""Levels and wardens: which level is chosen, and that nothing stays behind however grader and
warden die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import venv
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support.sandbox_jobs import COPY, INPUT, IS_ROOT, LIMITS, ROOT, eventually, job, script

from grader.sandbox import client, levels
from grader.sandbox.attacks import find_processes
from grader.sandbox.client import Refused, choose_level, level_reports, run, run_at, stop
from grader.sandbox.job import Ending, File, Level, Sandbox
from grader.sandbox.pool import POOL, Closed, Order, Pool, Warden
from grader.sandbox.scratch import NOT_A_FILE
from grader.sandbox.view import find_program
from grader.sandbox.watch import find_descendants


@pytest.fixture
def without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "BWRAP", "")
    monkeypatch.setattr(client, "level_report", cache(client.level_report.__wrapped__))


def test_the_strongest_available_level_is_chosen() -> None:
    reports = level_reports()
    assert [report.level for report in reports] == list(Level)
    assert reports[-1].available
    assert all(report.available or report.reason for report in reports)
    best = next(report.level for report in reports if report.available)
    assert choose_level(Sandbox.AUTO) is best
    assert choose_level(Sandbox.OFF) is Level.LIMITS
    assert [bool(level.warning) for level in Level] == [False, True, True]


@pytest.mark.usefixtures("without_bubblewrap")
def test_a_lower_level_is_refused_only_if_the_strongest_is_required() -> None:
    with pytest.raises(Refused, match=r"bwrap is not installed.*--sandbox auto"):
        choose_level(Sandbox.REQUIRE)
    outcome = run(script("print()", sandbox=Sandbox.REQUIRE))
    assert outcome.ending is Ending.FAULT
    assert "bwrap is not installed" in outcome.fault
    assert choose_level(Sandbox.AUTO) is not Level.BUBBLEWRAP
    assert run(script("print('hello')")).stdout == b"hello\n"


@pytest.fixture
def off_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "ON_LINUX", False)
    monkeypatch.setattr("grader.sandbox.job.ON_LINUX", False)
    monkeypatch.setattr(client, "level_report", cache(client.level_report.__wrapped__))


@pytest.mark.usefixtures("off_linux")
def test_off_linux_there_are_plain_limits() -> None:
    assert choose_level(Sandbox.AUTO) is Level.LIMITS
    assert "needs Linux" in Level.LIMITS.warning
    assert [report.available for report in level_reports()] == [False, False, True]
    outcome = run(script(COPY + "; print('hello')"))
    assert (outcome.ending, outcome.exit_code, outcome.output) == (Ending.EXIT, 0, INPUT)
    assert outcome.stdout == b"hello\n"
    assert (outcome.level, outcome.cpu_s > 0) == (Level.LIMITS, True)
    crash = run(script("import os, sys; sys.stderr.write('why\\n'); os.kill(os.getpid(), 11)"))
    assert (crash.ending, crash.signal, crash.stderr) == (Ending.SIGNAL, "SIGSEGV", b"why\n")
    short = replace(LIMITS, wall_s=0.5)
    assert run(script("import time; time.sleep(60)", limits=short)).ending is Ending.WALL
    assert run(script("print('x' * 200000)")).ending is Ending.OUTPUT
    link = run(script("import os, sys; os.symlink('/etc/passwd', sys.argv[2])"))
    assert (link.output, link.output_fault) == (None, NOT_A_FILE)
    fault = run(job(("python3",), (File("../out", b""),)))
    assert (fault.ending, fault.fault[:8]) == (Ending.FAULT, "'../out'")


IMPORTED_ON_WINDOWS = """
import os, random, signal, socket, subprocess, sys, tempfile, threading
for name in ("fcntl", "resource", "pwd", "termios"):
    sys.modules[name] = None
for name in ("register_at_fork", "sysconf", "geteuid", "O_PATH", "pidfd_open", "wait4"):
    delattr(os, name)
for module, name in ((signal, "SIGXFSZ"), (signal, "SIGPIPE"), (socket, "AF_UNIX")):
    delattr(module, name)
sys.platform = "win32"
import grader.sandbox.attacks
assert not grader.sandbox.client.ON_LINUX
"""


def test_it_can_be_imported_on_windows() -> None:
    subprocess.run([sys.executable, "-c", IMPORTED_ON_WINDOWS], cwd=ROOT, check=True)


# Runs that leave their session, one at each level.
GRADER = """
import sys
from concurrent.futures import ThreadPoolExecutor
root, mark = sys.argv[1:]
sys.path[:0] = [root, root + "/tests"]
from support.sandbox_jobs import script
from grader.sandbox.client import level_reports, run_at
source = "import os, time\\nif os.fork() == 0: os.setsid()\\ntime.sleep(300)"
levels = [report.level for report in level_reports() if report.available]
print(len(levels), flush=True)
with ThreadPoolExecutor() as pool:
    list(pool.map(lambda level: run_at(script(source, mark), level), levels))
"""


def scratch_of(process: int) -> set[str]:
    """The folders of the wardens of a process, from the files that they have open."""
    found = set()
    for child in find_descendants(process):
        with suppress(OSError):  # it may have ended
            for path in list(Path(f"/proc/{child}/fd").glob("*")):
                folder, _, file = os.readlink(path).partition("/run-")
                found |= {folder} if file else set()
    return found


def sandboxed(mark: str) -> list[str]:
    return [words for words in find_processes(mark) if "checkers.py" in words]


def test_when_the_grader_is_killed_its_runs_and_folders_go() -> None:
    mark = f"mark-{os.urandom(8).hex()}"
    command = [sys.executable, "-c", GRADER, str(ROOT), mark]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as grader:
        try:
            assert grader.stdout is not None
            levels = int(grader.stdout.readline())
            assert eventually(lambda: len(sandboxed(mark)) >= 2 * levels)
            assert eventually(lambda: len(scratch_of(grader.pid)) == levels)
            folders = scratch_of(grader.pid)
        finally:
            grader.kill()
    assert eventually(lambda: not sandboxed(mark))
    assert eventually(lambda: not any(os.path.exists(folder) for folder in folders))


@pytest.mark.parametrize("which", ["warden", "its parent"])
def test_when_a_warden_is_killed_its_run_goes(level: Level, which: str) -> None:
    mark = f"mark-{os.urandom(8).hex()}"
    source = "import os, time\nif os.fork() == 0: os.setsid()\ntime.sleep(300)"
    pool = Pool()
    asked = replace(order_of(source, mark), level=level)
    with ThreadPoolExecutor() as threads:
        future = threads.submit(pool.ask, asked)
        assert eventually(lambda: len(sandboxed(mark)) >= 2)
        parent = pool._busy[0]._process.pid
        os.kill(parent if which != "warden" else find_descendants(parent)[0], signal.SIGKILL)
        with pytest.raises(Closed, match="the warden has ended"):
            future.result(60)
    assert eventually(lambda: not sandboxed(mark))


def test_a_warden_that_is_killed_is_replaced() -> None:
    pool = Pool()
    warden = Warden()
    warden._process.send_signal(signal.SIGKILL)
    pool._free.append(warden)
    with pytest.raises(Closed, match="the warden has ended"):
        pool.ask(order_of("print()"))
    assert not os.path.exists(warden._folder)
    assert pool.ask(order_of("print('again')")).stdout == b"again\n"
    folder = pool._free[0]._folder
    assert os.path.isdir(folder)
    pool.close()
    assert not os.path.exists(folder)


def test_runs_can_be_stopped() -> None:
    mark = f"mark-{os.urandom(8).hex()}"
    levels = [report.level for report in level_reports() if report.available]
    asked = script("import time; time.sleep(300)", mark)
    with ThreadPoolExecutor() as threads:
        futures = [threads.submit(run_at, asked, level) for level in levels]
        assert eventually(lambda: len(sandboxed(mark)) >= len(levels) == len(POOL._busy))
        stop()
        outcomes = [future.result(60) for future in futures]
    assert {outcome.ending for outcome in outcomes} == {Ending.FAULT}
    assert all("the warden has ended" in outcome.fault for outcome in outcomes)
    assert not sandboxed(mark)


def test_a_forked_process_leaves_the_wardens_of_its_parent_alone() -> None:
    POOL.ask(order_of("print()"))
    free = list(POOL._free)
    child = os.fork()
    if child == 0:
        os._exit(bool(POOL._free))
    assert os.waitpid(child, 0)[1] == 0
    assert POOL._free == free
    assert POOL.ask(order_of("print('still')")).stdout == b"still\n"


def order_of(source: str, *words: str) -> Order:
    return Order(script(source, *words), choose_level(Sandbox.AUTO), find_program("python3"))


LOOKS_AROUND = """
import os, sys
print(sys.executable)
try:
    print(os.listdir(sys.argv[3]), open(sys.argv[3] + "/secret").read())
except OSError as error:
    print(error.strerror)
open(sys.argv[2], "w").write("answer")
"""


@pytest.mark.skipif(not IS_ROOT, reason="only root runs submissions as another user")
def test_a_sandbox_reaches_its_interpreter_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interpreter and scratch folder are behind a folder that its user may not enter."""
    tmp_path.chmod(0o700)
    venv.create(tmp_path / "venv")
    (tmp_path / "tmp").mkdir()
    (tmp_path / "secret").write_text("expected")
    monkeypatch.setattr("grader.sandbox.pool.MEMORY", "/no/such/folder")
    monkeypatch.setattr(tempfile, "tempdir", f"{tmp_path}/tmp")
    program = find_program(f"{tmp_path}/venv/bin/python3")
    pool = Pool()
    for level in [report.level for report in level_reports() if report.available]:
        outcome = pool.ask(Order(script(LOOKS_AROUND, str(tmp_path)), level, program))
        assert outcome.output == b"answer", outcome
        assert f"{tmp_path}/venv".encode() in outcome.stdout
        assert b"expected" not in outcome.stdout
    pool.close()
    assert os.listdir(tmp_path / "tmp") == []
