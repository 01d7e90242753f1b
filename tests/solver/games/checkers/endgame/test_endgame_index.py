"""Every position has a number of its own, and every number a position."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.endgame_files import named

from solver.games.checkers.endgame.slices import (
    Positions,
    Slice,
    all_pairs,
    all_slices,
    turned,
)
from solver.games.checkers.rules import BOTTOM_ROW, SQUARES, TOP_ROW, bit_of_number
from solver.search.position import count

SLICES = all_slices(5)


@pytest.mark.parametrize("names", ["KvK Kvm mvK mvm", "mmvm", "mvmm", "KmvK"])
def test_all_positions_of_a_slice_by_their_index(names: str) -> None:
    for here in map(named, names.split()):
        positions = Positions(here)
        seen = set()
        for index in range(here.size):
            own, enemy, kings = positions.pieces(index)
            assert here.index(own, enemy, kings) == index
            seen.add((own, enemy, kings))
        assert len(seen) == here.size


@given(st.data())
def test_a_number_becomes_a_position_and_the_same_number_again(data: st.DataObject) -> None:
    here = data.draw(st.sampled_from(SLICES))
    index = data.draw(st.integers(0, here.size - 1))
    own, enemy, kings = Positions(here).pieces(index)
    assert here.index(own, enemy, kings) == index
    assert own & enemy == 0
    assert (own | enemy) & ~SQUARES == kings & ~(own | enemy) == 0
    assert own & ~kings & TOP_ROW == enemy & ~kings & BOTTOM_ROW == 0
    assert (count(own & ~kings), count(own & kings)) == (here.own_men, here.own_kings)
    assert (count(enemy & ~kings), count(enemy & kings)) == (here.enemy_men, here.enemy_kings)
    assert named(here.name()).number() == here.number()


def test_there_are_as_many_positions_as_there_should_be() -> None:
    assert [sum(here.size for here in all_slices(n)) for n in (2, 3, 4)] == [
        3_488,
        199_520,
        6_408_836,
    ]
    assert len({here.name() for here in SLICES}) == len(SLICES) == 85


def test_captures_and_crownings_lead_to_slices_that_come_before() -> None:
    order = [(here.pieces(), here.men()) for here in SLICES]
    assert order == sorted(order)


def test_pairs_hold_every_slice_once() -> None:
    listed = [here for pair in all_pairs(4) for here in dict.fromkeys(pair)]
    assert sorted(map(Slice.name, listed)) == sorted(map(Slice.name, all_slices(4)))


def test_turned_upside_down_a_square_changes_places_with_its_opposite() -> None:
    for number in range(1, 33):
        assert turned(bit_of_number(number)) == bit_of_number(33 - number)
