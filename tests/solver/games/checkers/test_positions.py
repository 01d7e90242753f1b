"""Checkers positions are values, and their keys tell them apart."""

from __future__ import annotations

from collections import deque
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from support.builds import times
from support.drawings import Rows, any_rows, at, either_side, side_by_side, text_of
from support.positions import board

from solver.games.checkers import game
from solver.games.checkers.mixed import TwoBoards
from solver.games.checkers.rules import Board


@settings(max_examples=times(300, 100), deadline=None)
@given(any_rows(), either_side)
def test_str_is_the_board_and_repr_is_the_position(rows: Rows, mover: str) -> None:
    position = at(text_of(rows), mover)
    assert str(position) == text_of(rows)
    names = {"Board": Board, "TwoBoards": TwoBoards}
    assert eval(repr(position), names) == position


@settings(max_examples=times(300, 100), deadline=None)
@given(any_rows(), any_rows(), either_side, either_side)
def test_positions_are_equal_when_board_and_mover_are(
    rows: Rows, other_rows: Rows, mover: str, other_mover: str
) -> None:
    position = at(text_of(rows), mover)
    same, other = at(text_of(rows), mover), at(text_of(other_rows), other_mover)
    assert same == position
    assert hash(same) == hash(position)
    assert (other == position) == ((other_rows, other_mover) == (rows, mover))
    assert position.passed() != position
    assert position.passed().passed() == position


def test_a_crown_a_place_a_colour_or_the_other_board_makes_a_difference() -> None:
    """Four boards on dark squares, one on light squares, three on both."""
    drawing = """
        ........  ........  ........  ........  ........  ........  ........  ........
        ........  ........  ........  ........  ........  ........  ........  ........
        ........  ........  ........  ........  ........  ........  ........  ........
        ........  ........  ........  ........  ........  ........  ........  ........
        ...r....  ...R....  .....r..  ...b....  ....r...  ...rr...  ...rR...  ...r..r.
        ........  ........  ........  ........  ........  ........  ........  ........
        ........  ........  ........  ........  ........  ........  ........  ........
        ........  ........  ........  ........  ........  ........  ........  ........
    """
    positions = [at(text_of(rows)) for rows in side_by_side(drawing)]
    for one, two in combinations(positions, 2):
        assert one != two


def test_a_position_equals_nothing_else() -> None:
    start = board(game.start())
    mixed = TwoBoards(start, start)
    assert start != str(start)
    assert mixed != str(mixed)
    assert start != mixed
    assert mixed != start


# --- keys ----------------------------------------------------------------------------------

LIGHT_START = """
    b.b.b.b.
    .b.b.b.b
    b.b.b.b.
    ........
    ........
    .r.r.r.r
    r.r.r.r.
    .r.r.r.r
"""
MIXED_START = """
    bbbbbbbb
    bbbbbbbb
    bbbbbbbb
    ........
    ........
    rrrrrrrr
    rrrrrrrr
    rrrrrrrr
"""
MIXED = """
    .b..b..b
    b...b...
    ...b..b.
    ........
    ........
    r..r..r.
    .r....r.
    ..R.r..r
"""
STARTS = [
    game.start(),
    LIGHT_START,
    MIXED_START,
    MIXED,
    "B:WK10,K11,K18,K19,K26,K27:BK15,K1",
    "B:W6,7,8,14,15,16,22,23,24:BK2,K12",
    "B:WK30,K31:BK1,K2,3",
]


@pytest.fixture(scope="module")
def met() -> list[Any]:
    """Distinct positions that games from several starts can meet."""
    found: set[Any] = set()
    for start in STARTS:
        found |= reachable(board(start), 20_000)
    assert len(found) >= 120_000
    return list(found)


def reachable(start: Any, enough: int) -> set[Any]:
    """The positions of all games from a start, the nearest first, until there are enough."""
    found = {start}
    waiting = deque([start])
    while waiting and len(found) < enough:
        for child in waiting.popleft().children():
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def test_no_two_positions_have_the_same_key(met: list[Any]) -> None:
    assert len({position.key() for position in met}) == len(met)


def test_no_two_boards_have_the_same_board_key(met: list[Any]) -> None:
    boards = {p if p.mover() == "red" else p.passed() for p in met}
    assert len({position.board_key() for position in boards}) == len(boards)


def test_keys_are_natural_numbers_below_2_to_the_62(met: list[Any]) -> None:
    keys = [position.key() for position in met] + [position.board_key() for position in met]
    too_large = [key for key in keys if not 0 <= key < 2**62]
    assert not too_large, f"{len(too_large)} of {len(keys)} keys, as {too_large[0]:#x}"


def test_the_board_key_does_not_see_whose_turn_it_is_but_the_key_does(met: list[Any]) -> None:
    for position in met:
        other = position.passed()
        assert other.board_key() == position.board_key()
        assert other.key() != position.key()
