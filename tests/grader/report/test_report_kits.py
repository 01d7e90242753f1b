"""The Gradescope autograder, run in a folder that looks like its root, and Kattis validators."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.grading_examples import BEST

from grader.grading.records import Feedback, Judgement, Verdict
from grader.report.grading_files import gradescope_kit, validate

REPOSITORY = Path(__file__).parents[3]
SCHEMA = json.loads((Path(__file__).parent / "schemas" / "gradescope.json").read_text())
PUZZLE = "checkers/last-man"
EMPTY = "........\n"
BOARD = EMPTY * 4 + "...b....\n..r.....\n" + EMPTY * 2
ANSWER = EMPTY * 3 + "....r...\n" + EMPTY * 4


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An autograder with one puzzle, and a submission that knows its answer by heart."""
    source = tmp_path / "source"
    for name, text in gradescope_kit().items():
        script(source / name, text)
    for folder, board in (("inputs", BOARD), ("expected", ANSWER)):
        target = source / folder / f"{PUZZLE}.txt"
        target.parent.mkdir(parents=True)
        target.write_text(board)
    program = f"import sys\nopen(sys.argv[2], 'w').write({ANSWER!r})\n"
    script(tmp_path / "submission" / "checkers.py", program)
    installed = f'#!/bin/sh\nPYTHONPATH={REPOSITORY} exec {sys.executable} -m grader "$@"\n'
    script(tmp_path / "checkmark" / "bin" / "grader", installed)
    return tmp_path


def results(root: Path) -> dict[str, Any]:
    done = subprocess.run(
        [root / "source" / "run_autograder"],
        env={**os.environ, "AUTOGRADER_ROOT": str(root)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (root / "results").iterdir()] == ["results.json"]
    found: dict[str, Any] = json.loads((root / "results" / "results.json").read_text())
    Draft202012Validator(SCHEMA).validate(found)
    return found


def test_a_submission_is_graded(root: Path) -> None:
    found = results(root)
    (test,) = found["tests"]
    assert (test["name"], test["score"], test["status"]) == (PUZZLE, 1, "passed")


def test_students_are_told_about_their_own_answer_only(root: Path) -> None:
    assert tomllib.loads(gradescope_kit()["grader.toml"])["feedback"] == "own"
    program = "import shutil, sys\nshutil.copy(sys.argv[1], sys.argv[2])\n"
    script(root / "submission" / "checkers.py", program)
    (test,) = results(root)["tests"]
    assert (test["score"], test["status"]) == (0, "failed")
    assert "Best:" not in test["output"]


def test_a_program_of_another_name_is_missed_by_its_name(root: Path) -> None:
    (root / "submission" / "checkers.py").rename(root / "submission" / "chekers.py")
    found = results(root)
    assert (found["score"], found["tests"]) == (0, [])
    assert "no file checkers.py in your submission" in found["output"]


@pytest.mark.parametrize(
    "grader",
    [
        "exit 2",
        'echo \'{"tests": []}\' >"$AUTOGRADER_ROOT/results/results.json"; kill -9 $$',
        None,
    ],
    ids=["usage", "killed half-way", "not installed"],
)
def test_a_fault_of_the_grader_is_never_the_students(root: Path, grader: str | None) -> None:
    if grader is None:
        (root / "checkmark" / "bin" / "grader").unlink()
    else:
        script(root / "checkmark" / "bin" / "grader", f"#!/bin/bash\n{grader}\n")
    found = results(root)
    assert "This is not your fault" in found["output"]


@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize("scoring", [False, True])
def test_a_validator_tells_the_team_less_than_the_judge(verdict: Verdict, scoring: bool) -> None:
    share = {Verdict.EXACT: 1.0, Verdict.EQUAL: 1.0, Verdict.SLOWER: 0.5}.get(verdict, 0.0)
    judgement = Judgement(verdict, "the \x1b[31mreason", comparison="win in 9", best=(BEST,))
    code, texts = validate(judgement, share, scoring)
    right = share > 0 if scoring else verdict.accepted
    if verdict is Verdict.JUDGE_ERROR:
        assert code not in (0, 42, 43)
    else:
        assert code == (42 if right else 43)
    assert texts.get("score_multiplier.txt") == (f"{share:g}\n" if scoring and right else None)
    assert texts["teammessage.txt"] == f"{verdict.words}: the \\x1b[31mreason\n"
    assert BEST in texts["judgemessage.txt"]
    _, brief = validate(judgement, share, scoring, Feedback.VERDICT)
    assert brief["teammessage.txt"] == f"{verdict.words}\n"
