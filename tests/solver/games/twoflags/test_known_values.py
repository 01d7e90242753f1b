"""Positions whose values are the project's reference numbers, and the slow twin's verdict."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support import naive_twoflags as naive
from support.builds import times
from support.pawn_drawings import pawns, position_of, random_game

from solver.games.twoflags import game
from solver.proof.prover import WinProof
from solver.search.limits import Limits

NO = "no-en-passant"
# Position, rule set, plies (odd: the mover wins) and all best moves.
KNOWN = [
    ("Bf6 Bf7 Bh6 Wf4 Wg4 BLACK", "", 5, ["f6f5"]),
    ("Bf6 Bf7 Bh6 Wf4 Wg4 BLACK", NO, 5, ["f6f5"]),
    ("Bf6 Bf7 Bh5 Wf4 Wg4 WHITE", "", 5, ["g4h5"]),
    ("Wa5 Wb5 Wc5 Ba7 Bb7 Bc7 WHITE", "", 9, ["b5b6"]),
    ("Wa5 Wb5 Wc5 Ba7 Bb7 Bc7 WHITE", NO, 9, ["b5b6"]),
    ("We5 Bd7 Bf7 BLACK", "", 6, None),
    ("We5 Bd7 Bf7 BLACK", NO, 3, ["d7d5", "f7f5"]),
    ("Wa4 Bb7 BLACK", "", 3, ["b7b6"]),
    ("Wa4 Bb7 BLACK", NO, 3, ["b7b6"]),
    ("Wb4 Wa3 Wc2 Wd4 Bg7 Bg6 Be7 WHITE", "", 7, ["b4b5"]),
    ("Wb4 Wa3 Wc2 Wd4 Bg7 Bg6 Be7 WHITE", NO, 7, ["b4b5"]),
]


@pytest.mark.parametrize(("text", "variant", "plies", "best"), KNOWN)
def test_known_value(text: str, variant: str, plies: int, best: list[str] | None) -> None:
    position = pawns(f"Setup {text}", variant)
    attempt = WinProof(Limits())
    result = attempt.run(position)
    assert result is not None
    assert result.depth == len(result.line) == plies
    children: list[Any] = attempt.best_children(position, plies)
    if best is not None:
        assert sorted(game.move_name(position, child) for child in children) == best


@pytest.mark.parametrize(("files", "with_it", "without"), [(1, 4, 4), (2, 8, 8), (3, 14, 16)])
def test_the_start_on_few_files_is_lost(files: int, with_it: int, without: int) -> None:
    for variant, plies in (("", with_it), (NO, without)):
        result = WinProof(Limits()).run(pawns(game.start(files), variant))
        assert result is not None
        assert (result.depth, result.score < 0) == (plies, True)


def test_the_length_of_best_play_is_that_of_the_slow_twin() -> None:
    """Every line of every position followed to its end, by code that shares nothing."""
    rng = random.Random(4)
    for number in range(times(120, 60)):
        start = random_game(rng, 2 + number % 3, number % 2 == 0)
        plies = naive.plies_to_end(start, {})
        result = WinProof(Limits()).run(position_of(start)) if plies else None
        assert plies == (result.depth if result is not None else 0), start
