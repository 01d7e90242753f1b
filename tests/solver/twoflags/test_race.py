"""`race`: when it says who wins the race, that side wins; and it sees no left and no right.

What its terms weigh is a matter of tuning and not tested.
"""

from __future__ import annotations

import random
from typing import Any

import naive_twoflags as naive
import pytest
from builds import times
from hypothesis import given, settings
from naive_twoflags import Game
from pawn_drawings import any_game, exchanged, mirrored, pawns, position_of, random_game

from solver.limits import Limits
from solver.score import DECISIVE
from solver.shortest import ShortestWin
from solver.twoflags import game
from solver.twoflags.heuristics import race_winner

ANY = settings(max_examples=times(300, 100), deadline=None)


def value(position: Any) -> int:
    return game.evaluator("race", position)(position)


# --- the race is exact ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("Wa5 Bh5 WHITE", 3),  # three moves each, and White begins
        ("Wa5 Bh4 WHITE", 3),
        ("Wa5 Bh4 BLACK", 3),
        ("Wa5 Bh3 WHITE", -2),  # one move too late
        ("Wa5 Bh6 BLACK", -3),
        ("Wa2 Bh7 WHITE", 5),  # the first step is a double one
        ("Wa3 Bh7 WHITE", 5),
        ("Wa5 Bh5 Bb7 WHITE", 0),  # a pawn ahead on the next file can take it
        ("Wa5 Bh5 Ba7 WHITE", 0),
        ("Wa5 Bh5 Bc7 WHITE", 3),  # two files away it cannot
        ("Wa5 Wb6 Bh3 Bc7 WHITE", 0),  # an own pawn ahead may be taken, and the taker stops it
    ],
)
def test_who_wins_the_race(text: str, moves: int) -> None:
    assert race_winner(pawns(f"Setup {text}")) == moves


@pytest.mark.parametrize("en_passant", [True, False])
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_who_wins_the_race_wins_the_game_no_later(count: int, en_passant: bool) -> None:
    """Proven by the search for shortest wins, within the moves that the race takes."""
    rng = random.Random(count)
    proven = {1: 0, -1: 0}
    for _ in range(2_000):
        position = position_of(random_game(rng, count, en_passant))
        moves = race_winner(position)
        if moves > 0:
            assert ShortestWin(Limits()).forces(position, 2 * moves - 1), repr(position)
            proven[1] += 1
        elif moves < 0:
            assert ShortestWin(Limits()).yields(position, -2 * moves), repr(position)
            proven[-1] += 1
    assert min(proven.values()) > 100


@pytest.mark.parametrize("en_passant", [True, False])
def test_who_wins_the_race_wins_by_exhaustive_search_too(en_passant: bool) -> None:
    """Every line to its end, by the slow twin, which shares no code with any of it."""
    rng = random.Random(11)
    decided = 0
    for number in range(300):
        start = random_game(rng, 2 + number % 3, en_passant)
        moves = race_winner(position_of(start))
        if moves:
            decided += 1
            plies = naive.plies_to_end(start, {})
            assert plies % 2 == (moves > 0), start
            assert plies <= (2 * moves - 1 if moves > 0 else -2 * moves), start
    assert decided > 120


# --- the heuristic around it ---------------------------------------------------------------


@ANY
@given(any_game())
def test_left_and_right_make_no_difference(start: Game) -> None:
    assert value(position_of(mirrored(start))) == value(position_of(start))


@ANY
@given(any_game())
def test_colours_make_no_difference_to_the_mover(start: Game) -> None:
    assert value(position_of(exchanged(start))) == value(position_of(start))


@ANY
@given(any_game())
def test_the_terms_add_up_and_stay_below_a_proven_win(start: Game) -> None:
    position = position_of(start)
    total = sum(term.total for term in game.explain("race", position))
    assert value(position) == (total if start.mover == "white" else -total)
    assert -DECISIVE < total < DECISIVE


@ANY
@given(any_game())
def test_a_decided_race_outweighs_everything_else(start: Game) -> None:
    """And of two won races the faster one is better."""
    position = position_of(start)
    moves = race_winner(position)
    if moves:
        assert (value(position) > 0) == (moves > 0)
        assert abs(value(position)) > 90_000
    else:
        assert abs(value(position)) < 90_000


def test_the_faster_race_is_better_and_the_slower_loss() -> None:
    won = [value(pawns(f"Setup Wa{rank} WHITE")) for rank in (3, 4, 5, 6, 7)]
    lost = [value(pawns(f"Setup Bh7 Wa{rank} BLACK")) for rank in (4, 5, 6, 7)]
    assert won == sorted(set(won))
    assert lost == sorted(set(lost), reverse=True)
