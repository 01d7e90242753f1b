"""The `grader` command, from outside."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from support.grader_command import (
    BY_HEART,
    OWN,
    ROOT,
    grader,
    lay_out_mine,
    records,
    started,
    wait_until_journal_says,
)

REPEATS_THE_INPUT = "#!/bin/sh\ncp $1 $2\n"


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return lay_out_mine(tmp_path)


def test_a_grading_can_be_exported_later(folder: Path) -> None:
    direct = grader(*OWN, "-o", "records", cwd=folder)
    later = grader("export", "records", cwd=folder)
    assert later.returncode == 0, later.stderr
    assert later.stdout == direct.stdout


def test_reuse_takes_over_what_has_not_changed(folder: Path) -> None:
    first = grader("class", "submissions", "-o", "records", cwd=folder)
    again = grader("class", "submissions", "-o", "records", "--reuse", cwd=folder)
    anew = grader("class", "submissions", "-o", "records", cwd=folder)
    times = [[each["started_at"] for each in records(run.stdout)] for run in (first, again, anew)]
    assert times[0] == times[1] != times[2]


def test_resume_grades_what_was_handed_in_when_it_began(folder: Path) -> None:
    """Interrupted by the keyboard, with the program changed before it goes on."""
    (folder / "submissions/me/solve.sh").write_text(f"{BY_HEART}sleep 0.5\n")
    process = started(*OWN, "-j", "1", "-o", "first.jsonl", cwd=folder)
    wait_until_journal_says("1 of 4", folder)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "of 4 gradings are in grades.db. Continue with: " in told
    assert "Traceback" not in told
    (folder / "submissions/me/solve.sh").write_text(REPEATS_THE_INPUT)
    result = grader("resume", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "4 of 4 marks" in result.stdout
    assert len(records((folder / "first.jsonl").read_text())) == 4
    again = grader("resume", cwd=folder)
    assert again.stdout == result.stdout


def test_settings_are_found_and_the_command_line_comes_first(folder: Path) -> None:
    (folder / "grader.toml").write_text('points = 3\nfeedback = "own"\n[limits]\ncpu = 7\n')
    (each, *_) = records(grader(*OWN, "-o", "records", "--timeout", "4", cwd=folder).stdout)
    assert each["max_score"] == 3.0
    assert each["best"] == []
    assert each["limits"]["cpu_s"] == 4.0


def test_modules_of_the_current_folder_are_never_imported(folder: Path) -> None:
    for name in ("copy", "json", "tabulate", "sqlite3", "solver"):
        (folder / f"{name}.py").write_text("raise SystemExit('imported')\n")
    result = grader("run", "--solver", "sh submissions/me/solve.sh {input} {output}", cwd=folder)
    assert result.returncode == 0, result.stderr


def test_the_progress_bar_is_for_terminals_only(folder: Path) -> None:
    command = [sys.executable, "-m", "grader", *OWN]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    with open(ours, "rb", buffering=0) as screen:
        process = subprocess.run(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=theirs, check=True
        )
        os.close(theirs)
        assert b"4/4" in screen.read(100_000)
    assert b"4 of 4 marks" in process.stdout
    assert grader(*OWN, cwd=folder).stderr == ""
