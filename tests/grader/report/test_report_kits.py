"""Kits, unpacked and called as their systems do, in folders that look like theirs; and Kattis
validators."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from support.grader_command import grader
from support.grading_examples import BEST

from grader.grading.records import Feedback, Judgement, Verdict
from grader.report.grading_files import validate

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "gradescope.json").read_text())
EMPTY = "........\n"
BOARD = EMPTY * 4 + "...b....\n..r.....\n" + EMPTY * 2
ANSWER = EMPTY * 3 + "....r...\n" + EMPTY * 4
WRITES = "import sys\nimport answer\nopen(sys.argv[2], 'w').write(answer.BOARD)\n"


@pytest.fixture(scope="module")
def puzzles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pairs as courses name them."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "puzzles").mkdir()
    (folder / "puzzles" / "input1.txt").write_text(BOARD)
    (folder / "puzzles" / "solution1.txt").write_text(ANSWER)
    (folder / "grader.toml").write_text("[groups.input]\npoints = 3\n")
    return folder


def make_kit(puzzles: Path, system: str, target: Path) -> None:
    done = grader("kit", system, str(target), "--inputs", "puzzles", cwd=puzzles)
    assert done.returncode == 0, done.stderr


def call(folder: Path, *command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """With a home of its own, and with programs that would install something replaced."""
    programs = folder.parent / f"{folder.name}-programs"
    programs.mkdir(exist_ok=True)
    for name in ("apt-get", "sudo"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    return subprocess.run(
        command,
        cwd=folder,
        env={"PATH": path, "HOME": str(folder), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )


@pytest.fixture
def autograder(puzzles: Path, tmp_path: Path) -> Path:
    """The image that Gradescope builds from the zip."""
    make_kit(puzzles, "gradescope", tmp_path / "kit.zip")
    with zipfile.ZipFile(tmp_path / "kit.zip") as archive:
        archive.extractall(tmp_path / "source")
        assert archive.getinfo("run_autograder").external_attr >> 16 == 0o100755
    assert call(tmp_path, "bash", "source/setup.sh", AUTOGRADER_ROOT=str(tmp_path)).returncode == 0
    shutil.copy(tmp_path / "source" / "run_autograder", tmp_path)
    (tmp_path / "submission").mkdir()
    return tmp_path


def test_gradescope(autograder: Path) -> None:
    """A right program in two files; then a fault of the grader, which is never the student's."""
    (autograder / "submission" / "main.py").write_text(WRITES)
    (autograder / "submission" / "answer.py").write_text(f"BOARD = {ANSWER!r}\n")
    for score, words in ((3, "1 of 1 puzzles accepted"), (0, "This is not your fault")):
        done = call(autograder, "bash", "run_autograder", AUTOGRADER_ROOT=str(autograder))
        assert done.returncode == 0, done.stdout
        assert [path.name for path in (autograder / "results").iterdir()] == ["results.json"]
        found = json.loads((autograder / "results" / "results.json").read_text())
        Draft202012Validator(SCHEMA).validate(found)
        assert sum(test["score"] for test in found["tests"]) == score
        assert words in found["output"]
        (autograder / "source/checkmark/packages/grader/cli/__init__.py").write_text("1 / 0\n")


def test_autolab(puzzles: Path, tmp_path: Path) -> None:
    make_kit(puzzles, "autolab", tmp_path)
    (tmp_path / "handin.py").write_text(f"import sys\nopen(sys.argv[2], 'w').write({ANSWER!r})\n")
    done = call(tmp_path, "make", "-f", "autograde-Makefile")
    assert done.returncode == 0
    assert json.loads(done.stdout.splitlines()[-1]) == {"scores": {"autograded": 3}}
    assert "3 of 3 marks" in done.stdout
    (tmp_path / "autograde.tar").write_bytes(b"")
    (tmp_path / "checkmark" / "grade").write_text("exit 3\n")
    done = call(tmp_path, "make", "-f", "autograde-Makefile")
    assert done.returncode != 0
    assert "scores" not in done.stdout


@pytest.mark.slow
def test_github(puzzles: Path, tmp_path: Path) -> None:
    """Every step of the workflow as a runner starts it."""
    yaml = pytest.importorskip("yaml", reason="reads workflows; comes with the extra cluster")
    make_kit(puzzles, "github", tmp_path)
    (tmp_path / "main.py").write_text("import sys\nsys.exit('oh no')\n")
    workflow = yaml.safe_load((tmp_path / ".github/workflows/checkmark.yml").read_text())
    (job,) = workflow["jobs"].values()
    summary = tmp_path / "step-summary"
    codes = [
        call(tmp_path, "bash", "-e", "-c", step["run"], GITHUB_STEP_SUMMARY=str(summary)).returncode
        for step in job["steps"]
        if "run" in step
    ]
    assert codes == [0, 0, 1, 0]  # installed, checked, less than all marks, shown
    assert "1. Does it run? No" in summary.read_text()
    assert "0 of 3 marks" in summary.read_text()
    assert "submission,,0,3,0.0" in (tmp_path / "marks.csv").read_text()
    (upload,) = [step for step in job["steps"] if "path" in step.get("with", {})]
    assert all((tmp_path / path).exists() for path in upload["with"]["path"].split())


def test_nothing_is_overwritten_and_wrong_answers_are_refused(
    puzzles: Path, tmp_path: Path
) -> None:
    (tmp_path / "kit.zip").write_text("mine")
    done = grader("kit", "gradescope", f"{tmp_path}/kit.zip", "--inputs", "puzzles", cwd=puzzles)
    assert done.returncode == 3
    assert "already exists" in done.stderr
    assert (tmp_path / "kit.zip").read_text() == "mine"
    (tmp_path / "input1.txt").write_text(EMPTY * 4 + "b.......\n" + EMPTY + "..r.....\n" + EMPTY)
    (tmp_path / "solution1.txt").write_text(BOARD)
    done = grader("kit", "autolab", "lab", "--inputs", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert not (tmp_path / "lab").exists()


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
