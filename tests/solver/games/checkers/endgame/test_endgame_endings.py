"""Endings that players have known for centuries: result, plies, and the moves that keep it."""

from __future__ import annotations

import pytest
from support.positions import board

from solver.games.checkers import game
from solver.search.score import describe


@pytest.mark.parametrize(
    ("fen", "result", "best"),
    [
        ("W:WK19,K23:B12,K28", "win in 61", ["23-27"]),  # the First Position
        ("B:WK19,K23:B12,K28", "0", ["28-32"]),
        ("W:W6,11:B3,K25", "win in 93", ["6-1"]),
        ("W:WK6,K9:BK15", "win in 27", ["9-14"]),
        ("W:WK18:BK29,K30", "0", ["18-22"]),
        ("B:W31,19:BK4,2", "win in 55", ["4-8"]),
    ],
)
def test_named_endings(fen: str, result: str, best: list[str]) -> None:
    tables = game.tables()
    position = board(fen)
    assert describe(tables.score(position)) == result
    values = {game.move_name(position, c): -tables.score(c) for c in position.children()}
    assert [name for name, value in values.items() if value == max(values.values())] == best


@pytest.mark.parametrize("fen", ["W:W6,11:B3,K25", "B:W31,19:BK4,2"])
def test_endings_with_only_one_winning_move(fen: str) -> None:
    position = board(fen)
    assert [game.tables().score(c) < 0 for c in position.children()].count(True) == 1


@pytest.mark.parametrize("fen", ["W:WK19,K23:B12,K28", "W:W6,11:B3,K25", "B:W31,19:BK4,2"])
def test_a_won_ending_is_played_to_its_end_in_as_many_plies(fen: str) -> None:
    """Best play by both sides makes the distance one less with every ply."""
    tables = game.tables()
    position = board(fen)
    score = tables.score(position)
    for _ in range(int(describe(score).rpartition(" ")[2])):
        position = min(
            position.children(), key=lambda child: tables.score(child) if child.own else -(10**6)
        )
    assert game.outcome(position) is not None
