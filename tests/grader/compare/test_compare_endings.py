"""Truth mode: endings of which everything is known."""

from __future__ import annotations

import pytest
from support.positions import board

from grader.lab.compare import measured
from grader.lab.endings import Endings, has_something_to_lose, problem_of, truth_kept
from grader.lab.variants import variant_named
from grader.puzzles.evidence import tables_of
from grader.puzzles.truth import parse_value
from solver.games import game_named
from solver.search.position import LOST
from solver.search.score import is_decisive

NUMBER = 25
# The man on c3 is taken on d4, where it can go first, and safe on b4.
LOSING_A_MAN = """\
........
........
........
....b...
........
..r.....
........
........"""


def test_the_same_seed_gives_the_same_endings() -> None:
    first = Endings(7, 4).take(NUMBER)
    assert Endings(7, 4).take(NUMBER) == first
    assert Endings(7, 4).take(3) == first[:3]
    assert Endings(8, 4).take(3) != first[:3]
    assert len({each.text for each in first}) == NUMBER


@pytest.mark.parametrize("pieces", [2, 3, 4])
def test_every_ending_has_something_to_lose(pieces: int) -> None:
    for each in Endings(1, pieces).take(NUMBER):
        results = {move.value.result for move in each.truth.moves}
        assert len(results) > 1
        assert each.truth.value is not None
        assert each.truth.value.result == max(results) >= 0
        assert all(move.value.proven for move in each.truth.moves)
        assert sum(letter in "rRbB" for letter in each.text) == pieces


def test_where_every_move_is_as_good_nothing_can_be_lost() -> None:
    exact = tables_of("checkers")
    assert has_something_to_lose(board(LOSING_A_MAN), exact)
    assert not has_something_to_lose(board("B:WK14:BK18"), exact)  # who takes it has won
    assert not has_something_to_lose(board("B:WK14,K18:BK1"), exact)  # it loses anyway


def test_values_are_those_of_the_tables() -> None:
    exact = tables_of("checkers")
    for each in Endings(3, 4).take(NUMBER):
        score = exact.score(each.position())
        value = each.truth.value
        assert value is not None
        assert value.score == score
        assert value.result == (score > 0 if is_decisive(score) else 0)
        for child in each.position().children():
            lost = child.standing() == LOST
            assert lost or -value.score <= exact.score(child) + 1


def test_a_search_keeps_what_it_can_see() -> None:
    """By hand: one ply deep without tables, material sees no difference and takes the first move;
    a search to the capture sees that one of them loses the man."""
    here = problem_of("choice", game_named("checkers"), board(LOSING_A_MAN))
    blind, seeing = (
        variant_named(f"material+without=tables,captures+depth={depth}") for depth in (1, 2)
    )
    first, second = measured(here, [blind, seeing])
    assert (first.kept, second.kept) == (False, True)
    assert first.worth == "loss in 2"


def test_truth_is_counted_without_tables_whatever_a_variant_says() -> None:
    variants = [variant_named("material+depth=2"), variant_named("material+depth=2+without=tables")]
    found = truth_kept(Endings(5, 4), NUMBER, variants)
    with_tables, without = found.points
    assert with_tables.kept == without.kept
    assert with_tables.visited == without.visited
    assert {each.known for each in found.measurements} == {0}
    wins = sum(parse_value(case.value).result > 0 for case in found.cases)
    assert (without.kept.wins.of, without.kept.draws.of) == (wins, NUMBER - wins)
    assert without.kept.wins.kept == sum(
        each.kept is True and parse_value(case.value).result > 0
        for case, each in zip(found.cases, found.measurements[1::2], strict=True)
    )


def test_truth_is_counted_at_every_step() -> None:
    variants = [variant_named("material"), variant_named("centre")]
    found = truth_kept(Endings(5, 4), 8, variants, "depth", (1, 2))
    assert [(each.variant, each.at) for each in found.points] == [
        *(("material", 1), ("material", 2)),
        *(("centre", 1), ("centre", 2)),
    ]
    alone = truth_kept(Endings(5, 4), 8, [variant_named("centre+depth=2")])
    assert found.points[-1].kept == alone.points[0].kept
    assert found.points[-1].visited == alone.points[0].visited
