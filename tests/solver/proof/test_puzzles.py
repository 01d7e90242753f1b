"""New puzzles: what is found is what was asked for, by means that share no proof with it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.minimax import exhaustive
from support.positions import board, random_positions

from solver.games import game_named
from solver.games.checkers.endgame.probe import EndgameTables
from solver.proof.prover import Prover
from solver.proof.puzzles import Found, Hunt
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits
from solver.search.position import QUIET
from solver.search.score import UNKNOWN, loss_in, win_in
from solver.search.techniques import Techniques

NODES = 10_000_000


def hunt(game_name: str, pieces: tuple[int, int], wanted: int, seed: int, **options: Any) -> Hunt:
    game, chance = game_named(game_name), Random(seed).random
    return Hunt(
        lambda: game.random_position(chance, *pieces),
        wanted,
        exact=game.tables(),
        nodes=NODES,
        **options,
    )


def check_choice(found: Found, unique: bool) -> None:
    children = found.position.children()
    assert found.position.status() == QUIET
    assert len(children) >= 3
    assert 0 < len(found.best) < len(children)
    assert all(child in children for child in found.best)
    assert len(found.best) == 1 or not unique


def searched(game_name: str, position: Any, depth: int) -> int:
    """The score by alpha-beta, without tables."""
    game = game_named(game_name)
    evaluate = game.evaluator(game.DEFAULT_HEURISTIC, position)
    search = Search(evaluate, Techniques("tables"))
    return int(search.run(position, Limits(depth=depth)).score)


@pytest.mark.parametrize(
    ("game_name", "pieces", "plies", "seed", "options"),
    [
        ("checkers", (3, 2), 7, 2, {"unique": True}),
        ("checkers", (2, 1), 7, 1, {}),
        ("twoflags", (4, 4), 9, 1, {"unique": True}),
    ],
)
def test_the_shortest_win_takes_as_long_as_was_asked_for(
    game_name: str, pieces: tuple[int, int], plies: int, seed: int, options: dict[str, Any]
) -> None:
    found = hunt(game_name, pieces, win_in(plies), seed, **options).next()
    assert found is not None
    check_choice(found, "unique" in options)
    for child in found.position.children():
        score = searched(game_name, child, plies - 1)
        assert score >= loss_in(plies - 1)
        assert (score == loss_in(plies - 1)) == (child in found.best)


def test_the_longest_defence_lasts_as_long_as_was_asked_for() -> None:
    found = hunt("checkers", (2, 4), loss_in(6), 8, unique=True).next()
    assert found is not None
    check_choice(found, unique=True)
    for child in found.position.children():
        score = searched("checkers", child, 5)
        assert win_in(5) <= score <= win_in(1)
        assert (score == win_in(5)) == (child in found.best)


def test_a_draw_is_held_by_some_moves_and_lost_by_the_others() -> None:
    tables = game_named("checkers").tables()
    found = hunt("checkers", (2, 2), 0, 1, unique=True).next()
    assert found is not None
    check_choice(found, unique=True)
    for child in found.position.children():
        assert (tables.score(child) == 0) == (child in found.best)
        assert tables.score(child) >= 0


@pytest.mark.parametrize(
    "fen",
    ["W:W24,28:B4,K15", "B:WK8,23:B15,25", "B:W12,18:B10,23", "B:W26,30:B5,18"],
)
def test_draws_beyond_the_tables_are_those_that_larger_tables_know(fen: str) -> None:
    """Four pieces, proven with tables of three."""
    smaller = EndgameTables()
    smaller.open()
    smaller.pieces = 3
    tables = game_named("checkers").tables()
    position = board(fen)
    assert smaller.score(position) == UNKNOWN
    best = Prover(Limits(nodes=5000), smaller).best_moves(position, 0)
    assert best == [child for child in position.children() if tables.score(child) == 0]
    assert 0 < len(best) < len(position.children())
    assert Prover(Limits(nodes=50), smaller).best_moves(position, 0) == []


def test_every_length_is_distinguished() -> None:
    wanted = {1: win_in(1), 2: loss_in(2), 3: win_in(3), 4: loss_in(4), 5: win_in(5)}
    seen = set()
    positions = random_positions(40, range(2, 4), seed=11, uneven=True)
    for position in positions + [position.passed() for position in positions]:
        ends = [exhaustive(child, 4) for child in position.children()]
        plies = exhaustive(position, 5)
        seen.add(plies)
        for length, score in wanted.items():
            best = Prover(Limits(nodes=10_000), NOTHING).best_moves(position, score)
            wins_or_lasts = zip(position.children(), ends, strict=True)
            right = [child for child, end in wins_or_lasts if end == length - 1]
            assert best == (right if length == plies else [])
    assert set(wanted) <= seen


def test_the_same_numbers_give_the_same_puzzles_and_none_twice() -> None:
    one, two = (hunt("twoflags", (2, 2), win_in(3), 5) for _ in range(2))
    first = [one.next() for _ in range(4)]
    again = [two.next() for _ in range(4)]
    texts = [str(each and each.position) for each in first]
    assert texts == [str(each and each.position) for each in again]
    assert len(set(texts)) == 4
    assert "None" not in texts


def test_a_puzzle_that_was_found_is_not_found_again() -> None:
    found = hunt("twoflags", (2, 2), win_in(3), 5).next()
    assert found is not None
    same = Hunt(lambda: found.position, win_in(3), nodes=10_000)
    assert same.next() is not None
    assert same.next() is None


def test_the_nodes_are_a_bound_even_where_every_position_is_rejected_at_sight() -> None:
    told: list[tuple[int, int]] = []
    over = board("B:W32:B28")
    hopeless = Hunt(lambda: over, win_in(9), nodes=1000)
    assert hopeless.next(lambda tries, nodes: told.append((tries, nodes))) is None
    assert told == []
