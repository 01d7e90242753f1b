"""Grading on a cluster: a real scheduler and real workers on this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TypeVar

import pytest
from support.grader_command import ROOT, grader, hand_in, lay_out, records

from grader.grading.journal import read_journal
from grader.grading.workers import check_address
from solver.errors import UserError

SLOW = "#!/bin/sh\nsleep 1.2\nexec cp $1 $2\n"  # moves nothing, and takes its time
T = TypeVar("T")


def start(stack: ExitStack, folder: Path, program: str, *words: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{program}", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process


def wait_for(find: Callable[[], T | None]) -> T:
    """What it finds, as soon as it does."""
    until = time.monotonic() + 90
    while time.monotonic() < until:
        with suppress(OSError, ValueError, UserError):
            if found := find():
                return found
        time.sleep(0.05)
    raise TimeoutError(find)


def graders_at_work(journal: Path) -> set[str]:
    with read_journal(journal) as opened:
        return {record.worker for record in opened.records(1).values()}


def graded(text: str) -> dict[tuple[str, str], str]:
    return {(each["submission"], each["puzzle"]): each["verdict"] for each in records(text)}


@pytest.mark.slow
def test_a_cluster_gives_the_same_marks_though_a_worker_dies(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    folder = lay_out(tmp_path, 2)
    hand_in(folder, "slow", SLOW)
    scheduler = folder / "scheduler.json"
    quiet = ("--host", "127.0.0.1", "--no-dashboard")
    alone = ("--nthreads", "1", "--no-nanny", "--memory-limit", "0")
    with ExitStack() as stack:
        start(stack, folder, "scheduler", *quiet, "--port", "0", "--scheduler-file", str(scheduler))
        address = wait_for(lambda: json.loads(scheduler.read_text())["address"])
        workers = [start(stack, folder, "worker", address, *quiet, *alone) for _ in range(2)]
        with distributed.Client(address) as client:
            client.wait_for_workers(2, 90)

        def kill_worker() -> None:
            """In the middle of it: both have graded something, and the slow one takes longer."""
            wait_for(lambda: len(graders_at_work(folder / "grades.db")) == 2 or None)
            workers[0].kill()

        killing = stack.enter_context(ThreadPoolExecutor(1)).submit(kill_worker)
        words = ("class", "submissions", "-o", "records")
        there = grader(*words, "--scheduler", address, cwd=folder)
        killing.result()
        assert workers[0].wait() == -signal.SIGKILL
    assert there.returncode == 0, there.stderr
    here = grader(*words, cwd=folder)
    assert len(graded(here.stdout)) == 12
    assert graded(there.stdout) == graded(here.stdout)


SAFE = ("tcp://127.0.0.1:8786", "tcp://localhost:1", "tcp://[::1]:8786", "tls://far:8786")
REFUSED = {
    "only with TLS": ("tcp://10.0.0.1:8786", "tcp://far:8786", "tcp://0.0.0.0:1"),
    "an address is tcp://HOST:PORT": ("", "8786", "127.0.0.1:8786", "http://127.0.0.1:1", "tcp://"),
}


def test_an_open_network_needs_tls() -> None:
    for address in SAFE:
        check_address(address)
    for words, addresses in REFUSED.items():
        for address in addresses:
            with pytest.raises(UserError, match=words):
                check_address(address)


@pytest.mark.slow
def test_a_scheduler_that_is_not_there(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    folder = lay_out(tmp_path, 1)
    result = grader("class", "submissions", "--scheduler", "tcp://127.0.0.1:9", cwd=folder)
    assert result.returncode == 2
    assert "the scheduler does not answer" in result.stderr
    assert "Traceback" not in result.stderr
