"""The rules of checkers: one case for every mistake that is easily made."""

from __future__ import annotations

import pytest
from support import naive_checkers as naive
from support.drawings import drawn, rows_of
from support.positions import board

from solver.games.checkers import game
from solver.search.position import FORCED, LOST

# The rule, a board (rows from the top, without the dots that end them), all legal moves.
RULES = [
    ("a red man steps up only", "////...r", "15-19 15-18"),
    ("a black man steps down only", "////...b black", "15-11 15-10"),
    ("a king steps one square in all directions", "////...R", "15-19 15-18 15-11 15-10"),
    # What leaves on the right does not come back on the left.
    ("the board ends at its edges", "////.......R/R", "13-17 13-9 12-16 12-8"),
    ("a piece on the edge cannot be jumped", "///b/.r.....b/......r", "16-19 9-14"),
    ("a red man is crowned on the top row", "/r", "28-32"),
    ("a black man is crowned on the bottom row", "//////.b black", "8-4 8-3"),
    # As a king it could take the second man; its move has ended.
    ("a red man crowned by a jump does not jump on", "/..b.b/.r", "24x31"),
    ("a black man crowned by a jump does not jump on", "/////..b/...r.r black", "11x2"),
    # Only the crowning of a man ends a chain there.
    ("a king that touches the top row jumps on", "/..b.b/.R", "24x31x22"),
    ("a chain is not left early", "///....b//..b/.r", "8x15x22"),
    # The first jump clears the square onto which the other red man could jump.
    ("no other piece continues a chain", "/////..b/.r.b/....r", "8x15"),
    ("the longer jump is not compulsory", "///......b//..b.b/...r", "7x16 7x14x21"),
    # The man and the king on the right could step; the man on the left has to jump.
    ("a jump forbids the steps of all other pieces", "/////..b/.r...r/......R", "8x15"),
    ("any of several jumping pieces may jump", "/////..b.b/.r...r", "8x15 6x15"),
    ("a man does not jump backwards", "////...r/..b.b", "15-19 15-18"),
    ("a man does not turn back within a chain", "///....b.b/...r", "15x22"),
    ("a king turns back within a chain", "///....b.b/...R", "15x22x13"),
    ("two pieces in a row cannot be jumped", "///....b/...b/..r", "11-16"),
    ("a side does not jump its own pieces", "////...r/..r", "11-16 15-19 15-18"),
    # The square it left is empty while it jumps.
    ("a king circles back to its own square", "///..b.b//..b.b/...R", "7x14x23x16x7"),
    # Round the four men either way, then over the fifth; or over the fifth at once.
    ("two orders are one child", "/..b.b//..b.b/...R/....b", "15x22x31x24x15x6 15x6"),
    ("a blocked red side has no move", "...b/b.b/.r", ""),
    ("a blocked black side has no move", "/////......b/.....r.r/....r black", ""),
    ("a side without pieces has no move", "///..b", ""),
    # Pieces on both colours of squares.
    ("a jump on light squares forbids steps on dark ones", "/////.....b/.r....r", "g2xe4"),
    ("a jump on dark squares forbids steps on light ones", "/////..b/.r....r", "b2xd4"),
    ("any jump on both colours may be chosen", "/////..b..b/.r....r", "b2xd4 g2xe4"),
    ("blocked on one colour, a side moves on the other", "...b/b.b/.r/////.......r", "h1-g2"),
    ("a side blocked on both colours has no move", "...b/b.b/.rb/.b/r", ""),
]


@pytest.mark.parametrize(("rule", "short", "names"), RULES)
def test_the_legal_moves(rule: str, short: str, names: str) -> None:
    """Named by hand; what each leads to is checked by the slow generator."""
    position = drawn(short)
    children = position.children()
    assert sorted(game.move_name(position, child) for child in children) == sorted(names.split())
    assert {rows_of(child) for child in children} == set(
        naive.moves(rows_of(position), position.mover())
    )
    assert (position.status() == LOST) == (not names)
    assert (position.status() == FORCED) == ("x" in names)


def test_two_orders_of_jumping_are_two_moves() -> None:
    assert len(drawn("/..b.b//..b.b/...R/....b").moves()) == 3


def test_a_taken_king_leaves_no_crown_behind() -> None:
    position = drawn("/////..B/.r")
    assert position.kings != 0
    assert [(game.move_name(position, c), c.kings) for c in position.children()] == [("8x15", 0)]


NO_MOVE = "is to move and has no legal move"


@pytest.mark.parametrize(
    ("short", "result"),
    [
        ("...b/b.b/.r", f"black has won: red {NO_MOVE}"),
        (
            "/////......b/.....r.r/....r black",
            f"red has won: black {NO_MOVE}",
        ),
        ("///..b", "black has won: red has no piece left"),
        ("///..b black", "black has won: red has no piece left"),
    ],
)
def test_how_a_game_ends(short: str, result: str) -> None:
    assert str(game.outcome(drawn(short))) == result
    assert game.outcome(board(game.start())) is None
