"""Shortest wins: against exhaustive search where that is possible, and against stored proofs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.builds import times
from support.minimax import exhaustive
from support.positions import board, random_pawns, random_positions

from solver.games import game_named
from solver.proof.answer import DEFAULT_NODES, solve
from solver.proof.prover import Prover
from solver.proof.wins import WinProof
from solver.search.alphabeta import Search
from solver.search.cache import RecentBounds
from solver.search.limits import Limits
from solver.search.position import LOST
from solver.search.score import distance, is_decisive, loss_in, win_in
from solver.search.techniques import Techniques

game = game_named("checkers")
PROVEN = json.loads((Path(__file__).parents[2] / "golden" / "shortest_wins.json").read_text())


@pytest.mark.parametrize("seed", range(times(5, 1)))
def test_agrees_with_exhaustive_search_up_to_seven_plies(seed: int) -> None:
    decided = 0
    for position in random_positions(times(100, 25), range(2, 5), seed=seed, uneven=True):
        horizon = 7 if len(position.children()) < 5 else 5
        plies = exhaustive(position, horizon)
        result = WinProof(Limits(depth=horizon)).run(position)
        if plies is None:
            assert result is None
            continue
        decided += 1
        assert result is not None
        assert result.depth == plies
        assert distance(result.score) == plies
        assert (result.score > 0) == (plies % 2 == 1)
        assert exhaustive(result.best, plies - 1) == plies - 1
    assert decided >= times(12, 6)


def check_line(position: Any, line: list[Any]) -> None:
    """Legal from the first move to the end of the game."""
    for step in line:
        assert step in position.children()
        position = step
    assert position.status() == LOST


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=f"win in {case['plies']}-{number}",
            marks=[pytest.mark.slow] if case["plies"] > 10 and number % 2 else [],
        )
        for number, case in enumerate(PROVEN)
    ],
)
def test_default_answer_to_a_won_board_is_a_shortest_win(case: dict[str, Any]) -> None:
    """Boards with wins of up to 15 plies, each proven once by deep alpha-beta as well."""
    position = board(case["position"])
    answer = solve(
        position,
        game.evaluator(game.DEFAULT_HEURISTIC, position),
        Limits(nodes=DEFAULT_NODES),
        Techniques(),
    )
    assert answer.result.proven
    assert answer.result.score == win_in(case["plies"])
    assert game.move_name(position, answer.result.best) in case["best"]
    assert len(answer.result.line) == case["plies"]
    check_line(position, answer.result.line)


def test_the_line_is_the_longest_defence() -> None:
    """After every step of the line the rest is exactly as long as the proof said."""
    position = board(PROVEN[0]["position"])
    result = WinProof(Limits()).run(position)
    assert result is not None
    for played, step in enumerate(result.line[:-1], 1):
        rest = WinProof(Limits()).run(step)
        assert rest is not None
        assert rest.depth == result.depth - played


@pytest.mark.parametrize("seed", range(3))
def test_two_flags_agrees_with_exhaustive_search_to_the_end(seed: int) -> None:
    """Every move goes forward, so with few pawns every line can be followed to its end."""
    for position in random_pawns(40, range(2, 5), seed=seed):
        result = WinProof(Limits()).run(position)
        assert result is not None
        assert result.depth == exhaustive(position, 40)
        check_line(position, result.line)


@pytest.mark.parametrize("positions", [random_positions, random_pawns])
def test_all_best_children_are_found(positions: Any) -> None:
    """Those that win as fast as possible, or lose as slowly; in the order of the rules."""
    wins = losses = 0
    for position in positions(times(400, 150), range(2, 5), seed=31):
        attempt = WinProof(Limits(depth=5))
        result = attempt.run(position)
        if result is None:
            continue
        children = position.children()
        ends = [exhaustive(child, result.depth - 1) for child in children]
        best = [c for c, end in zip(children, ends, strict=True) if end == result.depth - 1]
        assert attempt.best_children(position, result.depth) == best
        assert result.best in best
        wins += result.score > 0
        losses += result.score < 0
    assert min(wins, losses) >= times(4, 1)


def test_the_best_children_are_found_even_when_the_nodes_are_used_up() -> None:
    """What is proven must be told: the limits were for the proof."""
    position = board(PROVEN[0]["position"])
    free = WinProof(Limits())
    result = free.run(position)
    assert result is not None
    bound = WinProof(Limits(nodes=result.counters.visited))
    assert bound.run(position) is not None
    expected = free.best_children(position, result.depth)
    assert bound.best_children(position, result.depth) == expected


@pytest.mark.parametrize("seed", range(4))
def test_a_small_table_forgets_but_does_not_err(seed: int) -> None:
    """The answer is the same with a table that holds next to nothing."""
    for position in random_pawns(12, range(3, 5), seed=seed):
        whole, small = WinProof(Limits()), WinProof(Limits(), megabytes=0)
        expected, found = whole.run(position), small.run(position)
        assert expected is not None
        assert found is not None
        assert found.score == expected.score
        check_line(position, found.line)
        assert isinstance(small.table, RecentBounds)
        assert len(small.table.table) <= 2


def test_a_lost_board_is_defended_as_long_as_possible() -> None:
    position = board("W:WK1:BK10,K14,K7")
    results = [WinProof(Limits()).run(each) for each in (position, *position.children())]
    lost, *won = [result.score for result in results if result is not None]
    assert (len(won), lost < 0) == (len(position.children()), True)
    assert distance(lost) == max(map(distance, won)) + 1


@pytest.mark.parametrize("limits", [Limits(nodes=1000), Limits(depth=5), Limits(seconds=1e-9)])
def test_no_proof_within_the_limits_is_no_answer(limits: Limits) -> None:
    attempt = WinProof(limits)
    assert attempt.run(board(PROVEN[-1]["position"])) is None
    if limits.nodes is not None:
        left_over = attempt.counters.visited - limits.nodes  # the children that were too many
        assert 0 < left_over < 20


def test_the_search_agrees_where_both_can_see() -> None:
    """The heuristic search finds the same distance once it is deep enough."""
    agreed = 0
    for position in random_positions(times(100, 40), range(2, 6), seed=77, uneven=True):
        result = WinProof(Limits(depth=6)).run(position)
        search = Search(game.evaluator("material", position), Techniques())
        value = search.run(position, Limits(depth=6)).score
        assert (result is not None) == (is_decisive(value) and distance(value) <= 6)
        if result is not None:
            agreed += 1
            assert result.score == value
    assert agreed >= times(20, 6)


@pytest.mark.parametrize("fen", ["B:WK17:BK1,K6", "B:WK4:BK13,K21", "B:WK29:BK3,K32"])
def test_two_kings_catch_one_without_going_round_in_circles(fen: str) -> None:
    position = board(fen)
    result = WinProof(Limits(nodes=DEFAULT_NODES // 2)).run(position)
    assert result is not None
    assert result.score > 0
    check_line(position, result.line)


@pytest.mark.parametrize(
    ("fen", "score", "nodes"),
    [
        ("W:W9,K10,K20,28:BK14,K23", win_in(11), 4000),
        ("B:W9,10,K15,18,21,22,29:B12,13", loss_in(8), 2000),
    ],
)
def test_what_the_search_finds_is_made_exact(fen: str, score: int, nodes: int) -> None:
    """A first share of the nodes proves nothing; the search finds out who wins."""
    position, tables = board(fen), game.tables()
    assert Prover(Limits(nodes=nodes), tables).prove(position).result is None
    heard: list[bool] = []
    answer = solve(
        position,
        game.evaluator("tuned", position),
        Limits(nodes=nodes),
        Techniques(),
        exact=tables,
        listener=lambda result, is_proof: heard.append(is_proof),
    )
    assert (answer.result.score, answer.result.proven) == (score, True)
    assert answer.search_counters.visited > 0
    assert answer.proof.counters.visited + answer.search_counters.visited <= nodes + 20
    assert heard[-1]
    assert not any(heard[:-1])
    check_line(position, answer.result.line)


def test_time_that_is_left_makes_a_win_exact_as_well() -> None:
    position = board(PROVEN[0]["position"])
    prover = Prover(Limits(seconds=60))
    result = prover.finish(position, win_in(199), Limits(seconds=60))
    assert result is not None
    assert result.score == win_in(PROVEN[0]["plies"])
