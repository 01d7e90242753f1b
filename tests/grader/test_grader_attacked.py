"""What an attack on the grader has found, each as a test."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from support.grader_command import (
    BY_HEART,
    OWN,
    PUZZLES,
    ROOT,
    grader,
    hand_in,
    lay_out,
    lay_out_mine,
    records,
    started,
    wait_until_journal_says,
)

from grader.submissions.find import find_submissions


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return lay_out_mine(tmp_path, ["take-one", "take-two"])


def broken_lzma(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("main.py", "print()\n" * 1000)
    content = bytearray(path.read_bytes())
    content[60:90] = b"\xff" * 30
    path.write_bytes(content)


def broken_name(path: Path) -> None:
    """The flag says that the name is UTF-8, which it is not."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("m\u00e4in.py", "print()\n")
    path.write_bytes(path.read_bytes().replace("\u00e4".encode(), b"\xff\xfe"))


def test_what_cannot_be_read_stops_nobody_else(folder: Path) -> None:
    """Nor does a folder with a name that is no text."""
    odd = os.fsdecode(b"sub\xff missions")
    (folder / "submissions").rename(folder / odd)
    broken_lzma(folder / odd / "lzma.zip")
    broken_name(folder / odd / "name.zip")
    result = grader("class", odd, "-q", "take-one", "-o", "records", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "grader: lzma: cannot be run: " in result.stderr
    assert "grader: name: cannot be run: " in result.stderr
    verdicts = {each["submission"]: each["verdict"] for each in records(result.stdout)}
    assert verdicts == {"me": "exact", "lzma": "missing", "name": "missing"}


@pytest.mark.parametrize("third", ["a", "a.zip.zip", "a.py.py"])
def test_names_never_clash(tmp_path: Path, third: str) -> None:
    for name in ("a.py", "a.zip", third):
        (tmp_path / name).mkdir() if name == "a" else (tmp_path / name).touch()
    assert len({each.name for each in find_submissions(tmp_path).submissions}) == 3


def test_journals_and_results_do_not_travel_with_a_program(folder: Path) -> None:
    program = folder / "submissions" / "me" / "solve.sh"
    program.write_text("#!/bin/sh\nls > $2\n")
    mine = program.parent
    lay_out(mine, names=["take-one"])
    command = ["run", "--solver", "./solve.sh {input} {output}", "-o", "html:report.html"]
    for journal in ("one.db", "two.db"):
        words = [*command, "-o", "records", "--journal", journal]
        (told,) = records(grader(*words, cwd=mine).stdout)
        assert "'s' is not one of" in told["reason"], "the first file is solve.sh, and the only one"


def test_the_journal_is_no_place_for_results(folder: Path) -> None:
    result = grader(*OWN, "-o", "marks:grades.db", cwd=folder)
    assert result.returncode == 2
    assert "is the journal" in result.stderr
    assert not (folder / "grades.db").exists()


def test_a_journal_that_is_removed_is_no_silent_loss(folder: Path) -> None:
    (folder / "submissions/me/solve.sh").write_text(f"{BY_HEART}sleep 1\n")
    process = started(*OWN, "-j", "1", cwd=folder)
    wait_until_journal_says("1 of 2", folder)
    for path in folder.glob("grades.db*"):
        path.unlink()
    _, told = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "the journal has been removed or replaced" in told


def run_in_shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command.replace("grader", f"{sys.executable} -m grader")],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_closed_standard_error_changes_nothing(folder: Path) -> None:
    assert run_in_shell(f"grader {shlex.join(OWN)} -q take-one 2>&-", folder).returncode == 0
    assert "1 of 1" in grader("journal", cwd=folder).stdout


def test_a_spoilt_journal_is_told(folder: Path) -> None:
    assert grader(*OWN, "-q", "take-one", cwd=folder).returncode == 0
    result = grader("diff", "0", "1", cwd=folder)
    assert result.returncode == 2
    assert "there is no grading 0. There are: 1." in result.stderr
    for change in ("records SET record = '{bad'", "gradings SET plan = x'7878'"):
        shutil.copy(folder / "grades.db", folder / "spoilt.db")
        with closing(sqlite3.connect(folder / "spoilt.db")) as connection:
            connection.execute(f"UPDATE {change}")
            connection.commit()
        result = grader("export", "marks", "--journal", "spoilt.db", cwd=folder)
        assert result.returncode == 3
        assert "cannot be read" in result.stderr
        assert "Traceback" not in result.stderr


def test_a_validator_refuses_what_comes_after_a_megabyte(folder: Path) -> None:
    (folder / "feedback").mkdir()
    files = ["inputs/take-one.txt", "expected/take-one.txt", "feedback/"]
    text = PUZZLES["take-one"][1] + "\n" * 1_000_000 + "junk\n"
    assert grader("validator", *files, cwd=folder, text=text).returncode == 43


def test_a_folder_that_is_gone(folder: Path) -> None:
    gone = folder / "gone"
    gone.mkdir()
    result = run_in_shell("rmdir ../gone; grader run", gone)
    assert result.returncode == 3
    assert "the current folder" in result.stderr


def test_a_full_disk_is_told_and_what_was_graded_is_kept(folder: Path) -> None:
    """On a file system of its own, too small for the journal to grow."""
    small = folder / "small"
    small.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=150k", "tmpfs", small], capture_output=True
    )
    if not mounted or mounted.returncode:
        pytest.skip("needs the right to mount")
    try:
        for number in range(10):
            hand_in(folder, f"student{number}", BY_HEART)
        words = ["class", "submissions", "--journal", "small/grades.db"]
        result = grader(*words, cwd=folder)
        assert result.returncode == 3
        assert "disk is full" in result.stderr or "disk I/O error" in result.stderr
        assert "Traceback" not in result.stderr
        assert re.search(r"[1-9] of 22 gradings are in small/grades.db", result.stderr)
    finally:
        subprocess.run(["umount", small], check=True)
