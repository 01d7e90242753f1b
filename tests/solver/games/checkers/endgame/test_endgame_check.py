"""Every value follows from those of its children; and if one did not, it would be found."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from support.endgame_files import built, named, shipped, with_byte

from solver.cli.report import is_compiled
from solver.games.checkers.endgame.build import ForwardCheck
from solver.games.checkers.endgame.slices import DRAWN, LOST_AT_ONCE, Positions, Slice, all_slices
from solver.games.checkers.text import parse_fen

SAMPLE = 80  # positions of every slice that is too large for pure Python


def indices(here: Slice) -> range | list[int]:
    if is_compiled() or here.pieces() == 2:
        return range(here.size)
    return random.Random(here.name()).sample(range(here.size), SAMPLE)


def test_every_value_follows_from_the_values_of_the_children() -> None:
    for here in all_slices(4):
        check = ForwardCheck(here, shipped())
        check.look_at(indices(here))
        assert check.checked == len(indices(here))
        assert check.wrong == 0, (here.name(), check.first_wrong)


@given(st.data())
def test_any_other_value_is_found(data: st.DataObject) -> None:
    here = data.draw(st.sampled_from(all_slices(2)))
    index = data.draw(st.integers(0, here.size - 1))
    right = built(2).all_of(here)[index]
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != right))
    check = ForwardCheck(here, with_byte(built(2), 2, here.name(), index, byte))
    check.look_at([index])
    assert check.wrong == 1
    assert check.first_wrong == Positions(here).board(index)


def test_a_wrong_value_makes_those_wrong_that_rest_on_it() -> None:
    """A man blocked by a king on the last row has lost at once; say that it is a draw."""
    (board,) = parse_fen("B:WK32:B28", "test", True).position.boards()
    blocked = named("mvK").index(board.own, board.enemy, board.kings)
    assert built(2).all_of(named("mvK"))[blocked] == LOST_AT_ONCE
    check = ForwardCheck(named("Kvm"), with_byte(built(2), 2, "mvK", blocked, DRAWN))
    check.look_at(range(named("Kvm").size))
    assert check.wrong > 0
