"""Names of moves, and the positions that names lead to."""

from __future__ import annotations

import pytest
from hypothesis import given
from support.naive_twoflags import Game
from support.pawn_drawings import any_game, pawns, position_of

from solver.games.twoflags import game
from solver.games.twoflags.text import child_named, move_name


def test_moves_are_named_by_the_squares_they_leave_and_reach() -> None:
    position = pawns("Setup Wa2 Wd5 Wg7 Bb3 Be5 WHITE e6")
    assert sorted(move_name(position, child) for child in position.children()) == [
        *("a2a3", "a2a4", "a2b3", "d5d6", "d5e6", "g7g8"),
    ]


def test_black_lands_on_rank_1() -> None:
    position = pawns("Setup Wh2 Wa2 Bb2 BLACK")
    assert [move_name(position, child) for child in position.children()] == ["b2b1"]


def test_there_is_no_other_notation() -> None:
    position = pawns(game.start())
    for child in position.children():
        assert game.move_name(position, child, squares=True) == move_name(position, child)


@given(any_game())
def test_every_move_is_found_by_its_name(start: Game) -> None:
    position = position_of(start)
    for child in position.children():
        name = move_name(position, child)
        assert child_named(position, name) == child
        assert child_named(position, name.upper()) == child


@pytest.mark.parametrize("suffix", ["q", "r", "b", "n", "Q", "N"])
def test_a_promotion_is_understood_though_it_means_nothing(suffix: str) -> None:
    position = pawns("Setup Wa7 Wc2 Bh7 WHITE")
    landed = child_named(position, "a7a8")
    assert landed is not None
    assert child_named(position, "a7a8" + suffix) == landed


@pytest.mark.parametrize(
    "name",
    [
        *("", "e", "e2", "e2e", "e2e5", "e2d3", "e7e5", "e3e4", "e2-e4", "0000", "exit"),
        *("e2e4x", "e2e4k", "e2e4qq", " e2e4", "a7a8"),
    ],
)
def test_what_is_no_legal_move_has_no_child(name: str) -> None:
    assert child_named(pawns(game.start()), name) is None


def test_a_game_that_is_over_has_no_moves_to_name() -> None:
    assert child_named(pawns("Setup Wa8 Wb2 Bh7 WHITE"), "b2b3") is None
