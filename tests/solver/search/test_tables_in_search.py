"""Endgame tables inside the search and the proofs: leaves that are certain."""

from __future__ import annotations

from itertools import product

import pytest
from support.builds import times
from support.minimax import Minimax
from support.positions import board, random_positions

from solver.games import game_named
from solver.proof.answer import solve
from solver.proof.prover import DrawProof
from solver.proof.wins import WinProof
from solver.search.alphabeta import Search
from solver.search.heuristic import known_line
from solver.search.limits import Limits
from solver.search.position import LOST
from solver.search.score import UNKNOWN, distance, win_in
from solver.search.techniques import CACHES, TERMINALS, Techniques

game = game_named("checkers")
TABLES = game.tables()
MATERIAL = game.evaluator("material", board("W:WK18:BK29,K30"))
SOUND = [
    Techniques(without, terminal=terminal)
    for *without, terminal in product(
        ("", "pvs"), ("", "ordering"), ("", "cache"), ("", "deepening"), TERMINALS
    )
]


@pytest.mark.parametrize("seed", range(3))
def test_every_combination_of_techniques_gives_the_minimax_value(seed: int) -> None:
    """The textbook's leaves are certain where the tables know them, and so are the search's."""
    met = 0
    for position in random_positions(times(25, 4), range(3, 8), seed=400 + seed):
        evaluate = game.evaluator("centre", position)
        for techniques in SOUND:
            oracle = Minimax(evaluate, extend=True, wins=techniques.wins, exact=TABLES)
            result = Search(evaluate, techniques, TABLES).run(position, Limits(depth=3))
            assert result.score == max(
                -oracle.value(child, 2, 1) for child in position.children()
            ), f"{position!r} {techniques}"
            met += result.counters.known > 0
    assert met > times(300, 40)


def test_a_switch_turns_them_off() -> None:
    position = board("W:WK19,K23:B12,K28")
    evaluate = game.evaluator("material", position)
    with_tables = Search(evaluate, Techniques(), TABLES).run(position, Limits(depth=4))
    without = Search(evaluate, Techniques("tables"), TABLES).run(position, Limits(depth=4))
    assert (with_tables.score, with_tables.proven) == (win_in(61), True)
    assert (without.proven, without.counters.known) == (False, 0)


def test_a_win_through_the_tables_is_certain_but_perhaps_not_the_shortest() -> None:
    """The score at a small depth is never better than the truth; its line goes to the end."""
    bounded = followed = 0
    for position in random_positions(60, range(5, 7), seed=9, uneven=True):
        evaluate = game.evaluator("material", position)
        result = Search(evaluate, Techniques(), TABLES).run(position, Limits(depth=4))
        if not result.decided:
            continue
        if TABLES.score(result.line[min(3, len(result.line) - 1)]) != UNKNOWN:
            followed += 1
            assert result.line[-1].status() == LOST
            assert len(result.line) == distance(result.score)
            for parent, child in zip([position, *result.line], result.line, strict=False):
                assert child in parent.children()
        if result.proven or bounded == 8:
            continue
        proof = WinProof(Limits(nodes=30_000), TABLES).run(position)
        if proof is not None:
            bounded += 1
            assert (proof.score > 0) == (result.score > 0)
            assert distance(proof.score) <= distance(result.score)
    assert bounded >= 5
    assert followed >= 10


def test_a_value_without_any_opinion_in_it_is_certain() -> None:
    """Every move is answered by a capture into the tables: no depth can change that."""
    position = board("W:W6,8,11:B1,2")
    evaluate = game.evaluator("material", position)
    search = Search(evaluate, Techniques(), TABLES)
    crowned = frozenset({position.children().index(board("B:WK3,6,11:B1,2"))})
    result = search.run(position, Limits(), leave_out=crowned)
    assert (result.score, result.proven, result.depth) == (0, True, 1)


@pytest.mark.parametrize("cache", CACHES)
def test_a_value_with_an_opinion_in_it_is_not(cache: str) -> None:
    """Also if the opinion was remembered: by the second search of the same depth, too."""
    position = board("B:W21-32:B1-12")
    search = Search(lambda board: 0, Techniques(cache=cache), TABLES)
    for _ in range(2):
        result = search.run(position, Limits(depth=3))
        assert (result.score, result.proven) == (0, False)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_proofs_with_tables_agree_with_proofs_without(seed: int) -> None:
    """Two ways to the same distance, and the tables' way is never longer."""
    proven = spared = 0
    for position in random_positions(times(40, 15), range(4, 6), seed=50 + seed, uneven=True):
        plain = WinProof(Limits(nodes=8_000)).run(position)
        with_tables = WinProof(Limits(nodes=8_000), TABLES).run(position)
        if plain is not None:
            assert with_tables is not None
            assert with_tables.score == plain.score
            assert with_tables.counters.visited <= plain.counters.visited
            proven += 1
            spared += with_tables.counters.visited < plain.counters.visited
    assert proven >= times(15, 5)
    assert spared >= times(5, 2)


def test_known_lines_are_shortest_wins_and_longest_defences() -> None:
    long = 0
    for position in random_positions(60, range(3, 5), seed=77):
        score = TABLES.score(position)
        if score == UNKNOWN or score == 0:
            continue
        line = known_line(TABLES, position)
        assert len(line) == distance(score)
        assert line[-1].status() == LOST
        result = WinProof(Limits(), TABLES).run(position)
        assert result is not None
        assert (result.score, len(result.line)) == (score, len(line))
        long += len(line) > 20
    assert long >= 3


def test_what_is_no_win_in_the_tables_is_no_win_to_the_proof() -> None:
    attempt = WinProof(Limits(), TABLES)
    assert attempt.run(board("W:WK18:BK29,K30")) is None
    assert attempt.counters.visited == 0


def test_a_known_draw_is_kept_by_its_only_move() -> None:
    position = board("W:WK18:BK29,K30")
    result = DrawProof(Limits(), TABLES).run(position, MATERIAL)
    assert result is not None
    assert (result.score, result.proven, result.decided) == (0, True, False)
    assert game.move_name(position, result.best) == "18-22"


# Found among random boards: some are exchanged into the tables at once, some much later.
DRAWN = [
    "W:W6,8,11:B1,2",
    "B:WK10,K12:B6,15,K17",
    "B:WK28,32:B15,21,27",
    "B:W16,31,32:B12,26,27,28",
    "B:WK2,16,23,30:BK6,10,K18,26",
    "W:W10,14,18,27:B6,K22,K32",
    "B:WK15,K18,26:BK7,21,23",
    "W:WK12,23,25:BK13,16,K31",
]


@pytest.mark.parametrize("fen", DRAWN)
def test_draws_beyond_the_tables_are_proven(fen: str) -> None:
    position = board(fen)
    assert TABLES.score(position) == UNKNOWN
    attempt = DrawProof(Limits(nodes=6_000), TABLES)
    result = attempt.run(position, MATERIAL)
    assert result is not None
    assert (result.score, result.proven) == (0, True)
    keeping = attempt.keeping(position, result.depth)
    assert result.best in keeping
    for child in [position, *keeping]:
        assert WinProof(Limits(nodes=2_000), TABLES).run(child) is None


def test_a_position_with_a_win_is_never_called_drawn() -> None:
    tried = 0
    for position in random_positions(times(50, 20), range(5, 7), seed=32, uneven=True):
        if WinProof(Limits(nodes=2_000), TABLES).run(position) is not None:
            tried += 1
            assert DrawProof(Limits(nodes=2_000), TABLES).run(position, MATERIAL) is None
    assert tried >= times(12, 5)


def test_without_tables_no_draw_is_proven() -> None:
    assert DrawProof(Limits(nodes=2_000)).run(board("W:WK18:BK29,K30"), MATERIAL) is None


@pytest.mark.parametrize(
    ("fen", "move", "score"),
    [("W:WK19,K23:B12,K28", "23-27", win_in(61)), ("B:WK19,K23:B12,K28", "28-32", 0)],
)
def test_endings_are_answered_from_the_tables(fen: str, move: str, score: int) -> None:
    position = board(fen)
    evaluate = game.evaluator("material", position)
    answer = solve(position, evaluate, Limits(nodes=1000), Techniques(), exact=TABLES)
    assert game.move_name(position, answer.result.best) == move
    assert (answer.result.score, answer.result.proven) == (score, True)
    assert answer.search_counters.visited == 0
