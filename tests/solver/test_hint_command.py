"""`solver hint`: nudges, and never the answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.builds import INTERPRETED, times
from support.explaining import INPUTS
from support.positions import random_pawns, random_positions

from solver import read
from solver.explain.hint import LEVELS
from solver.explain.why import find_hint
from solver.games import game_named
from solver.games.puzzle import Puzzle
from solver.games.solve import Request, Solver
from solver.search.limits import Limits

BOARDS = sorted(INPUTS.glob("*/*.txt"))
CIRCLES = [path for path in BOARDS if "circle" in path.stem]
SAMPLE = [*BOARDS[::4], *CIRCLES] if INTERPRETED else BOARDS


def check_silence(puzzle: Puzzle, limits: Limits) -> None:
    """No level names the move, in any notation, or where it ends."""
    game, position = puzzle.game, puzzle.position
    if game.outcome(position) is not None:
        return
    best = Solver(puzzle, Request(limits)).find(position).best
    hint = find_hint(puzzle, Request(limits))
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
    check_silence(read(path), Limits(nodes=3000))


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
