"""Grading on a cluster: a real scheduler and real workers on this machine."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

import pytest
from support.grader_command import ROOT, grader, hand_in, lay_out, records, started

import grader as grader_package
import grader.grading.workers as workers_module
import solver
from grader.grading.journal import read_journal
from grader.grading.records import Verdict
from grader.grading.workers import check_address
from solver.errors import UserError

SLOW = "#!/bin/sh\nsleep 1.2\nexec cp $1 $2\n"  # moves nothing, and takes its time
QUIET = ("--host", "127.0.0.1", "--no-dashboard")
T = TypeVar("T")


def start(
    stack: ExitStack, folder: Path, program: str, *words: str, code: Path = ROOT
) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{program}", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(code)},
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


def graded_so_far(journal: Path) -> int:
    with read_journal(journal) as opened:
        return len(opened.records(1))


def graders_at_work(journal: Path) -> set[str]:
    with read_journal(journal) as opened:
        return {record.worker for record in opened.records(1).values()}


def graded(text: str) -> dict[tuple[str, str], str]:
    return {(each["submission"], each["puzzle"]): each["verdict"] for each in records(text)}


@dataclass
class Cluster:
    """A scheduler, and workers with one thread each."""

    stack: ExitStack
    folder: Path
    scheduler: subprocess.Popen[bytes]
    address: str

    def add_worker(self, code: Path = ROOT) -> subprocess.Popen[bytes]:
        words = (self.address, *QUIET, "--nthreads", "1", "--no-nanny", "--memory-limit", "0")
        return start(self.stack, self.folder, "worker", *words, code=code)

    def wait_for_workers(self, number: int) -> None:
        with import_module("distributed").Client(self.address) as client:
            client.wait_for_workers(number, 90)

    def kill_after_records(self, process: subprocess.Popen[bytes], number: int) -> Future[None]:
        def kill() -> None:
            wait_for(lambda: graded_so_far(self.folder / "grades.db") >= number or None)
            process.kill()

        return self.stack.enter_context(ThreadPoolExecutor(1)).submit(kill)


@pytest.fixture(name="cluster")
def _cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    folder = lay_out(tmp_path, 2)
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        words = (*QUIET, "--port", "0", "--scheduler-file", str(file))
        scheduler = start(stack, folder, "scheduler", *words)
        address = wait_for(lambda: json.loads(file.read_text())["address"])
        yield Cluster(stack, folder, scheduler, address)


def is_complete(folder: Path) -> bool:
    """Whether a resumed grading has every record, and none that is our fault."""
    result = grader("resume", "-o", "records", cwd=folder)
    verdicts = graded(result.stdout)
    return result.returncode == 0 and len(verdicts) == 12 and "judge-error" not in verdicts.values()


@pytest.mark.slow
def test_a_cluster_gives_the_same_marks_though_a_worker_dies(cluster: Cluster) -> None:
    folder = cluster.folder
    hand_in(folder, "slow", SLOW)
    workers = [cluster.add_worker() for _ in range(2)]
    cluster.wait_for_workers(2)

    def kill_worker() -> None:
        """In the middle of it: both have graded something, and the slow one takes longer."""
        wait_for(lambda: len(graders_at_work(folder / "grades.db")) == 2 or None)
        workers[0].kill()

    killing = cluster.stack.enter_context(ThreadPoolExecutor(1)).submit(kill_worker)
    words = ("class", "submissions", "-o", "records")
    there = grader(*words, "--scheduler", cluster.address, cwd=folder)
    killing.result()
    assert workers[0].wait() == -signal.SIGKILL
    assert there.returncode == 0, there.stderr
    here = grader(*words, cwd=folder)
    assert len(graded(here.stdout)) == 12
    assert graded(there.stdout) == graded(here.stdout)


@pytest.mark.slow
def test_a_scheduler_that_is_killed_ends_the_grading_and_is_blamed_on_nobody(
    cluster: Cluster,
) -> None:
    hand_in(cluster.folder, "slow", SLOW)
    cluster.add_worker()
    cluster.wait_for_workers(1)
    killing = cluster.kill_after_records(cluster.scheduler, 2)
    words = ("class", "submissions", "--scheduler", cluster.address)
    result = grader(*words, cwd=cluster.folder, environment={"PYTHONUNBUFFERED": "1"})
    killing.result()
    assert result.returncode == 3
    assert "the scheduler is gone" in result.stderr
    assert "resume 1 --journal grades.db" in result.stderr
    assert "Traceback" not in result.stderr
    with read_journal(cluster.folder / "grades.db") as journal:
        verdicts = [record.verdict for record in journal.records(1).values()]
    assert 2 <= len(verdicts) < 12
    assert Verdict.JUDGE_ERROR not in verdicts
    assert is_complete(cluster.folder)


@pytest.mark.slow
def test_without_workers_a_grading_waits_for_others(cluster: Cluster) -> None:
    """And not for ever."""
    hand_in(cluster.folder, "slow", SLOW)
    words = ("class", "submissions", "--scheduler", cluster.address)
    for helped in (True, False):
        (cluster.folder / "grades.db").unlink(missing_ok=True)
        worker = cluster.add_worker()
        cluster.wait_for_workers(1)
        killing = cluster.kill_after_records(worker, 2)
        if helped:
            process = started(*words, cwd=cluster.folder)
            killing.result()
            assert process.stderr is not None
            assert "no workers left. Waiting for up to 60 s" in process.stderr.readline()
            other = cluster.add_worker()
            process.communicate(timeout=300)
            assert process.returncode == 0
            assert is_complete(cluster.folder)
            other.kill()
            other.wait()
        else:
            with patch.object(workers_module, "PATIENCE", 3):
                result = grader(*words, cwd=cluster.folder)
            assert result.returncode == 3
            assert "no workers left. Nothing more can be run" in result.stderr
            assert "resume 1 --journal grades.db" in result.stderr
            assert is_complete(cluster.folder)


@pytest.mark.slow
def test_a_worker_with_other_code_is_refused(cluster: Cluster) -> None:
    other = cluster.folder / "other"
    for package in (grader_package, solver):
        source = Path(package.__path__[0])
        shutil.copytree(source, other / source.name, ignore=shutil.ignore_patterns("__pycache__"))
        for library in source.parent.glob("checkmark__mypyc*"):
            shutil.copy(library, other)
    with open(other / "grader/sandbox/job.py", "a") as file:
        file.write("# of another version\n")
    empty = cluster.folder / "none"
    (empty / "grader").mkdir(parents=True)
    (empty / "grader/__init__.py").touch()
    cluster.add_worker()
    for code in (other, empty):
        worker = cluster.add_worker(code)
        cluster.wait_for_workers(2)
        words = ("class", "submissions", "--scheduler", cluster.address)
        result = grader(*words, cwd=cluster.folder)
        assert result.returncode == 2
        assert "has another version of Checkmark, or none" in result.stderr
        assert not (cluster.folder / "grades.db").exists()
        worker.kill()
        worker.wait()


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
