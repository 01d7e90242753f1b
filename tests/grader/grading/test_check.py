"""`grader check`: programs with one thing wrong, and what is said about it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support.console import run_command
from support.grading_plans import record

from grader.grading.check import (
    CheckStage,
    GeneratorReport,
    ProgramCheck,
    compare_generators,
    count_pieces,
    find_board,
    find_collection,
    group_failures,
)
from grader.grading.grade import grade_all
from grader.grading.plan import Plan
from grader.grading.records import Record, Verdict
from grader.grading.workers import Workers, local
from grader.puzzles.evidence import truth_of
from grader.sandbox.job import RunLimits
from grader.submissions.find import Submission, from_program
from solver.games import game_named
from solver.games.bugs import PROBE

STUDENTS = Path(__file__).parents[2] / "golden" / "samples" / "students"
BOARD = "........\n........\n........\n..b.....\n.r......\n........\n........\n........\n"
collection = cache(find_collection)


@pytest.fixture
def workers() -> Iterator[Workers]:
    with local(2) as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with chdir(tmp_path):
        yield tmp_path


def write(name: str, source: str, mode: int = 0o644) -> str:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(source)
    os.chmod(name, mode)
    return name


READ = "import sys\nboard = open(sys.argv[1]).read()\n"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (f"{READ}board[999]", 'File "p.py", line 3'),
        (f"{READ}print(board)", "it printed a board; the answer belongs in the file"),
        (f"{READ}open(sys.argv[2], 'w').write(board + '5 nodes')", "line 9 is not part of the"),
        ("print(input())", "EOFError"),
        ("def f(:", "SyntaxError"),
    ],
)
def test_a_program_that_does_not_run(source: str, words: str, folder: Path) -> None:
    done = run_command(f"grader check {write('p.py', source)}")
    assert done.code == 1
    assert done.stdout.startswith("1. Does it run? No: ")
    assert words in done.stdout
    assert "\nNext: python3 p.py " in done.stdout
    assert "2." not in done.stdout
    assert [each.name for each in folder.iterdir()] == ["p.py"]


TWO_FLAGS = f"""{READ}
rows = [list(row) for row in board.split()[:8]]
me, step = ("w", -1) if "white" in board else ("b", 1)
x, y = next((x, y) for y in range(8) for x in range(8)
            if rows[y][x] == me and 0 <= y + step < 8 and rows[y + step][x] == ".")
rows[y][x], rows[y + step][x] = ".", me
open(sys.argv[2], "w").write("\\n".join(map("".join, rows)))
"""


@pytest.mark.parametrize(
    ("name", "source", "game"),
    [
        ("a.py", TWO_FLAGS, "twoflags"),
        ("a.py", f"{READ}open(sys.argv[2], 'w').write(board)", "checkers"),
        ("a-twoflags.py", "1 / 0", "twoflags"),
        ("a.py", "1 / 0", "checkers"),
    ],
)
def test_the_game_is_found_by_answers(
    name: str, source: str, game: str, folder: Path, workers: Workers
) -> None:
    check = ProgramCheck(from_program(Path(write(name, source))))
    assert check.find_game(collection(), workers)[0].game == game
    assert {case.game for case in (*check.rules.cases, *check.strength.cases)} == {game}


@pytest.mark.parametrize(
    ("name", "text", "mode", "words"),
    [
        ("p.py", "", 0o755, "PYTHON {submission}/p.py"),
        ("p", "#!/usr/bin/env sh\n", 0o644, "sh {submission}/p"),
        ("p", "#!/bin/sh -e\n", 0o644, "/bin/sh -e {submission}/p"),
        ("p", "#!/bin/sh -e\n", 0o755, "{submission}/p"),
        ("it/checkers.py", "--inputfile", 0o644, "python3 {submission}/checkers.py --inputfile"),
    ],
)
def test_how_a_program_is_started(
    name: str, text: str, mode: int, words: str, folder: Path
) -> None:
    Path(name).parent.mkdir(exist_ok=True)
    write(name, text, mode)
    command = " ".join(from_program(Path(name.split("/")[0])).command)
    assert command.replace(sys.executable, "PYTHON").startswith(words)


def compare(source: str, workers: Workers) -> GeneratorReport | None:
    program = from_program(Path(write("p.py", source)))
    return compare_generators(program, game_named("checkers"), workers.run)


def test_a_right_generator(folder: Path, workers: Workers) -> None:
    source = (STUDENTS / "right.py").read_text()
    assert compare(source, workers) == GeneratorReport(2000)
    assert compare(source.replace("def children(", "def moves("), workers) is None


def test_a_wrong_generator(folder: Path, workers: Workers) -> None:
    source = (STUDENTS / "right.py").read_text()
    found = compare(source.replace("return taking or [", "return taking + ["), workers)
    assert found is not None
    assert found.differing
    assert found.missing == ()
    assert "a jump was available" in found.extra[0]
    kings = source.replace("get(piece, UP + DOWN)", "get(piece, UP)")
    found = compare(kings, workers)
    assert found is not None
    assert found.differing
    assert "R" in found.board
    assert found.missing


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def children(rows, side):\n    return [rows[9]]\n", "IndexError"),
        ("def children(rows, side):\n    pass\nopen('nothing')\n", "FileNotFoundError"),
        ("def children(rows, side):\n    return ['x']\n", "it returned 'x', which is not a board"),
    ],
)
def test_a_generator_that_fails(source: str, words: str, folder: Path, workers: Workers) -> None:
    found = compare(source, workers)
    assert found is not None
    assert words in found.fault
    assert not found.differing


def test_strength_and_groups() -> None:
    """As of a program that finds wins in five plies and nothing else."""
    own = [each for each in collection() if each.game == "twoflags" and each.group != PROBE]
    check = ProgramCheck(Submission("p", (), ()))
    check.strength = CheckStage(own)
    for task in Plan((check.submission,), tuple(own), RunLimits()).tasks():
        value = truth_of(task.case).value
        found = value is not None and value.result > 0 and (value.plies or 9) <= 5
        done = record(task, Verdict.EXACT if found else Verdict.WORSE)
        check.strength.done[task.case.name] = replace(done, input_board=task.case.text)
    strength = check.measure()
    assert (strength.longest, strength.missed) == (5, 7)
    assert {("win in 3", 3, 3), ("win in 5", 10, 10), ("win in 7", 0, 9)} < {*strength.kinds}
    (group,) = group_failures(check.records)
    sizes = [count_pieces(each.input_board) for each in group]
    assert len(group) == len(own) - 13
    assert sizes == sorted(sizes)


def test_boards_without_a_solution(folder: Path) -> None:
    """Of the same name in two folders; one with a line that was repaired."""
    shutil.copy(STUDENTS / "right.py", folder)
    write("one/mine.txt", BOARD)
    write("two/mine.txt", f"{find_board('double-jump')[0].text}red to move\n")
    done = run_command("grader check right.py one/mine.txt two/mine.txt")
    assert done.code == 0  # the program is given a plain board
    assert "two/mine.txt: " in done.stderr
    first, second = done.stdout.split("two/mine.txt: ", 1)
    assert first.startswith("one/mine.txt: ")
    assert "Best move: b4xd6, win in 1" in first
    assert "Best move: c3xe5xg7" in second


def test_the_time_is_bounded(workers: Workers) -> None:
    program = Submission("p", (), ("true", "{input}", "{output}"))
    plan = Plan((program,), tuple(collection()[:100]), RunLimits())
    records: list[Record] = [each for _, each in grade_all(plan, plan.tasks(), workers, 0)]
    assert 0 < len(records) < 100
