"""The best moves side by side: each worth what a search of its own says."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.command import SHOT
from support.import_walk import ROOT
from support.positions import board, random_board

import solver
from solver.games.checkers import game
from solver.games.checkers.heuristics import HEURISTICS
from solver.proof.prover import Prover
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits
from solver.search.multipv import BestMovesSearch, ComparedMoves
from solver.search.techniques import Techniques, plain

MIDDLE = "B:W13,19,22,23,25,26,29,30:B2,3,4,5,6,8,9,12,21"

material = HEURISTICS["material"]


def compared(
    position: Any,
    count: int,
    limits: Limits,
    switches: Techniques | None = None,
    proving: bool = False,
) -> list[ComparedMoves]:
    """Everything that is found, one depth after the other."""
    search = Search(material, switches or Techniques(), NOTHING)
    prover = Prover(Limits(), NOTHING, material, 5) if proving else None
    return list(BestMovesSearch(position, search, count, limits, prover).run())


@pytest.mark.parametrize("switches", [Techniques(), plain(), Techniques("deepening")])
def test_every_move_is_worth_what_its_own_search_says(switches: Techniques) -> None:
    rng = random.Random(3)
    for position in [board(MIDDLE), *(random_board(rng, 8) for _ in range(20))]:
        children = position.children()
        if not children:
            continue
        for found in compared(position, 3, Limits(depth=4), switches):
            chosen: frozenset[int] = frozenset()
            for result in found.results:
                alone = Search(
                    material, plain("captures" if switches.has("captures") else ""), NOTHING
                )
                expected = alone.run(position, Limits(depth=found.depth), leave_out=chosen)
                assert result.score == expected.score
                chosen |= {children.index(result.best)}
            assert len(chosen) == min(3, len(children))


def test_depths_come_one_by_one_with_all_moves() -> None:
    found = compared(board(MIDDLE), 3, Limits(depth=5))
    assert [each.depth for each in found] == [1, 2, 3, 4, 5]
    assert all(len(each.results) == 3 for each in found)
    scores = [[result.score for result in each.results] for each in found]
    assert all(each == sorted(each, reverse=True) for each in scores)
    visited = [each.counters.visited for each in found]
    assert visited == sorted(visited)


def test_nodes_are_for_everything_together() -> None:
    position, nodes = board(MIDDLE), 5000
    for count, proving in ((1, False), (3, False), (3, True)):
        found = compared(position, count, Limits(nodes=nodes), proving=proving)
        assert found[-1].counters.visited <= nodes
        again = compared(position, count, Limits(nodes=nodes), proving=proving)
        efforts = [each.counters.as_dict() for each in found]
        assert [each.counters.as_dict() for each in again] == efforts


@pytest.mark.parametrize("limits", [Limits(nodes=1), Limits(seconds=1e-9)])
def test_something_is_found_however_narrow_the_limits(limits: Limits) -> None:
    (found,) = compared(board(MIDDLE), 3, limits)
    assert found.depth == 0
    assert len(found.results) == 1


def test_a_proof_is_reported_and_ends_the_search_of_one_move() -> None:
    *depths, proof = compared(board(SHOT), 1, Limits(nodes=100_000), proving=True)
    assert (proof.proof, proof.results[0].proven, proof.depth) == (True, True, 9)
    assert not any(each.proof for each in depths)
    assert [each.depth for each in depths] == list(range(1, len(depths) + 1))


def test_after_a_proof_the_other_moves_are_searched_on() -> None:
    found = compared(board(SHOT), 3, Limits(nodes=20_000), proving=True)
    (at,) = [index for index, each in enumerate(found) if each.proof]
    assert len(found[at].results) == 3
    assert len({result.best for result in found[at].results}) == 3
    for each in found[at + 1 :]:
        assert each.results[0] is found[at].results[0]
        assert len({result.best for result in each.results}) == 3
    assert found[-1].depth > found[at - 1].depth


def test_it_ends_when_every_move_is_settled() -> None:
    """Four pieces: the tables know everything at depth 1."""
    exact = game.tables()
    search = Search(material, Techniques(), exact)
    prover = Prover(Limits(), exact, material, 5)
    found = list(BestMovesSearch(board("W:WK6,K9:BK15"), search, 4, Limits(), prover).run())
    assert all(result.proven for result in found[-1].results)


def test_a_draw_is_proven_too() -> None:
    exact = game.tables()
    position = board((ROOT / "inputs/checkers/draw-two-against-three.txt").read_text())
    search = Search(material, Techniques("tables"), NOTHING)
    prover = Prover(Limits(), exact, material, 5)
    found = list(BestMovesSearch(position, search, 1, Limits(nodes=300_000), prover).run())
    last = found[-1]
    assert (last.proof, last.results[0].score, last.results[0].proven) == (True, 0, True)


def test_it_ends_when_the_poll_says_so() -> None:
    asked = []

    def enough(visited: int) -> bool:
        asked.append(visited)
        return len(asked) > 10

    found = compared(board(MIDDLE), 2, Limits(poll=enough), proving=True)
    assert found
    assert len(asked) <= 13


def test_a_win_that_may_be_faster_is_not_the_end() -> None:
    """Who wins is proven before in how many plies."""
    for name in ("zugzwang-one-step-only", "en-passant-every-reply-fails"):
        puzzle = solver.read(f"{ROOT}/inputs/twoflags/{name}.txt")
        *_, last = solver.analyse(puzzle)
        assert last.proven
        assert last.lines[0].value == solver.solve(puzzle).value
