"""Before a grading: `grader.toml`, and expected answers, where only proven facts stop it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from support.grader_command import OWN, grader, lay_out_mine, records
from support.grading_plans import case, plan
from support.judging import made_up

import solver
from grader.cli.expected import check_expected
from grader.grading.plan import Mode, Plan
from grader.grading.records import Feedback, Visibility
from grader.puzzles import evidence
from grader.puzzles.find import About
from grader.puzzles.settings import Settings, read_settings
from grader.puzzles.truth import parse_value
from grader.sandbox.job import RunLimits
from solver.errors import UserError

ROOT = Path(__file__).parents[3]
INPUTS = ROOT / "inputs" / "checkers"
MEN = (INPUTS / "opposition-of-men.txt").read_text()  # g1-f2 wins in 7, all else draws


@pytest.mark.parametrize(
    ("given", "best", "value", "is_wrong"),
    [
        ("draw", "win in 7", "win in 7", True),
        ("win in 9", "win in 7", "win in 7", True),
        ("+42 at depth 10", "win in 7", "win in 7", True),  # it was asked for a win in 7
        ("+42 at depth 10", "win in 7", "win in at most 7", False),
        ("win in at most 9", "win in at most 7", "win in at most 7", False),
        ("loss in 4", "win in at most 7", "win in at most 7", True),
        ("loss in 4", "draw", "draw", True),
        ("loss in 4", "loss in 8", "loss in 8", True),
        ("loss in at most 4", "loss in 8", "loss in 8", False),
        ("-50 at depth 10", "draw", "draw", False),
        ("-50 at depth 10", "+50 at depth 10", "+50 at depth 10", False),
        ("win in 7", "win in 7", "win in 7", False),
    ],
)
def test_a_move_is_worse_only_if_that_is_proven(
    given: str, best: str, value: str, is_wrong: bool
) -> None:
    truth = replace(made_up(MEN, values=(given, best)), value=parse_value(value))
    found = truth.find_better()
    assert (found is not None) == is_wrong
    assert found is None or [str(move.value) for move in found] == [given, best]


def write_pairs(folder: Path, **boards: tuple[str, str]) -> None:
    for number, (board, answer) in enumerate(boards.values(), 1):
        (folder / f"input{number}.txt").write_text(board)
        (folder / f"solution{number}.txt").write_text(answer)


def test_all_wrong_answers_are_named_at_once(tmp_path: Path) -> None:
    drawn = str(solver.read(MEN).play("g1-h2"))
    right = (ROOT / "expected" / "checkers" / "opposition-of-men.txt").read_text()
    write_pairs(tmp_path, worse=(MEN, drawn), same=(MEN, MEN), text=(MEN, "?"), best=(MEN, right))
    run = ["run", "--sandbox", "off", "--inputs", ".", "--solver", "cp {input} {output}"]
    refused = grader(*run, cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stderr.splitlines() == [
        "grader: solution1.txt: shows g1-h2 (draw); g1-f2 is better (win in 7).",
        "grader: solution2.txt: the expected board is not the input after a legal move of red.",
        "grader: solution3.txt, expected: line 1, column 1: '?' is not one of . r b R B.",
        "grader: Wrong: 3 of 4 expected answers."
        " Correct the files, or add --trust-expected to grade all the same.",
    ]
    assert not (tmp_path / "grades.db").exists()
    trusted = grader(*run, "--trust-expected", "-o", "records", cwd=tmp_path)
    assert trusted.returncode == 3
    marks = [(each["verdict"], each["max_score"]) for each in records(trusted.stdout)]
    error = ("judge-error", 0)
    assert marks == [("illegal", 1), error, error, ("illegal", 1)]
    assert "solution2.txt: " in trusted.stderr
    assert "it does not count for anyone" in trusted.stderr


def test_a_truth_is_found_once_and_goes_with_the_plan(tmp_path: Path) -> None:
    lay_out_mine(tmp_path)
    with patch.dict(os.environ, {"XDG_CACHE_HOME": str(tmp_path / "cache")}):
        with patch.object(evidence, "find_truth", wraps=evidence.find_truth) as find:
            evidence.truth_of.cache_clear()
            assert grader(*OWN, cwd=tmp_path).returncode == 0
            assert find.call_count == 4  # the judge has not asked again
            evidence.truth_of.cache_clear()
            assert grader(*OWN, cwd=tmp_path).returncode == 0
            assert grader("resume", cwd=tmp_path).returncode == 0
            assert find.call_count == 4
        for file in (tmp_path / "cache").rglob("*.json"):
            file.write_text("{")
        evidence.truth_of.cache_clear()
        assert grader(*OWN, cwd=tmp_path).returncode == 0
    with patch.dict(os.environ, {"XDG_CACHE_HOME": "/dev/null"}):
        assert grader(*OWN, cwd=tmp_path).returncode == 0


def test_many_are_checked_in_processes() -> None:
    wrong = replace(case("wrong"), expected=case("wrong").input, expected_path=Path("wrong.txt"))
    cases = [replace(case(f"jump{n}"), input=b"%b\n" % case("").input) for n in range(7)]
    with patch.dict(os.environ, {"XDG_CACHE_HOME": "/dev/null"}):
        with pytest.raises(UserError, match=r"^wrong\.txt: .*\nWrong: 1 of 8"):
            check_expected([*cases, wrong], jobs=2, trust=False)
        checked = check_expected(cases[:2], jobs=2, trust=False)
    whole = replace(plan(), cases=tuple(checked))
    assert [each.truth for each in Plan.unpacked(whole.packed()).cases] == [
        evidence.truth_of(each) for each in cases[:2]
    ]


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
