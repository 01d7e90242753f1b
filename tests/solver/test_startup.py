"""A plain call leaves at once, and yet loses nothing: no output, no exit code, no caller."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.command import BLOCKED, SHOT, SHOT_ANSWER, solver

ONE_MOVE = "........\n........\n.b......\n........\n........\n........\n........\nr.......\n"
ONE_MOVE_ANSWER = "........\n........\n.b......\n........\n........\n........\n.r......\n........\n"


@pytest.mark.parametrize(
    ("board", "answer"),
    [(ONE_MOVE, ONE_MOVE_ANSWER), (SHOT, SHOT_ANSWER), (BLOCKED, BLOCKED)],
)
def test_what_is_written_arrives(board: str, answer: str, tmp_path: Path) -> None:
    done = solver("-", "-", text=board)
    assert (done.returncode, done.stdout) == (0, answer)
    path = tmp_path / "answer.txt"
    assert solver("-", str(path), text=board).returncode == 0
    assert path.read_text() == answer


def test_what_is_wrong_is_told_with_its_exit_code(tmp_path: Path) -> None:
    done = solver("-", "-", text="rubbish\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "standard input: line 1" in done.stderr
    assert solver("-", str(tmp_path / "no" / "where"), text=ONE_MOVE).returncode == 3


def test_a_program_that_calls_us_goes_on_afterwards(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(ONE_MOVE)
    words = ["-m", "cProfile", "-m", "solver", str(board), "-"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(ONE_MOVE_ANSWER)
    assert "function calls" in done.stdout
