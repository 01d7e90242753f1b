"""What the command line says to mistakes: a hint, an exit code, no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import solver


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["analyze", "x.txt"],
            "analyze: there is no such command or file. Did you mean 'analyse'?",
        ),
        (["{in}", "-", "--heuristic", "center"], "Did you mean 'centre'? Known: material, "),
        (["{in}", "-", "--heurstic", "x"], "Did you mean '--heuristic'?"),
        (
            ["{in}", "-", "--ordering", "sttic"],
            "argument --ordering: 'sttic' is not one of none, static, learned, killers. "
            "Did you mean 'static'? Try 'python3 -m solver solve --help'.\n",
        ),
        (["{in}", "-", "--format", "fne"], "There is no format 'fne'. Did you mean 'fen'?"),
        (["{in}", "-", "--cache", "sond"], "Did you mean 'sound'?"),
        (["{in}", "-", "--depth", "0"], "'0' is not a whole number from 1 on"),
        (["{in}", "-", "--depth", "x"], "'x' is not a whole number from 1 on"),
        (["{in}", "-", "--depth", "201"], "201 is more than 200"),
        (["{in}", "-", "--time", "nan"], "'nan' is not a number of seconds above 0"),
        (["{in}", "-", "--no-deepening"], "--no-deepening needs a --depth"),
        (
            ["{in}", "-", "--inputfile", "{in}"],
            "The input is given as an argument and as --inputfile",
        ),
        (
            ["{in}", "-", "--outputfile", "-"],
            "The output is given as an argument and as --outputfile",
        ),
        (["--depth", "3"], "Which board? Try 'python3 -m solver board.txt answer.txt'."),
        (["{in}", "a", "b"], "unrecognized arguments: b. Try 'python3 -m solver solve --help'."),
        (["perft"], "the following arguments are required: --depth"),
        (["eval", "{in}", "--heuristic", "my.py:"], "my.py: No such file or directory"),
    ],
)
def test_a_mistake_gets_a_hint_and_no_traceback(shot: str, words: list[str], told: str) -> None:
    done = solver(*(word.replace("{in}", shot) for word in words))
    assert done.returncode in (2, 3)
    assert done.stdout == ""
    assert told in done.stderr
    assert all(line.startswith("solver: ") for line in done.stderr.splitlines())


def test_every_fault_of_a_board_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    out = tmp_path / "out.txt"
    out.write_text("precious")
    path.write_text("........\n..x.....\n......\n....y...\n")
    done = solver(str(path), str(out))
    assert done.returncode == 2
    *faults, advice = done.stderr.splitlines()
    assert faults == [
        f"solver: {path}: line 2, column 3: 'x' is not one of . r b R B",
        f"solver: {path}: line 3, column 7: 6 characters, a row has 8",
        f"solver: {path}: line 4, column 5: 'y' is not one of . r b R B",
        f"solver: {path}: line 5, column 1: the board ends after 4 rows, it has 8",
    ]
    assert advice.startswith("solver: A board is 8 rows of 8 characters, ")
    assert out.read_text() == "precious"


def test_a_missing_file_and_a_folder() -> None:
    assert solver("nowhere.txt", "-").returncode == 3
    done = solver("/", "-")
    assert (done.returncode, done.stderr) == (3, "solver: /: Is a directory\n")


def test_a_huge_file_is_no_board(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    path.write_text("." * 200_000)
    done = solver(str(path), "-")
    assert done.returncode == 2
    assert "too large for a board" in done.stderr
