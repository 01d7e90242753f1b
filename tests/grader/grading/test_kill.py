"""Nothing is lost: the grader is killed at any moment, or the machine runs out of something, and
it goes on where it was.

    CHECKMARK_KILLS=40 CHECKMARK_CLASS=20 pytest -m '' -k many_kills      # more of it
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from support.grader_command import BY_HEART, PUZZLES, ROOT, grader, hand_in, lay_out, started

from grader.grading.journal import Names, open_journal
from grader.grading.records import Record, Verdict

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
    [pytest.param(n, marks=[] if n in (0, 3, 7) else [pytest.mark.slow]) for n in range(ROUNDS)],
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


# Scratch files are made in TMPDIR, where a test can fill it and see what is left: in memory there
# is too little room.
OWN_SCRATCH = 'mount -t tmpfs -o size=1m tmpfs /dev/shm && exec "$@"'
# Even if that is full, where Python would use another folder; and with less patience.
FULL = """
import os, sys, tempfile
from grader.cli import main
from grader.grading import workers
tempfile.tempdir = os.environ["TMPDIR"]
workers.PATIENCE = int(sys.argv[1])
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture(name="scratch")
def _scratch(tmp_path: Path) -> Iterator[Path]:
    """A small file system for scratch files."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=8m,mode=755", "tmpfs", str(folder)]
    if not shutil.which("unshare") or subprocess.run(words, capture_output=True).returncode:
        pytest.skip("needs the right to mount")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def start_with(
    scratch: Path, *words: str, program: tuple[str, ...] = ("-m", "grader")
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["unshare", "-m", "sh", "-c", OWN_SCRATCH, "sh", sys.executable, *program, *words],
        cwd=scratch.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def fill(scratch: Path) -> Path:
    filler = scratch / "filler"
    with open(filler, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return filler


def find_left(scratch: Path) -> list[str]:
    """Folders of wardens, and processes that name or use scratch.  Not covered: the one temporary
    file of the trial of a level (`tmp*`), which stays if the grader is killed during that."""
    left = [name for name in os.listdir(scratch) if not name.startswith("tmp")]
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            folder = os.readlink(process / "cwd").encode()
            if os.fsencode(scratch) in (process / "cmdline").read_bytes() + folder:
                left.append(process.name)
    return left


def wait_until_nothing_is_left(scratch: Path) -> None:
    """Wardens notice that the grader is gone, a little later."""
    until = time.monotonic() + 60
    while left := find_left(scratch):
        assert time.monotonic() < until, left
        time.sleep(0.05)


def test_a_run_waits_for_room_on_the_scratch_disk(scratch: Path) -> None:
    folder = lay_out(scratch.parent, 2)
    filler = fill(scratch)
    words = ("60", "class", "submissions", "--sandbox", "off", "-o", "records")
    process = start_with(scratch, *words, program=("-c", FULL))
    assert process.stderr is not None
    assert "No space left on device" in process.stderr.readline()
    filler.unlink()
    out, told = process.communicate(timeout=120)
    assert process.returncode == 0, told
    assert [json.loads(line)["verdict"] for line in out.splitlines()] == ["exact"] * 8
    assert len(stored(folder / "grades.db") or {}) == 8
    wait_until_nothing_is_left(scratch)


def test_a_scratch_disk_that_stays_full_ends_the_grading_and_is_blamed_on_nobody(
    scratch: Path,
) -> None:
    folder = lay_out(scratch.parent, 2)
    filler = fill(scratch)
    words = ("2", "class", "submissions", "--sandbox", "off")
    process = start_with(scratch, *words, program=("-c", FULL))
    _, told = process.communicate(timeout=120)
    assert process.returncode == 3, told
    assert "Nothing more can be run" in told
    assert "resume 1 --journal grades.db" in told
    assert stored(folder / "grades.db") == {}
    filler.unlink()
    process = start_with(scratch, "resume")
    _, told = process.communicate(timeout=120)
    assert process.returncode == 0, told
    assert len(stored(folder / "grades.db") or {}) == 8


def test_judge_errors_are_graded_again(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, 2)
    assert grader("class", "submissions", cwd=folder).returncode == 0
    before = stored(folder / "grades.db") or {}
    with open_journal(folder / "grades.db") as journal:
        tasks = list(journal.plan(1).tasks())[:3]
        again = {task.names for task in tasks}
        journal.repeat(1, lambda record: (record.submission, record.puzzle) in again)
        for task in tasks:
            wrong = replace(before[task.names], verdict=Verdict.JUDGE_ERROR, score=0.0)
            journal.add(1, task.key, wrong)
    assert grader("resume", cwd=folder).returncode == 0
    after = stored(folder / "grades.db") or {}
    assert after.keys() == before.keys()
    for names, record in after.items():
        assert record.verdict is Verdict.EXACT
        assert (record == before[names]) == (names not in again)


@pytest.mark.slow
def test_many_kills_and_a_damaged_record(scratch: Path) -> None:
    """Of one grading: every record is there once in the end, none changes, nothing is left."""
    kills = int(os.environ.get("CHECKMARK_KILLS", 8))
    size = int(os.environ.get("CHECKMARK_CLASS", 6))
    folder = scratch.parent
    for number in range(size):
        hand_in(folder, f"student{number}", BY_HEART.replace("case", "sleep 0.05\ncase", 1))
        for kind, text in zip(("inputs", "expected"), [*PUZZLES.values()][number % 4], strict=True):
            (folder / kind).mkdir(exist_ok=True)
            (folder / kind / f"take-{number}.txt").write_text(text)
    dice, path = random.Random(size), folder / "grades.db"
    before: dict[Names, Record] = {}
    busy = 0
    for number in range(kills):
        begun = stored(path) is not None
        words = ("resume",) if begun else ("class", "submissions", "-j", "2")
        process = start_with(scratch, *words, "--journal", "grades.db")
        early = number % 4 == 0  # perhaps before it has begun
        wanted = 0 if early else len(before) + 1 + dice.randrange(size * size // kills // 2)
        while process.poll() is None and count(path) < wanted:
            time.sleep(0.002)
        time.sleep(dice.uniform(0.0, 0.6 if early else 0.05))
        seen = find_left(scratch)
        busy += any(map(str.isdecimal, seen)) and not all(map(str.isdecimal, seen))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        now = stored(path) or {}
        assert before.items() <= now.items(), number
        before = now
        wait_until_nothing_is_left(scratch)
    assert busy > kills // 2, "most were killed at work"
    with closing(sqlite3.connect(path)) as connection:
        first = "rowid = (SELECT min(rowid) FROM records)"
        connection.execute(
            f"UPDATE records SET record = replace(record, 'exact', 'equal') WHERE {first}"
        )
        connection.commit()
    process = start_with(scratch, "resume", "-o", "records")
    out, told = process.communicate(timeout=300)
    assert process.returncode == 0, told
    assert "is damaged and graded again" in told
    found = [json.loads(line) for line in out.splitlines()]
    assert [each["verdict"] for each in found] == ["exact"] * size * size
    assert len({(each["submission"], each["puzzle"]) for each in found}) == size * size
    after = stored(path) or {}
    assert sum(after[names] != record for names, record in before.items()) <= 1
    wait_until_nothing_is_left(scratch)
