"""`grader.toml`: what is read from it, and what is said about mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.grading.plan import Mode
from grader.grading.records import Feedback, Visibility
from grader.puzzles.find import About
from grader.puzzles.settings import Settings, read_settings
from grader.sandbox.job import RunLimits
from solver.errors import UserError

EVERYTHING = """
call = "python3 {submission}/checkers.py {input} {output}"
mode = "move"
inputs = "inputs"
expected = "expected"
feedback = "own"
slower = 0.5
points = 1
visibility = "visible"
limits = {cpu = 10, wall = 60, memory = 1024, output = 1000000, processes = 64}

[groups.jumps]
puzzles = ["*/double-jump*", "compulsory-*"]
points = 2
visibility = "after_due_date"

[puzzles."checkers/opening"]
points = 5
visibility = "hidden"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "grader.toml"
    path.write_text(text)
    return path


def test_everything_can_be_set(tmp_path: Path) -> None:
    assert read_settings(written(tmp_path, EVERYTHING)) == Settings(
        limits=RunLimits(10.0, 60.0, 1024, 1_000_000, 64),
        mode=Mode.MOVE,
        call="python3 {submission}/checkers.py {input} {output}",
        inputs=tmp_path / "inputs",
        expected=tmp_path / "expected",
        feedback=Feedback.OWN,
        slower=0.5,
        about=(
            About("", ("*",), 1.0, Visibility.VISIBLE),
            About("jumps", ("*/double-jump*", "compulsory-*"), 2.0, Visibility.AFTER_DUE_DATE),
            About("", ("checkers/opening",), 5.0, Visibility.HIDDEN),
        ),
    )


def test_what_is_not_set_stays_as_it_is(tmp_path: Path) -> None:
    settings = read_settings(written(tmp_path, "[limits]\ncpu = 2.5\n"))
    assert settings == Settings(limits=RunLimits(cpu_s=2.5))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[limits]\ncpu = nan", "limits.cpu: nan is not a number"),
        ("mode = 3", "mode: '3' is not one of move, line."),
        ('call = "x \'y"', "call: x 'y: a quotation mark is not closed"),
    ],
)
def test_mistakes_are_told_with_their_key(text: str, fault: str, tmp_path: Path) -> None:
    """More of them are in the transcript of settings."""
    path = written(tmp_path, text)
    with pytest.raises(UserError) as caught:
        read_settings(path)
    assert str(caught.value).startswith(f"{path}: {fault}")
