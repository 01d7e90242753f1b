"""Grader and warden die in every way; nothing stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from box_jobs import script
from hostile_set import marked_processes

from grader.limits import Limits
from grader.runner import run_at, stop
from grader.runs import Ending
from grader.sandbox.job import Level
from grader.sandbox.order import Order
from grader.sandbox.pool import POOL, Pool, WardenLost
from grader.sandbox.processes import descendants
from grader.sandbox.program import find_program

ROOT = Path(__file__).resolve().parents[3]
GRADER = """
import sys
sys.path[:0] = [{root!r}, {root!r} + "/tests"]
from box_jobs import script
from grader.sandbox.job import Level
from grader.runner import run_at
source = "import os, time\\nif os.fork() == 0: os.setsid()\\ntime.sleep(300)"
print("started", flush=True)
run_at(script(source, {mark!r}), Level({level!r}))
"""


def eventually(true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 30
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def scratch_of(process: int) -> set[str]:
    """The folders of the wardens of a process: what they have open lies in them."""
    found = set()
    for child in descendants(process):
        for path in Path(f"/proc/{child}/fd").glob("*"):
            try:
                target = os.readlink(path)
            except OSError:
                continue
            if "/checkmark-" in target:
                found.add(target.split("/run/")[0])
    return found


def test_when_the_grader_is_killed_its_box_and_folder_go(level: Level) -> None:
    mark = f"mark-{os.urandom(8).hex()}"
    code = GRADER.format(root=str(ROOT), mark=mark, level=level.value)
    with subprocess.Popen([sys.executable, "-c", code, mark + "-grader"]) as grader:
        try:
            assert eventually(lambda: len(boxed(mark)) >= 2)
            folders = scratch_of(grader.pid)
            assert folders
            assert all(os.path.isdir(folder) for folder in folders)
        finally:
            grader.kill()
    assert eventually(lambda: not boxed(mark))
    assert eventually(lambda: not any(os.path.exists(folder) for folder in folders))


def boxed(mark: str) -> list[str]:
    return [words for words in marked_processes(mark) if "checkers.py" in words]


def test_a_warden_that_is_killed_is_a_fault_and_is_replaced(level: Level) -> None:
    pool = Pool()
    warden = pool._take()
    warden._process.send_signal(signal.SIGKILL)
    with pytest.raises(WardenLost, match="the warden has ended"):
        warden.ask(order_of("print()", level))
    warden.close()
    assert not os.path.exists(warden._folder)
    assert pool.ask(order_of("print('again')", level)).stdout == b"again\n"
    pool.close()


def test_a_pool_that_is_closed_leaves_no_folder() -> None:
    pool = Pool()
    pool.ask(order_of("print()", Level.LIMITS))
    folder = pool._free[0]._folder
    assert os.listdir(folder)
    pool.close()
    assert not os.path.exists(folder)


def test_runs_can_be_stopped(level: Level) -> None:
    mark = f"mark-{os.urandom(8).hex()}"
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(run_at, script("import time; time.sleep(300)", mark), level)
        assert eventually(lambda: bool(boxed(mark)))
        stop()
        outcome = future.result(30)
    assert outcome.ending is Ending.FAULT
    assert "the warden has ended" in outcome.fault
    assert not boxed(mark)


def test_a_forked_process_leaves_the_wardens_of_its_parent_alone() -> None:
    POOL.ask(order_of("print()", Level.LIMITS))
    free = list(POOL._free)
    child = os.fork()
    if child == 0:
        os._exit(bool(POOL._free))
    assert os.waitpid(child, 0)[1] == 0
    assert POOL._free == free
    assert POOL.ask(order_of("print('still')", Level.LIMITS)).stdout == b"still\n"


def order_of(source: str, level: Level) -> Order:
    asked = script(source)
    program = find_program("python3")
    return Order(
        level=level,
        submission=asked.submission,
        files=asked.files,
        forget=(),
        program=program.path,
        arguments=asked.command[1:],
        input_name=asked.input_name,
        input=asked.input,
        limits=Limits(),
        reads=program.reads,
    )
