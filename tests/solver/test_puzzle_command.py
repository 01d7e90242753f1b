"""`solver puzzle` as a real process."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import solver
from positions import board

from solver.games import game_named
from solver.limits import Limits
from solver.score import loss_in
from solver.search import Search
from solver.techniques import Techniques

QUICK = ("puzzle", "--pieces", "2v1", "--win-in", "7", "--seed", "6")
# The same in every build, on every machine.
SEED_7 = """\
.......b
..b.....
.....R..
....r...
........
....b...
........
..r.....
"""
BLACK_TO_WIN = """\
........
.b...b..
........
.w..b...
........
........
....w.w.
........
black
"""


def test_the_puzzle_of_a_seed() -> None:
    done = solver("puzzle", "--pieces", "6", "--win-in", "9", "--unique", "--seed", "7")
    assert (done.returncode, done.stdout, done.stderr) == (0, SEED_7, "")


def test_its_solution_is_that_of_alpha_beta_without_tables() -> None:
    position = board(SEED_7)
    search = Search(game_named("checkers").evaluator("material", position), Techniques("tables"))
    scores = [search.run(child, Limits(depth=8)).score for child in position.children()]
    assert len(scores) >= 3
    assert scores.count(loss_in(8)) == 1
    assert min(scores) == loss_in(8)


def test_two_flags_too(tmp_path: Path) -> None:
    out = tmp_path / "new.txt"
    words = ("--game", "twoflags", "--pieces", "6", "--win-in", "7", "--unique", "--seed", "1")
    done = solver("puzzle", *words, str(out))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert out.read_text() == BLACK_TO_WIN
    assert "proven win in 7" in solver("solve", str(out), "-", "-v").stderr


def test_the_solution_is_told_on_standard_error_only() -> None:
    done = solver(*QUICK, "-v")
    assert done.stdout == solver(*QUICK).stdout
    seed, summary, line = done.stderr.splitlines()
    assert seed == "seed 6"
    assert summary.startswith("red plays ")
    assert ", proven win in 7; " in summary
    assert len(line.split()) == 8
    first = line.split()[1]
    assert first in summary
    assert f"red plays {first}, proven win in 7" in solver("-", "-", "-v", text=done.stdout).stderr


def test_one_position_is_no_positions() -> None:
    done = solver("puzzle", "--pieces", "4", "--draw", "--seed", "2", "-v")
    assert "proven draw; 1 position tried, " in done.stderr


def test_without_a_seed_it_is_told_and_can_be_used_again() -> None:
    words = ("puzzle", "--pieces", "4", "--draw", "--unique")
    done = solver(*words)
    word, seed = done.stderr.split()
    assert word == "seed"
    assert solver(*words, "--seed", seed).stdout == done.stdout


def test_many_puzzles_go_into_a_folder_and_the_first_is_that_of_the_seed(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    done = solver(*QUICK, "--count", "3", str(folder))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    texts = {path.name: path.read_text() for path in folder.iterdir()}
    assert sorted(texts) == [f"win-in-7-seed-6-{number}.txt" for number in (1, 2, 3)]
    assert texts["win-in-7-seed-6-1.txt"] == solver(*QUICK).stdout
    assert len(set(texts.values())) == 3


def test_no_file_of_a_folder_is_written_over(tmp_path: Path) -> None:
    precious = tmp_path / "win-in-7-seed-6-2.txt"
    precious.write_text("precious")
    done = solver(*QUICK, "--count", "3", str(tmp_path))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == f"solver: {precious}: is there already. Use another --seed or folder.\n"
    assert [path.read_text() for path in tmp_path.iterdir()] == ["precious"]


def test_what_cannot_be_found_is_said_to_be_so(tmp_path: Path) -> None:
    words = ("--pieces", "1v12", "--win-in", "21", "--seed", "1", "--nodes", "2000")
    out = tmp_path / "out.txt"
    done = solver("puzzle", *words, str(out))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("solver: No such puzzle was found within 2000 nodes.\n")
    assert "Try another --seed or more --nodes" in done.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "one of the arguments --win-in --draw --loss-in is required"),
        ("--win-in 9 --draw", "not allowed with argument"),
        ("--win-in 8", "a win takes an odd number of plies, not 8"),
        ("--win-in 999", "999 is more than 254"),
        ("--loss-in 7", "a loss takes an even number of plies, not 7"),
        ("--loss-in 2", "'2' is not a whole number from 4 on"),
        ("--win-in 9 --pieces 3v3v3", "'3v3v3' is neither like 6 nor like 2v4"),
        ("--win-in 9 --pieces six", "'six' is neither like 6 nor like 2v4"),
        ("--win-in 9 --pieces 1", "'1' is not a whole number from 2 on"),
        ("--win-in 9 --pieces 13v2", "A side has 12 pieces at most, not 13."),
        ("--win-in 9 --style king", "no style 'king'. Did you mean 'kings'? Known: any, "),
        ("--win-in 9 --variant no-en-passant", "checkers has no variant 'no-en-passant'"),
        ("--draw --game twoflags", "There are no draws in twoflags. Use --win-in or --loss-in."),
        ("--win-in 9 --count 2", "--count needs a folder to write into"),
        (f"--win-in 9 --seed {'9' * 18}", "a number of 18 digits is too large"),
        ("--win-in 9 --unikue", "Did you mean '--unique'?"),
    ],
)
def test_wrong_usage(words: str, reason: str) -> None:
    done = solver("puzzle", *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert solver(*QUICK, str(tmp_path / "none" / "out.txt")).returncode == 3
    done = solver(*QUICK, "--count", "1", str(tmp_path / "file"))
    assert done.returncode == 3
    assert done.stderr.startswith(f"solver: {tmp_path / 'file'}: cannot be a folder: ")
