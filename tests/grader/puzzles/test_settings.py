"""`grader.toml`: what is read from it, and what is said about mistakes."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from grader.grading.plan import Mode
from grader.grading.records import Feedback, Visibility
from grader.puzzles.find import About
from grader.puzzles.settings import Settings, read_settings
from grader.sandbox.job import RunLimits
from solver.errors import FileError, UserError

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
puzzles = ["checkers/double-jump*", "compulsory-*"]
points = 2
visibility = "after_due_date"

[puzzles."checkers/opening"]
points = 5
visibility = "hidden"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "grader.toml"
    path.write_text(textwrap.dedent(text))
    return path


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    assert read_settings(written(tmp_path, "")) == Settings()


def test_everything_can_be_set(tmp_path: Path) -> None:
    assert read_settings(written(tmp_path, EVERYTHING)) == Settings(
        limits=RunLimits(10.0, 60.0, 1024, 1_000_000, 64),
        mode=Mode.MOVE,
        call="python3 {submission}/checkers.py {input} {output}",
        inputs=tmp_path / "inputs",
        expected=tmp_path / "expected",
        feedback=Feedback.OWN,
        slower=0.5,
        points=1.0,
        visibility=Visibility.VISIBLE,
        about=(
            About(
                "jumps",
                ("checkers/double-jump*", "compulsory-*"),
                2.0,
                Visibility.AFTER_DUE_DATE,
            ),
            About("", ("checkers/opening",), 5.0, Visibility.HIDDEN),
        ),
    )


def test_one_limit_leaves_the_others(tmp_path: Path) -> None:
    settings = read_settings(written(tmp_path, "[limits]\ncpu = 2.5\n"))
    assert settings.limits == RunLimits(cpu_s=2.5)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("slowr = 1", "slowr: unknown. Did you mean 'slower'? Known: call, expected, feedback"),
        ("[limits]\ncpus = 1", "limits.cpus: unknown. Did you mean 'cpu'? Known: cpu, memory"),
        ("[limits]\ncpu = '5 s'", "limits.cpu: '5 s' is not a number from 0.01 to 1e+06"),
        ("[limits]\ncpu = inf", "limits.cpu: inf is not a number"),
        ("[limits]\ncpu = nan", "limits.cpu: nan is not a number"),
        ("[limits]\nmemory = 0.5", "limits.memory: 0.5 is not a whole number from 16 to 1048576"),
        ("[limits]\noutput = true", "limits.output: True is not a whole number"),
        ("limits = 5", "limits: 5 is not a table"),
        ("slower = 1.5", "slower: 1.5 is not a number from 0 to 1"),
        ("points = -1", "points: -1 is not a number from 0 to 1e+06"),
        ("mode = 'lines'", "mode: 'lines' is not one of move, line, play. Did you mean 'line'?"),
        ("mode = 3", "mode: 3 is not one of move, line, play."),
        ("inputs = ['a']", "inputs: ['a'] is not a text"),
        ("call = 'x {input}'", "call: x {input}: has {input} only"),
        ('call = "x \'y"', "call: x 'y: a quotation mark is not closed"),
        ("[groups.a]\npuzzles = 'x'", "groups.a.puzzles: 'x' is not a list of names"),
        ("[groups.a]\npoint = 1", "groups.a.point: unknown. Did you mean 'points'?"),
        ("[puzzles]\na = 1", "puzzles.a: 1 is not a table"),
        ("[puzzles.a]\nvisibility = 'no'", "puzzles.a.visibility: 'no' is not one of visible"),
    ],
)
def test_mistakes_are_told_with_their_key(text: str, fault: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UserError) as caught:
        read_settings(path)
    assert str(caught.value).startswith(f"{path}: {fault}")


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, "mode = 1\nslower = 2\n[limits]\ncpu = 0\n[groups]\na = 1\n")
    with pytest.raises(UserError) as caught:
        read_settings(path)
    assert len(str(caught.value).split("\n")) == 4


def test_a_file_that_is_not_toml(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"grader.toml: not TOML: .*line 2"):
        read_settings(written(tmp_path, "mode = 'move'\nmode\n"))
    (tmp_path / "grader.toml").write_bytes(b"\xff")
    with pytest.raises(UserError, match="not UTF-8"):
        read_settings(tmp_path / "grader.toml")
    with pytest.raises(FileError, match="No such file"):
        read_settings(tmp_path / "other.toml")
