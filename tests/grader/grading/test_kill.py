"""Nothing is lost: the grader is killed at any moment and goes on where it was."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from support.grader_command import grader, lay_out, started

from grader.grading.journal import Names, open_journal
from grader.grading.records import Record

STUDENTS = 2
ROUNDS = 8  # after each number of records once


def kill(folder: Path, least: int, delay: float) -> None:
    """Begin to grade; kill -9 so many seconds after so many records are stored."""
    process = started("class", "submissions", "-j", "2", cwd=folder)
    while process.poll() is None and count(folder / "grades.db") < least:
        time.sleep(0.005)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def count(path: Path) -> int:
    """The records there are, asked by somebody who only reads."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            (number,) = connection.execute("SELECT count(*) FROM records").fetchone()
            return int(number)
    except sqlite3.Error:  # not there yet
        return 0


def stored(path: Path) -> dict[Names, Record] | None:
    """The records of the last grading; None if it was killed before it had begun."""
    if not path.exists():
        return None
    with open_journal(path) as journal:
        entries = journal.entries()
        return journal.records(entries[-1].number) if entries else None


@pytest.mark.parametrize(
    "seed",
    [pytest.param(n, marks=[pytest.mark.slow] if n in (2, 4, 6) else []) for n in range(ROUNDS)],
)
def test_kill_9_and_resume(seed: int, tmp_path: Path) -> None:
    folder = lay_out(tmp_path, STUDENTS)
    least = seed % (STUDENTS * 4)
    kill(folder, least, random.Random(seed).uniform(0.0, 0.03 if least else 0.8))
    before = stored(folder / "grades.db")
    assert len(before or {}) >= least
    go_on = ["resume"] if before is not None else ["class", "submissions"]
    result = grader(*go_on, "-o", "records", cwd=folder)
    assert result.returncode == 0, result.stderr
    after = stored(folder / "grades.db")
    assert after is not None
    with open_journal(folder / "grades.db") as journal:
        wanted = {task.names for task in journal.plan(1).tasks()}
    assert set(after) == wanted
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(told) == len(wanted) == STUDENTS * 4
    assert {each["verdict"] for each in told} == {"exact"}
    for key, record in (before or {}).items():  # what was there was not graded again
        assert after[key] == record
