"""What the grader promises: nothing leaks, nothing is lost, and who only reads writes nothing."""

from __future__ import annotations

import signal
import sqlite3
import time
from pathlib import Path

import pytest
from support.grader_command import (
    OWN,
    PUZZLES,
    grader,
    lay_out,
    lay_out_mine,
    records,
    started,
    wait_until_journal_says,
)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return lay_out_mine(tmp_path)


PEEKS = """
import pathlib, sys
answers = [path.read_text() for path in pathlib.Path(__file__).parent.rglob("*.txt")]
pathlib.Path(sys.argv[2]).write_text(answers[0] if answers else "none")
"""


@pytest.mark.parametrize(
    ("inputs", "expected", "program"),
    [
        ("sets/inputs/one.txt", "sets/expected/one.txt", "sets/me.py"),
        ("input1.txt", "solution1.txt", "me.py"),
        ("sets/input1.txt", "sets/solution1.txt", "me.py"),
        ("inputs/one.txt", "answers/one.txt", "answers/me.py"),
    ],
)
@pytest.mark.parametrize("one", [False, True])
def test_answers_do_not_travel_with_a_program_that_lies_beside_them(
    tmp_path: Path, inputs: str, expected: str, program: str, one: bool
) -> None:
    for name, text in zip((inputs, expected), PUZZLES["take-one"], strict=True):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / program).write_text(PEEKS)
    where = inputs if one else str(Path(inputs).parent)
    words = ["run", "--inputs", where, "--solver", f"python3 {program}", "-o", "records"]
    if "answers" in expected:
        words += ["--expected", "answers"]
    result = grader(*words, cwd=tmp_path)
    (told,) = records(result.stdout)
    assert told["verdict"] == "malformed", told
    assert "'n' is not one of" in told["reason"]


def test_settings_lie_beside_the_puzzles_too(tmp_path: Path) -> None:
    sets = tmp_path / "sets"
    sets.mkdir()
    lay_out(sets)
    (sets / "grader.toml").write_text("points = 3\n")
    result = grader("run", "--inputs", "sets/inputs", "-q", "take-one", cwd=tmp_path)
    assert "3 of 3 marks" in result.stdout
    assert result.stderr == "grader: settings from sets/grader.toml\n"


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_it_stops_without_waiting_for_who_sleeps(folder: Path, number: signal.Signals) -> None:
    (folder / "submissions/me/solve.sh").write_text("#!/bin/sh\nsleep 600\n")
    process = started(*OWN, "--timeout", "200", cwd=folder)
    wait_until_journal_says("0 of 4", folder)
    time.sleep(1)
    process.send_signal(number)
    _, told = process.communicate(timeout=60)  # and not ten minutes
    assert process.returncode == 128 + number
    assert "0 of 4 gradings are in grades.db. Continue with: " in told
    assert told.endswith("grader: interrupted\n")


def test_a_reader_never_writes(folder: Path) -> None:
    other = folder / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE things (name TEXT)")
    connection.commit()
    connection.close()
    before = other.read_bytes()
    for words in (["journal"], ["export", "marks"], ["resume"], ["run", "-q", "take-one"]):
        result = grader(*words, "--journal", "other.db", cwd=folder)
        assert result.returncode == 2
        assert "not a journal of the grader" in result.stderr
    assert other.read_bytes() == before


def test_what_can_be_seen_may_change_without_grading_again(folder: Path) -> None:
    assert grader("class", "submissions", cwd=folder).returncode == 0
    (folder / "grader.toml").write_text('visibility = "hidden"\n')
    again = grader("class", "submissions", "--reuse", "-o", "records", cwd=folder)
    assert {each["visibility"] for each in records(again.stdout)} == {"hidden"}


def test_a_resumed_grading_keeps_its_records_in_another_box(folder: Path) -> None:
    first = grader(*OWN, "-o", "records", cwd=folder)
    again = grader("resume", "--sandbox", "off", "-o", "records", cwd=folder)
    assert again.stdout == first.stdout
    assert "4 of 4" in grader("journal", cwd=folder).stdout


def test_a_printed_board_is_recognised(folder: Path) -> None:
    (folder / "submissions/me/solve.sh").write_text("#!/bin/sh\ncat $1\n")
    result = grader(*OWN, "-q", "take-one", cwd=folder)
    assert "it printed a board; the answer belongs in the file" in result.stdout
