"""The programs of tests/submissions, and the whole set run at every level of isolation.

Run as a script, it prints the outcomes as JSON: so the same is tried as another user.
"""

from __future__ import annotations

import hashlib
import json
import socket
import sys
import threading
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.limits import Limits
from grader.plain import as_plain
from grader.runner import run_at
from grader.runs import File, Job, Outcome
from grader.sandbox import level_reports as levels
from grader.sandbox.job import Level

SUBMISSIONS = Path(__file__).with_name("submissions")
TABLE: dict[str, dict[str, str]] = tomllib.loads((SUBMISSIONS / "verdicts.toml").read_text())
BOARD = (SUBMISSIONS / "board.txt").read_bytes()
BEST = (SUBMISSIONS / "best.txt").read_bytes()

LIMITS = Limits(cpu_s=5, wall_s=60, memory_mb=128, output_bytes=100_000, processes=24)
SHORTER = {
    "infinite-loop": replace(LIMITS, cpu_s=0.5),
    "sleep": replace(LIMITS, wall_s=0.5),
    "ignores-sigterm": replace(LIMITS, wall_s=0.5),
}

Where = dict[str, Any]


def hostile_job(name: str, where: Where, python: str = "python3", mark: str = "") -> Job:
    """`mark` becomes a word of the command line, by which its processes can be found."""
    files = (
        File("checkers.py", (SUBMISSIONS / name / "checkers.py").read_bytes()),
        File("where.json", json.dumps(where).encode()),
    )
    digest = hashlib.sha256(repr(files).encode()).hexdigest()
    command = (python, "-S", "checkers.py", "{input}", "{output}", mark)
    return Job(digest, files, command, "board.txt", BOARD, SHORTER.get(name, LIMITS))


def available_levels() -> list[Level]:
    return [report.level for report in levels() if report.available]


def verdict_word(name: str, level: Level) -> str:
    """What the table says."""
    return TABLE[name].get(level.value, TABLE[name]["verdict"])


def run_all(where: Where, python: str, mark: str) -> dict[tuple[Level, str], Outcome]:
    """Every submission at every level that this machine gives, four at a time."""
    asked = [(level, name) for level in available_levels() for name in TABLE]
    with ThreadPoolExecutor(4) as pool:
        jobs = [(hostile_job(name, where, python, mark), level) for level, name in asked]
        return dict(zip(asked, pool.map(lambda job: run_at(*job), jobs), strict=True))


@contextmanager
def helpful_server() -> Iterator[int]:
    """A server on this machine that tells everybody the best board; its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=_answer_all, args=(listening,), daemon=True).start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)


def _answer_all(listening: socket.socket) -> None:
    while True:
        try:
            link, _ = listening.accept()
        except OSError:
            return
        with link:
            link.sendall(BEST)


def marked_processes(mark: str) -> list[str]:
    """The command lines of processes that carry the mark."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if mark.encode() in words:
            found.append(b" ".join(words).decode(errors="replace"))
    return found


if __name__ == "__main__":
    where, python, mark = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
    outcomes = run_all(where, python, mark)
    told = [[*key, as_plain(outcome)] for key, outcome in outcomes.items()]
    json.dump({"outcomes": told, "left": marked_processes(mark)[1:]}, sys.stdout)
