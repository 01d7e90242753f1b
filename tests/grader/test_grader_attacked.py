"""What an attack on the grader has found, each as a test."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
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


@pytest.mark.parametrize("broken", [broken_lzma, broken_name])
def test_an_archive_that_cannot_be_read_stops_nobody_else(folder: Path, broken: object) -> None:
    assert callable(broken)
    broken(folder / "submissions" / "other.zip")
    result = grader("class", "submissions", "-o", "jsonl", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "grader: other: cannot be run: " in result.stderr
    verdicts = {each["submission"]: each["verdict"] for each in records(result.stdout)}
    assert verdicts == {"me": "exact", "other": "missing"}


@pytest.mark.parametrize(
    "names", [["a.py", "a.zip", "a.zip.zip"], ["a.py", "a.zip", "a.py.py"], ["a", "a.py", "a.zip"]]
)
def test_names_never_clash(folder: Path, names: list[str]) -> None:
    for name in names:
        path = folder / "submissions" / name
        if name.endswith(".zip"):
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("main.py", "pass\n")
        elif name.endswith(".py"):
            path.write_text("pass\n")
        else:
            hand_in(folder, name, BY_HEART)
    result = grader("class", "submissions", "-o", "jsonl", "-q", "take-one", cwd=folder)
    assert result.returncode == 0, result.stderr
    told = [each["submission"] for each in records(result.stdout)]
    assert len(told) == len(set(told)) == 4


def test_a_folder_with_an_odd_name(folder: Path) -> None:
    odd = os.fsdecode(b"sub\xff missions")
    (folder / "submissions").rename(folder / odd)
    result = grader("class", odd, cwd=folder)
    assert result.returncode == 0, result.stderr


def test_journals_and_results_do_not_travel_with_a_program(folder: Path) -> None:
    program = folder / "submissions" / "me" / "solve.sh"
    program.write_text("#!/bin/sh\nls > $2\n")
    mine = program.parent
    lay_out(mine, names=["take-one"])
    command = ["run", "--solver", "./solve.sh {input} {output}", "-o", "html:report.html"]
    for journal in ("one.db", "two.db"):
        words = [*command, "-o", "jsonl", "--journal", journal]
        (told,) = records(grader(*words, cwd=mine).stdout)
        assert "'s' is not one of" in told["reason"], "the first file is solve.sh, and the only one"


def test_the_journal_is_no_place_for_results(folder: Path) -> None:
    result = grader(*OWN, "-o", "csv:grades.db", cwd=folder)
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


@pytest.mark.parametrize("words", ["2>&-", ">/dev/null 2>&-"])
def test_a_closed_standard_error_changes_nothing(folder: Path, words: str) -> None:
    command = f"{sys.executable} -m grader run -q take-one {words}"
    process = subprocess.run(
        ["bash", "-c", command], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert process.returncode == 0
    assert "1 of 1" in grader("journal", cwd=folder).stdout


@pytest.mark.parametrize(
    "change", ["UPDATE records SET record = '{bad'", "UPDATE gradings SET plan = x'7878'"]
)
def test_a_spoilt_journal_is_told(folder: Path, change: str) -> None:
    assert grader(*OWN, cwd=folder).returncode == 0
    connection = sqlite3.connect(folder / "grades.db")
    connection.execute(change)
    connection.commit()
    connection.close()
    result = grader("export", "csv", cwd=folder)
    assert result.returncode == 3
    assert "cannot be read" in result.stderr
    assert "Traceback" not in result.stderr


def test_there_is_no_grading_0(folder: Path) -> None:
    assert grader(*OWN, cwd=folder).returncode == 0
    result = grader("diff", "0", "1", cwd=folder)
    assert result.returncode == 2
    assert "there is no grading 0. There are: 1." in result.stderr


@pytest.mark.parametrize(
    "settings", ["[limits]\nmemory = 99999999999999999999999", "[limits]\nwall = 1e300"]
)
def test_limits_have_limits(folder: Path, settings: str) -> None:
    (folder / "grader.toml").write_text(settings)
    result = grader(*OWN, cwd=folder)
    assert result.returncode == 2
    assert "grader.toml: limits." in result.stderr


def test_a_validator_refuses_what_comes_after_a_megabyte(folder: Path) -> None:
    (folder / "feedback").mkdir()
    files = ["inputs/take-one.txt", "expected/take-one.txt", "feedback/"]
    text = PUZZLES["take-one"][1] + "\n" * 1_000_000 + "junk\n"
    assert grader("validator", *files, cwd=folder, text=text).returncode == 43


def test_a_folder_that_is_gone(folder: Path) -> None:
    gone = folder / "gone"
    gone.mkdir()
    command = f"rmdir {gone}; {sys.executable} -m grader run"
    process = subprocess.run(
        ["bash", "-c", command],
        cwd=gone,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 3
    assert "the current folder" in process.stderr


def test_a_full_disk_is_told_and_what_was_graded_is_kept(folder: Path) -> None:
    """On a file system of its own, too small for the journal to grow."""
    small = folder / "small"
    small.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", small], capture_output=True
    )
    if not mounted or mounted.returncode:
        pytest.skip("needs the right to mount")
    try:
        for number in range(30):
            hand_in(folder, f"student{number}", BY_HEART)
        words = ["class", "submissions", "--journal", "small/grades.db"]
        result = grader(*words, cwd=folder)
        assert result.returncode == 3
        assert "disk is full" in result.stderr or "disk I/O error" in result.stderr
        assert "Traceback" not in result.stderr
    finally:
        subprocess.run(["umount", small], check=True)
