"""`import grader`: what it offers, what it loads, and the walk of `grader run -q NAME`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import grader
from grader.grading.records import Verdict
from grader.judge import judge

ROOT = Path(__file__).resolve().parents[2]
JUMP = ROOT / "inputs/checkers/double-jump.txt"
EXPECTED = ROOT / "expected/checkers/double-jump.txt"
STOPS = [
    "cli.run",
    "cli.options",
    "puzzles.find",
    "submissions.find",
    "grading.grade",
    "sandbox.client",
    "judge.move",
    "grading.journal",
    "grading.feedback",
    "report.grading_text",
]


def test_an_answer_is_judged_with_and_without_an_expected_board() -> None:
    for expected in (None, EXPECTED):
        right = judge(JUMP, EXPECTED, expected)
        assert (right.verdict, right.move) == (Verdict.EXACT, "c3xe5xg7")
        wrong = judge(str(JUMP), JUMP.read_bytes(), expected)
        assert (wrong.verdict, wrong.reason) == (Verdict.ILLEGAL, "nothing was moved")


def test_a_program_is_graded(tmp_path: Path) -> None:
    program = tmp_path / "copy.py"
    program.write_text("import shutil, sys\nshutil.copy(*sys.argv[1:])\n")
    puzzles = ROOT / "inputs/checkers"
    (record,) = grader.grade(f"python3 {program}", puzzles, name="double-jump", sandbox="off")
    assert record.verdict is Verdict.ILLEGAL
    assert record.reason == "nothing was moved"


def run_python(code: str, cwd: Path) -> str:
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_the_grader_loads_nothing_else(tmp_path: Path) -> None:
    code = "import grader; print([name for name in sys.modules if name.startswith('grader.')])"
    assert run_python(code, tmp_path) == "[]\n"


WALK = """
import threading
from solver.games import GAMES, game_named

stops, boards = [], []
for rules in map(game_named, GAMES):
    def read(content, *rest, old=rules.read, **options):
        boards.append(content)
        return old(content, *rest, **options)
    rules.read = read
names = {wanted}

def follow(frame, event, argument):
    module = frame.f_globals.get("__name__", "").removeprefix("grader.")
    if module in names and frame.f_code.co_name != "<module>" and module not in stops:
        stops.append(module)

from grader.cli import main, run
sys.settrace(follow)
threading.settrace(follow)
main(["run", "-q", "double-jump", "--sandbox", "off", "--solver", "sh solve.sh {input} {output}"])
sys.settrace(None)
lab = [name for name in sys.modules if name.startswith("grader.lab")]
print("walk", len(boards), len(set(boards)), lab, *stops, sep="\\n")
"""


def test_the_walk_of_one_graded_puzzle(tmp_path: Path) -> None:
    """Its stops in order, no module of the lab, and its own boards only, each once."""
    (tmp_path / "solve.sh").write_text(f"printf '{EXPECTED.read_text()}' > $2\n")
    said = run_python(WALK.replace("{wanted}", repr(STOPS)), tmp_path).partition("walk\n")[2]
    boards, different, lab, *stops = said.splitlines()
    assert (boards, lab) == (different, "[]")
    assert int(boards) <= 4
    assert sorted(stops) == sorted(STOPS)
    assert len(STOPS) <= 12
