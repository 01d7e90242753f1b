"""What is known two plies before the end: never wrong, and right often enough to be of use."""

from __future__ import annotations

import pytest
from support.builds import times
from support.minimax import exhaustive
from support.positions import random_positions

from solver.games.checkers import game
from solver.games.checkers.frontier import Frontier
from solver.games.checkers.rules import Board
from solver.search.position import LOST
from solver.search.score import loss_in, win_in

FRONTIER = Frontier()


@pytest.mark.parametrize("pieces", [range(2, 5), range(5, 9), range(9, 15)])
def test_it_agrees_with_exhaustive_search(pieces: range) -> None:
    silent = answered = 0
    for position in random_positions(times(20_000, 700), pieces, seed=len(pieces), uneven=True):
        if position.status() == LOST:
            continue
        plies = exhaustive(position, 2)
        if plies == 1:
            assert FRONTIER.at_most(position) == win_in(1)
        elif FRONTIER.at_most(position) == win_in(3):
            answered += 1
        else:
            silent += 1
        if plies == 2:
            assert FRONTIER.at_least(position) == loss_in(2)
        elif FRONTIER.at_least(position) == loss_in(4):
            answered += 1
        else:
            silent += 1
    assert answered > silent


def test_boards_on_both_colours_are_not_judged() -> None:
    position = game.read("r.......\n" * 2 + "........\n" * 5 + ".......b", "test", False).position
    assert FRONTIER.at_most(position) == win_in(1)
    assert FRONTIER.at_least(position) == loss_in(2)


def test_replies_are_counted_as_the_rules_count_them() -> None:
    for position in random_positions(200, range(2, 15), seed=9):
        moves = len(position.children())
        jumps = position.jumpers() if isinstance(position, Board) else 0
        assert FRONTIER.replies(position) == (int(jumps).bit_count() if jumps else moves)
