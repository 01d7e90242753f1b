"""`two-flags` by hand and against a slow twin; `race` is right whenever it names a winner."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from support import naive_twoflags as naive
from support.builds import times
from support.naive_twoflags import Game
from support.pawn_drawings import any_game, exchanged, mirrored, pawns, position_of, random_game

from solver.games.twoflags import game
from solver.games.twoflags.heuristics import race_winner
from solver.proof.wins import WinProof
from solver.search.limits import Limits
from solver.search.score import DECISIVE

PAWN, RANK, LANDING, WON = 40, 30, 1_000, 10_000
PASSED = {"w": 150, "b": 250}


def value(name: str, position: Any) -> int:
    return game.evaluator(name, position)(position)


@pytest.mark.parametrize(
    ("setup", "expected"),
    [
        ("Wc8 Bf6 Bb3 Be2 BLACK", -WON),  # a pawn has landed, whatever else is on the board
        ("Wa7 Bh1 WHITE", -WON),
        ("Wa6 Wg5 Bd3 BLACK", 40 + 4 * 30 + 250 - (40 + 4 * 30 + 150) - (40 + 3 * 30 + 150)),
        ("Wa6 Wg5 Bd2 BLACK", 40 + 5 * 30 + 1_000 + 250 - 310 - 280),  # one step from landing
        ("Wd4 Bd7 WHITE", 2 * 30),  # nobody is passed: an enemy ahead on the file or beside it
        ("Wd4 Bc5 WHITE", (2 - 2) * 30),
        ("Wd4 Be5 WHITE", (2 - 2) * 30),
        ("Wd4 Bb7 WHITE", 2 * 30 + 150 - 250),  # two files away
        ("Wd4 Bd3 WHITE", (2 - 4) * 30 + 150 - 250),  # behind
        ("Wd4 Bc4 WHITE", (2 - 3) * 30 + 150 - 250),  # beside
        ("Wa4 Bh5 WHITE", 150 - 250),  # edges are no neighbours
        ("Wd4 Wd5 WHITE", 40 + 2 * 30 + 150 + 40 + 3 * 30 + 150),  # own pawns ahead do not matter
    ],
)
def test_two_flags_worked_out_by_hand(setup: str, expected: int) -> None:
    assert value("two-flags", pawns(f"Setup {setup}")) == expected


def slow_two_flags(rows: tuple[str, ...]) -> int:
    """The value for White, on the eight rows of text."""
    if "w" in rows[0] or "b" in rows[7]:
        return WON if "w" in rows[0] else -WON
    worth = {"w": 0, "b": 0}
    for row in range(8):
        for column, colour in enumerate(rows[row]):
            if colour == ".":
                continue
            steps = row if colour == "w" else 7 - row
            ahead = range(row) if colour == "w" else range(row + 1, 8)
            beside = range(max(0, column - 1), min(8, column + 2))
            stopped = any(rows[r][c] not in (".", colour) for r in ahead for c in beside)
            worth[colour] += PAWN + RANK * (6 - steps) + (LANDING if steps == 1 else 0)
            worth[colour] += 0 if stopped else PASSED[colour]
    return worth["w"] - worth["b"]


@given(any_game())
def test_two_flags_agrees_with_its_slow_twin(start: Game) -> None:
    expected = slow_two_flags(start.rows)
    here = value("two-flags", position_of(start))
    assert here == (expected if start.mover == "white" else -expected)


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


@pytest.mark.parametrize("count", [2, 4, 6])
def test_who_wins_the_race_wins_the_game_no_later(count: int) -> None:
    """Proven by the search for shortest wins, within the moves that the race takes."""
    rng = random.Random(count)
    proven = {1: 0, -1: 0}
    for number in range(times(4_000, 400)):
        position = position_of(random_game(rng, count, number % 2 == 0))
        moves = race_winner(position)
        if moves > 0:
            assert WinProof(Limits()).forces(position, 2 * moves - 1), repr(position)
            proven[1] += 1
        elif moves < 0:
            assert WinProof(Limits()).yields(position, -2 * moves), repr(position)
            proven[-1] += 1
    assert min(proven.values()) > times(40, 10)


def test_who_wins_the_race_wins_by_exhaustive_search_too() -> None:
    """Every line to its end, by the slow twin, which shares no code with any of it."""
    rng = random.Random(11)
    decided = 0
    for number in range(times(400, 100)):
        start = random_game(rng, 2 + number % 3, number % 2 == 0)
        moves = race_winner(position_of(start))
        if moves:
            decided += 1
            plies = naive.plies_to_end(start, {})
            assert plies % 2 == (moves > 0), start
            assert plies <= (2 * moves - 1 if moves > 0 else -2 * moves), start
    assert decided > times(160, 40)


@pytest.mark.parametrize("name", game.heuristics())
@given(any_game())
def test_terms_add_up_and_the_sides_of_the_board_do_not_matter(name: str, start: Game) -> None:
    position = position_of(start)
    here = value(name, position)
    assert value(name, position_of(mirrored(start))) == here
    total = sum(term.total for term in game.explain(name, position))
    assert here == (total if start.mover == "white" else -total)
    assert -DECISIVE < total < DECISIVE


@given(any_game())
def test_a_decided_race_outweighs_everything_else(start: Game) -> None:
    position = position_of(start)
    here, moves = value("race", position), race_winner(position)
    assert value("race", position_of(exchanged(start))) == here
    assert (abs(here) > 90_000) == (moves != 0)
    assert not moves or (here > 0) == (moves > 0)


def test_the_faster_win_and_the_slower_loss_are_better() -> None:
    won = [value("race", pawns(f"Setup Wa{rank} WHITE")) for rank in (3, 4, 5, 6, 7)]
    lost = [value("race", pawns(f"Setup Bh7 Wa{rank} BLACK")) for rank in (4, 5, 6, 7)]
    assert won == sorted(set(won))
    assert lost == sorted(set(lost), reverse=True)
