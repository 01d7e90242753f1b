"""The runner rule against plain minimax: its bounds must never be wrong."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from support.builds import times

from solver.games.twoflags.rules import BLACK, NO_EN_PASSANT, Pawns, each_bit
from solver.games.twoflags.runner import RUNNERS, flip, mirror
from solver.search.position import LOST
from solver.search.score import is_decisive, loss_in, win_in

Memo = dict[Pawns, int]


def value_of(position: Pawns, memo: Memo) -> int:
    """The exact score, every line followed to its end."""
    if position.status() == LOST:
        return loss_in(0)
    if position not in memo:
        best = max(-value_of(child, memo) for child in position.children())
        memo[position] = best - 1 if best > 0 else best + 1
    return memo[position]


def check(position: Pawns, memo: Memo) -> tuple[int, int, int]:
    value = value_of(position, memo)
    simple = RUNNERS.simplest(position)
    assert isinstance(simple, Pawns)
    low, high = RUNNERS.at_least(simple), RUNNERS.at_most(simple)
    assert low <= value <= high, (position, str(position))
    assert RUNNERS.replies(simple) == len(position.children())
    return low, value, high


@st.composite
def few_pawns(draw: st.DrawFn) -> Pawns:
    """On three or four files, up to three pawns a side."""
    files = draw(st.integers(3, 4))
    squares = st.integers(0, 6 * files - 1).map(lambda n: 1 << n // files * 8 + n % files)
    bits = draw(st.lists(squares, min_size=2, max_size=6, unique=True))
    state = draw(st.sampled_from([0, BLACK, NO_EN_PASSANT, BLACK | NO_EN_PASSANT]))
    return Pawns(sum(bits[::2]), sum(bits[1::2]), 0, state)


@given(few_pawns())
def test_bounds_hold_and_symmetry_keeps_the_value(position: Pawns) -> None:
    memo: Memo = {}
    if position.status() != LOST:
        value = check(position, memo)[1]
        assert value_of(RUNNERS.simplest(position), memo) == value  # type: ignore[arg-type]
    for child in position.children():
        if child.status() != LOST:  # the square of en passant comes with double steps
            check(child, memo)


def test_a_pawn_that_could_take_elsewhere_can_be_taken_where_it_stands() -> None:
    for position in (
        Pawns(0x602000000, 0x4050000, 0, BLACK),
        Pawns(0x30000040000, 0x202000200, 0, BLACK),
        Pawns(0x308000000, 0x2100200, 0, BLACK | NO_EN_PASSANT),
    ):
        check(position, {})


def test_bounds_hold_wherever_a_game_leads_and_often_decide() -> None:
    """Whole games on three files, among them many with a chance to take en passant."""
    rng = random.Random(22)
    memos: list[Memo] = [{}, {}]
    decided = asked = 0
    for number in range(times(400, 60)):
        position = Pawns(0x7, 0x70000000000, 0, NO_EN_PASSANT * (number % 2))
        while position.status() != LOST:
            if number >= 4:  # the first values need every position
                low, value, high = check(position, memos[number % 2])
                asked += 1
                decided += low >= win_in(99) or high <= loss_in(99)
                assert is_decisive(value)
            position = rng.choice(position.children())
    assert decided > asked // 3


def test_images_have_one_simplest_form() -> None:
    rng = random.Random(5)
    for number in range(100):
        shift = number % 8  # as many files right of all pawns are empty
        squares = (0xFF >> shift) * 0x010101010101
        own, enemy = rng.getrandbits(48) & squares, rng.getrandbits(48) & squares
        position = Pawns(own & ~enemy, enemy & ~own, 0, 0)
        shifted = Pawns(position.own << shift, position.enemy << shift, 0, 0)
        mirrored = Pawns(mirror(position.own), mirror(position.enemy), 0, 0)
        exchanged = Pawns(flip(position.own), flip(position.enemy), 0, BLACK)
        simple = RUNNERS.simplest(position)
        assert simple == RUNNERS.simplest(shifted) == RUNNERS.simplest(simple)
        assert simple == RUNNERS.simplest(mirrored) == RUNNERS.simplest(exchanged)
        assert {flip(flip(bit)) == bit == mirror(mirror(bit)) for bit in each_bit(own)} <= {True}
