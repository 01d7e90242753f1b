"""Openings: the start, files, and random moves; the same for two games in a row."""

from __future__ import annotations

import pytest

from solver.errors import BoardError, UserError
from solver.twoflags import game
from solver.twoflags.net.referee import (
    find_fault,
    listed_openings,
    parse_openings,
    random_openings,
    setup_message,
    start_opening,
    without_en_passant,
)
from solver.twoflags.text import parse_setup

BOARD = "........\n......b.\n........\n........\n........\n........\nw.......\n........\n"


def test_the_start_is_told_as_it_always_was() -> None:
    assert setup_message(start_opening(1)) == game.start()


def test_only_black_to_move_is_told() -> None:
    assert setup_message(parse_setup("Setup Wa2 Bh7 BLACK", "", 0)) == "Setup Wa2 Bh7 BLACK"


def test_random_openings_come_in_pairs_and_again_with_the_same_seed() -> None:
    openings = random_openings(6, seed=1)
    positions = [openings(number) for number in range(1, 7)]
    assert positions[0::2] == positions[1::2]
    assert len(set(positions)) == 3
    again = random_openings(6, seed=1)
    assert [again(number) for number in range(1, 7)] == positions
    assert random_openings(6, seed=2)(1) != positions[0]


@pytest.mark.parametrize("plies", [0, 1, 2, 7, 20])
def test_random_openings_are_open_games(plies: int) -> None:
    openings = random_openings(plies, seed=0)
    for number in range(1, 40, 2):
        position = openings(number)
        assert find_fault(position) is None
        assert position.mover() == ("white" if plies % 2 == 0 else "black")


def test_too_many_random_plies_are_refused() -> None:
    with pytest.raises(UserError, match="no open game after 95"):
        random_openings(95, seed=0)(1)


def test_a_file_may_hold_a_board_or_a_setup_on_each_line() -> None:
    board = parse_openings(BOARD, "file")
    assert board == [parse_setup("Setup Wa2 Bg7", "", 0)]
    setups = parse_openings("Setup Wa2 Bh7\n\nSetup Wb2 Bh7 BLACK\n", "file")
    openings = listed_openings(setups)
    assert [setup_message(openings(number)) for number in range(1, 7)] == [
        *["Setup Wa2 Bh7"] * 2,
        *["Setup Wb2 Bh7 BLACK"] * 2,
        *["Setup Wa2 Bh7"] * 2,
    ]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("Setup Wa2 Bh7\nSetup Wa9", ["line 2, column 7: 'Wa9' is not a pawn"]),
        ("Setup Wa8 Bh7", ["line 1, column 1: the game is over, white has won"]),
        ("Setup Wa2", ["line 1, column 1: the game is over"]),
        ("Setup Wa5 Bb5 WHITE b6", ["line 1, column 1: a game cannot begin with a capture en"]),
        ("Setup Wa2 Bh7\nwhatever", ["line 2, column 1: a line that does not begin with 'Setup'"]),
        ("Setup Wx2 Bh7\nSetup Wa2 W", ["line 1, column 7", "line 2, column 11"]),
        (BOARD.replace("w", "x"), ["line 7, column 1: 'x' is not one of . w b"]),
        ("", ["line 1, column 1: the board ends after 0 rows"]),
    ],
)
def test_every_find_fault_a_file_is_told(text: str, faults: list[str]) -> None:
    with pytest.raises(BoardError) as caught:
        parse_openings(text, "file")
    lines = str(caught.value).split("\n")
    for fault, line in zip(faults, lines, strict=False):
        assert line.startswith(f"file: {fault}")
    assert len(caught.value.faults) == len(faults)


def test_en_passant_can_be_taken_away() -> None:
    position = without_en_passant(parse_setup("Setup We5 Bd7 Bf7 BLACK", "", 0))
    assert all(child.passed == 0 for child in position.children())
