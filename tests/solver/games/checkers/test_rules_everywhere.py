"""The rules on any board at all, against a slow generator."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from support import naive_checkers as naive
from support.builds import times
from support.drawings import Rows, any_rows, at, either_side, rows_of, text_of

from solver.games.checkers.rules import Board
from solver.search.position import FORCED, LOST, QUIET


@settings(max_examples=times(1500, 250))
@given(any_rows(), either_side)
def test_moves_are_those_of_the_slow_generator(rows: Rows, mover: str) -> None:
    position = at(text_of(rows), mover)
    expected = Counter(naive.moves(rows, mover))
    assert Counter(map(rows_of, position.moves())) == expected
    assert Counter(map(rows_of, position.children())) == Counter(set(expected))


@settings(max_examples=times(900, 150))
@given(any_rows(), either_side)
def test_status_says_whether_there_are_jumps_or_steps_or_nothing(rows: Rows, mover: str) -> None:
    jumps, steps = naive.jumps(rows, mover), naive.steps(rows, mover)
    expected = FORCED if jumps else QUIET if steps else LOST
    assert at(text_of(rows), mover).status() == expected


@given(any_rows(), either_side)
def test_children_hold_nothing_that_their_text_does_not_show(rows: Rows, mover: str) -> None:
    """No crown stays behind on a square that has become empty; the turn passes."""
    other = "black" if mover == "red" else "red"
    for child in at(text_of(rows), mover).children():
        assert child.mover() == other
        assert occupied(child) == occupied(at(str(child), other))


def occupied(position: Any) -> list[Board]:
    """The boards with pieces: a position on both colours stays one when a colour empties."""
    return [half for half in position.boards() if half.own | half.enemy]
