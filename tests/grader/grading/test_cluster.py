"""Grading on a cluster: a real scheduler and real workers on this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.grader_command import ROOT, grader, hand_in, lay_out, records, started

from grader.grading.workers import check_address
from solver.errors import UserError

SLOW = "#!/bin/sh\nsleep 0.3\nexec cp $1 $2\n"  # moves nothing, and takes its time


class Cluster:
    def __init__(self, folder: Path, stack: ExitStack) -> None:
        pytest.importorskip("distributed")
        self._stack = stack
        self._folder = folder
        told = folder / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        self._start("dask_scheduler", *options, "--scheduler-file", str(told))
        self.address = _address(told)
        self.workers = [self._add_worker() for _ in range(2)]
        wait = "import sys, distributed as d; d.Client(sys.argv[1]).wait_for_workers(2, 60)"
        subprocess.run([sys.executable, "-c", wait, self.address], check=True, timeout=90)

    def _add_worker(self) -> subprocess.Popen[bytes]:
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
        return self._start("dask_worker", self.address, *options, "--host", "127.0.0.1")

    def _start(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *words],
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


def _address(told: Path) -> str:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            address: str = json.loads(told.read_text())["address"]
            return address
        except (OSError, ValueError):
            time.sleep(0.05)
    raise TimeoutError("the scheduler does not start")


@pytest.fixture(name="cluster")
def _cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(tmp_path_factory.mktemp("cluster"), stack)


def graded(text: str) -> dict[tuple[str, str], str]:
    return {(each["submission"], each["puzzle"]): each["verdict"] for each in records(text)}


def test_a_cluster_gives_the_same_marks_though_a_worker_dies(
    cluster: Cluster, tmp_path: Path
) -> None:
    folder = lay_out(tmp_path, 2)
    hand_in(folder, "slow", SLOW)
    words = ["class", "submissions", "--scheduler", cluster.address, "-o", "jsonl"]
    whole = grader(*words, cwd=folder)
    assert whole.returncode == 0, whole.stderr
    assert len({each["worker"] for each in records(whole.stdout)}) == 2

    grading = started(*words, "--repeat", "4", cwd=folder)
    time.sleep(1.5)  # somewhere in the six seconds that the slow one takes
    cluster.workers[0].send_signal(signal.SIGKILL)
    stdout, stderr = grading.communicate(timeout=120)
    assert grading.returncode == 0, stderr
    here = grader("class", "submissions", "-o", "jsonl", cwd=folder)
    expected = graded(here.stdout)
    assert len(expected) == 12
    assert graded(whole.stdout) == expected
    assert graded(stdout) == expected


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:8786", "tcp://localhost:1", "tcp://[::1]:8786", "tls://far:8786"]
)
def test_addresses_that_are_safe(address: str) -> None:
    check_address(address)


@pytest.mark.parametrize("address", ["tcp://10.0.0.1:8786", "tcp://far:8786", "tcp://0.0.0.0:1"])
def test_an_open_network_needs_tls(address: str) -> None:
    with pytest.raises(UserError, match="only with TLS"):
        check_address(address)


@pytest.mark.parametrize("address", ["", "8786", "127.0.0.1:8786", "http://127.0.0.1:1", "tcp://"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(UserError, match="an address is tcp://HOST:PORT"):
        check_address(address)


def test_a_scheduler_that_is_not_there(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    folder = lay_out(tmp_path, 1)
    result = grader("class", "submissions", "--scheduler", "tcp://127.0.0.1:9", cwd=folder)
    assert result.returncode == 2
    assert "the scheduler does not answer" in result.stderr
    assert "Traceback" not in result.stderr
