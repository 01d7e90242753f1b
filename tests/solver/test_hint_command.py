"""`solver hint`: nudges, and never the answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from builds import INTERPRETED, times
from command import BLOCKED, SHOT, solver
from explaining import INPUTS
from positions import random_pawns, random_positions

from solver.cli.hint import found_hint
from solver.cli.puzzle import Puzzle, read_puzzle
from solver.cli.request import Request
from solver.explain.hint import LEVELS
from solver.games import game_named
from solver.limits import Limits

BOARDS = sorted(INPUTS.glob("*/*.txt"))
CIRCLES = [path for path in BOARDS if "circle" in path.stem]
SAMPLE = [*BOARDS[::4], *CIRCLES] if INTERPRETED else BOARDS


def check_silence(puzzle: Puzzle, limits: Limits) -> None:
    """No level names the move, in any notation, or where it ends."""
    game, position = puzzle.game, puzzle.position
    if game.outcome(position) is not None:
        return
    best = Request(limits).solver(puzzle).solve(position).best
    hint = found_hint(puzzle, Request(limits))
    names = {game.move_name(position, best, squares) for squares in (False, True)}
    ends = {re.findall(r"[a-h][1-8]|\d+", name)[-1] for name in names}
    for level in range(1, LEVELS + 1):
        text = " ".join(hint.sentences(level))
        assert not any(name in text for name in names)
        assert not ends & set(re.findall(r"\w+", text))
        assert ("Look at" in text) == (level > 1)
        assert len(hint.sentences(level)) > level


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_hint_names_the_move_or_its_end(path: Path) -> None:
    check_silence(read_puzzle(str(path)), Limits(nodes=3000))


@pytest.mark.parametrize("seed", range(times(5, 1)))
def test_nor_on_random_boards(seed: int) -> None:
    """Light squares and both, either side to move, won, lost and drawn."""
    for game, positions in (
        ("checkers", random_positions(60, range(2, 9), seed)),
        ("twoflags", random_pawns(40, range(2, 13), seed)),
    ):
        for position in positions:
            puzzle = Puzzle(game_named(game), position, "board", "test")
            check_silence(puzzle, Limits(nodes=400))


def test_levels(shot: str) -> None:
    quick = ("hint", shot, "--nodes", "4000")
    told = [solver(*quick, "--level", level).stdout for level in "123"]
    assert told[0] == "Red can force a win.\nThink of a shot: give a man, get two men.\n"
    assert told[1] == told[0] + "Look at the king on c5 (19).\n"
    assert told[2] == told[1] + (
        "A jump is compulsory: let black make one, and see which of your pieces can jump after "
        "it.\n"
    )
    assert solver(*quick).stdout == told[1]


def test_squares_have_numbers_on_dark_boards_only(tmp_path: Path) -> None:
    mirrored = "\n".join(row[::-1] for row in SHOT.splitlines())
    assert (
        "Look at the king on f5.\n" in solver("hint", "-", "--nodes", "4000", text=mirrored).stdout
    )


def test_a_king_that_comes_back_is_not_named_by_its_square() -> None:
    done = solver("hint", str(INPUTS / "checkers/jump-in-a-circle.txt"))
    assert "Look at your king.\n" in done.stdout
    done = solver("hint", str(INPUTS / "checkers/jump-in-a-circle-downwards.txt"))
    assert "Look at your kings.\n" in done.stdout


@pytest.mark.parametrize(
    ("text", "stakes"),
    [
        ("B:W24:B20,4", "Red can win at once."),
        ("B:WK19,K23:B12,K28", "Red can hold a draw, and no more than that; only one move does."),
        ("W:WK19,K23:B12,K28", "Black can force a win."),
        ("Setup We5 Bd7 Bf7 BLACK", "Black is lost if white plays well."),
    ],
)
def test_stakes(text: str, stakes: str) -> None:
    done = solver("hint", "-", text=text)
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == stakes


def test_equally_good_moves_are_counted() -> None:
    done = solver("hint", str(INPUTS / "checkers/equally-good-four.txt"), "--level", "1")
    assert "Three other moves would be as good as the one this is about." in done.stdout
    done = solver("hint", str(INPUTS / "twoflags/race-lone-pawns.txt"))
    assert "One other move would be as good" in done.stdout
    assert "equally soon" in done.stdout


def test_options_of_solving_are_heeded() -> None:
    done = solver("hint", "-", "--depth", "2", "--heuristic", "material", text="B:W21-32:B1-12")
    assert done.stdout.startswith("Nothing is proven here")
    done = solver("hint", "-", "--time", "0.2", text="B:W21-32:B1-12")
    assert done.returncode == 0
    done = solver("hint", "--game", "twoflags", "--nodes", "500")
    assert done.stdout.startswith("Nothing is proven here: this is what a search likes best for w")


def test_a_game_that_is_over_needs_no_hint() -> None:
    done = solver("hint", "-", text=BLOCKED)
    assert done.stdout == "black has won: red is to move and has no legal move\n"
    assert done.returncode == 0


def test_mistakes(shot: str) -> None:
    done = solver("hint", shot, "--level", "4")
    assert (done.returncode, done.stdout) == (2, "")
    assert "4 is more than 3" in done.stderr
    done = solver("hint")
    assert done.returncode == 2
    assert "Which board?" in done.stderr
