"""`two-flags`: a pawn 40, a rank 30, one step from landing 1000, a passed pawn 150 or 250.

The value is worked out for Black where a test says so, as the weights were first described.
"""

from __future__ import annotations

from typing import Any

import pytest
from builds import times
from hypothesis import given, settings
from naive_twoflags import Game
from naive_twoflags_heuristics import two_flags
from pawn_drawings import any_game, mirrored, pawns, position_of

from solver.score import DECISIVE
from solver.twoflags import game

PAWN, RANK, LANDING, WHITE_PASSED, BLACK_PASSED, WON = 40, 30, 1_000, 150, 250, 10_000


def value(position: Any) -> int:
    return game.evaluator("two-flags", position)(position)


def for_black(text: str) -> int:
    """The value from Black's side, whoever is to move."""
    position = pawns(text)
    return value(position) if position.mover() == "black" else -value(position)


# --- the three examples that came with the weights -----------------------------------------


@pytest.mark.parametrize("mover", ["white", "black"])
def test_example_1_a_white_pawn_that_has_landed_is_minus_ten_thousand(mover: str) -> None:
    """Whatever else stands on the board: the game is over."""
    text = f"""
        ..w.....
        ........
        .....b..
        ........
        ........
        .b......
        ....b...
        ........
        {mover}"""
    assert for_black(text) == -WON


def test_example_2_a_black_pawn_one_step_from_landing_gets_a_large_bonus() -> None:
    """Minus 180 before, nearly a thousand more after: the bonus and one rank.

    The description puts this pawn on row 2, which is where White's pawns are one step from
    landing; Black lands on row 7.  What it means, one step from landing, is what counts, for
    Black on rank 2.  It also gives the thousand twice, once for being one step away and once for
    the step made; it is given once, and the step counts as the rank it is.
    """
    before = for_black("""
        ........
        ........
        w.......
        ......w.
        ........
        ...b....
        ........
        ........
        black""")
    after = for_black("""
        ........
        ........
        w.......
        ......w.
        ........
        ........
        ...b....
        ........
        white""")
    white = (PAWN + 4 * RANK + WHITE_PASSED) + (PAWN + 3 * RANK + WHITE_PASSED)
    assert before == PAWN + 4 * RANK + BLACK_PASSED - white == -180
    assert after == PAWN + 5 * RANK + LANDING + BLACK_PASSED - white == 850
    assert after - before == LANDING + RANK


def test_example_3_one_pawn_more_is_forty() -> None:
    """The start without a white pawn; later seventy, when Black has come a rank further.

    The description speaks of about ten points and then of forty; forty is the weight it gives.
    """
    start = for_black("""
        ........
        bbbbbbbb
        ........
        ........
        ........
        ........
        wwwwwww.
        ........
        white""")
    later = for_black("""
        ........
        bbb.bbbb
        ........
        ...b....
        ........
        ....w...
        wwww.ww.
        ........
        white""")
    assert start == PAWN == 40
    assert later == PAWN + (2 - 1) * RANK == 70


# --- term by term --------------------------------------------------------------------------


def test_the_start_is_worth_nothing() -> None:
    assert value(pawns(game.start())) == 0


@pytest.mark.parametrize("rank", range(2, 8))
def test_every_rank_counts_thirty(rank: int) -> None:
    """White's from rank 2 on, Black's from rank 7 on, and the last step before landing more."""
    white = PAWN + (rank - 2) * RANK + WHITE_PASSED + (LANDING if rank == 7 else 0)
    black = PAWN + (7 - rank) * RANK + BLACK_PASSED + (LANDING if rank == 2 else 0)
    assert value(pawns(f"Setup Wc{rank} WHITE")) == white
    assert value(pawns(f"Setup Bc{rank} BLACK")) == black


@pytest.mark.parametrize(
    ("black", "passed"),
    [
        ("d7", False),
        ("c5", False),
        ("e5", False),
        ("d5", False),
        ("b7", True),
        ("f5", True),
        ("d3", True),
        ("c4", True),
        ("e3", True),
    ],
)
def test_a_pawn_is_passed_when_no_enemy_is_ahead_on_its_file_or_beside_it(
    black: str, passed: bool
) -> None:
    """Enemies on the same rank or behind do not matter.  What is true for the one is for both:
    each pawn is ahead of the other or neither is."""
    rest = PAWN + 2 * RANK - PAWN - (7 - int(black[1])) * RANK
    bonus = WHITE_PASSED - BLACK_PASSED if passed else 0
    assert value(pawns(f"Setup Wd4 B{black} WHITE")) == rest + bonus


def test_own_pawns_ahead_do_not_stop_a_passed_pawn() -> None:
    both = (PAWN + 2 * RANK + WHITE_PASSED) + (PAWN + 3 * RANK + WHITE_PASSED)
    assert value(pawns("Setup Wd4 Wd5 WHITE")) == both


def test_a_passed_pawn_on_one_edge_does_not_mind_the_other() -> None:
    white, black = PAWN + 2 * RANK + WHITE_PASSED, PAWN + 2 * RANK + BLACK_PASSED
    assert value(pawns("Setup Wa4 Bh5 WHITE")) == white - black
    assert value(pawns("Setup Wh4 Ba5 WHITE")) == white - black


def test_a_landed_pawn_is_worth_ten_thousand_for_its_side() -> None:
    for mover, sign in (("WHITE", -1), ("BLACK", 1)):
        assert value(pawns(f"Setup Wa7 Bh1 {mover}")) == sign * WON


def test_the_terms_are_named_and_weighed() -> None:
    position = pawns("Setup Wd5 Wa7 Bh3 Bg2 Be6 BLACK")
    terms = game.explain("two-flags", position)
    assert [(term.title, term.first, term.second, term.weight) for term in terms] == [
        ("pawns", 2, 3, PAWN),
        ("pawns one step from landing", 1, 1, LANDING),
        ("ranks advanced", 3 + 5, 4 + 5 + 1, RANK),
        ("white passed pawns", 1, 0, WHITE_PASSED),
        ("black passed pawns", 0, 2, BLACK_PASSED),
    ]
    (landed,) = game.explain("two-flags", pawns("Setup Wd8 Bh3 BLACK"))
    assert (landed.title, landed.total) == ("a pawn has landed", WON)


# --- on any board --------------------------------------------------------------------------

ANY = settings(max_examples=times(300, 100), deadline=None)


@ANY
@given(any_game())
def test_agrees_with_itself_written_on_text(start: Game) -> None:
    position = position_of(start)
    expected = two_flags(start.rows, start.mover)
    total = sum(term.total for term in game.explain("two-flags", position))
    assert value(position) == expected
    assert total == (expected if start.mover == "white" else -expected)
    assert -DECISIVE < expected < DECISIVE


@ANY
@given(any_game())
def test_neither_the_turn_nor_left_and_right_nor_the_rule_set_matter(start: Game) -> None:
    here = value(position_of(start))
    others = {"white": "black", "black": "white"}
    assert value(position_of(start._replace(mover=others[start.mover], passed=""))) == -here
    assert value(position_of(mirrored(start))) == here
    assert value(position_of(start._replace(en_passant=not start.en_passant, passed=""))) == here
