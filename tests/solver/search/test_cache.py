"""State caching: the sound cache never changes an answer, each unsound one does."""

from __future__ import annotations

from typing import Any

import pytest
from support.minimax import Minimax
from support.positions import board, random_positions

from solver.games.checkers import game
from solver.games.solve import describe_result
from solver.search.alphabeta import Search
from solver.search.cache import NO_HINT, SoundCache
from solver.search.limits import Limits
from solver.search.result import SearchResult
from solver.search.score import INFINITY, UNKNOWN, describe, loss_in, win_in
from solver.search.techniques import CACHES, Techniques

# Boards on which the answer is worse than the best one: cache, heuristic, ordering, depth.
WRONG_ANSWERS = [
    ("unsound-board", "material", "none", 6, "B:WK16:BK18"),
    ("unsound-board-depth", "six-regions", "none", 4, "B:W15,29:B2,K13"),
    ("unsound-deeper", "six-regions", "none", 6, "B:W24,25:BK2,K13,K31"),
    ("unsound-window", "material", "none", 6, "B:W24,K26:BK14,16,K32"),
    ("static-values", "six-regions", "static", 5, "B:WK2,26:B7,24"),
]


@pytest.mark.parametrize(("cache", "heuristic", "ordering", "depth", "fen"), WRONG_ANSWERS)
def test_an_unsound_cache_answers_wrongly(
    cache: str, heuristic: str, ordering: str, depth: int, fen: str
) -> None:
    position = board(fen)
    evaluate = game.evaluator(heuristic, position)
    oracle = Minimax(evaluate)
    children = position.children()
    values = [-oracle.value(child, depth - 1, 1) for child in children]

    def answer(cache: str) -> int:
        without = ["pvs", "captures", *(["deepening"] if cache != "static-values" else [])]
        techniques = Techniques(without, cache=cache, ordering=ordering)
        depths: list[SearchResult] = []
        result = Search(evaluate, techniques).run(position, Limits(depth=depth), depths.append)
        return int(values[children.index(result.best)])

    assert answer("sound") == max(values)
    assert answer(cache) < max(values)


@pytest.mark.parametrize(
    ("cache", "fen", "believed", "true"),
    [
        ("unsound-board", "W:WK22,26:B12,K31", loss_in(4), 0),
        ("unsound-board-depth", "B:W19,31:BK13,K15", win_in(5), win_in(7)),
        ("unsound-deeper", "B:W19,31:BK13,K15", win_in(5), win_in(7)),
    ],
)
def test_what_an_unsound_cache_believes_is_not_called_proven(
    cache: str, fen: str, believed: int, true: int
) -> None:
    position = board(fen)
    assert game.tables().score(position) == true
    switches = Techniques("tables", cache=cache)
    result = Search(game.evaluator("centre", position), switches).run(position, Limits(depth=8))
    assert (result.score, result.decided) == (believed, True)
    assert not result.proven
    assert not result.is_fact
    assert describe_result(result) == f"{describe(believed)} at depth {result.depth}"


def test_every_cache_that_can_be_wrong_says_so() -> None:
    wrong = {cache for cache, *_ in WRONG_ANSWERS}
    assert wrong == {name for name, about in CACHES.items() if "unsound" in name + about}


def test_static_values_are_sound_for_a_plain_difference() -> None:
    for position in random_positions(30, range(3, 7), seed=3):
        evaluate = game.evaluator("centre", position)
        switches = Techniques(cache="static-values", ordering="static")
        result = Search(evaluate, switches).run(position, Limits(depth=4))
        assert result.score == Minimax(evaluate, extend=True).value(position, result.depth)


POSITION = board("B:W18,22:B1,K6")
OPEN = (-INFINITY, INFINITY)


def stored(value: int, depth: int, window: tuple[int, int] = OPEN, ply: int = 0) -> SoundCache:
    cache = SoundCache()
    cache.store(POSITION.key(), depth, *window, ply, value, 1)
    return cache


def asked(cache: SoundCache, depth: int, window: tuple[int, int] = OPEN, ply: int = 0) -> Any:
    value = cache.probe(POSITION, depth, *window, ply)
    return None if value == UNKNOWN else value


def test_an_exact_value_answers_for_its_own_depth_only() -> None:
    cache = stored(17, depth=5)
    assert asked(cache, depth=5) == 17
    assert asked(cache, depth=4) is asked(cache, depth=6) is None
    assert cache.hint == 1
    assert (asked(empty := SoundCache(), 3), empty.hint) == (None, NO_HINT)


def test_a_lower_bound_answers_only_above_beta() -> None:
    cache = stored(17, depth=5, window=(0, 10))
    assert asked(cache, 5, (0, 10)) == asked(cache, 5, (16, 17)) == 17
    assert asked(cache, 5, (0, 18)) is None


def test_an_upper_bound_answers_only_below_alpha() -> None:
    cache = stored(-4, depth=5, window=(0, 10))
    assert asked(cache, 5, (0, 10)) == asked(cache, 5, (-4, 3)) == -4
    assert asked(cache, 5, (-5, 10)) is None


@pytest.mark.parametrize("score", [win_in, loss_in])
def test_a_decisive_value_keeps_its_distance_at_another_ply(score: Any) -> None:
    cache = stored(score(3 + 4), depth=5, ply=3)  # four plies from the position on
    assert asked(cache, 5, ply=3) == score(7)
    assert asked(cache, 5, ply=0) == score(4)
    assert asked(cache, 5, ply=9) == score(13)


@pytest.mark.parametrize("score", [win_in, loss_in])
def test_a_decisive_value_answers_for_every_depth_that_can_see_it(score: Any) -> None:
    cache = stored(score(4), depth=5)
    assert asked(cache, depth=4) == asked(cache, depth=9) == score(4)
    assert asked(cache, depth=3) is None


def test_a_win_beyond_the_depth_answers_for_that_depth_only() -> None:
    """Found by an extension: between the depth and the win there may be a faster one."""
    cache = stored(win_in(7), depth=5)
    assert asked(cache, depth=5) == win_in(7)
    assert asked(cache, depth=8) is None


def test_scores_that_depend_on_the_ply_are_not_kept() -> None:
    cache = Techniques(terminal="depth-ratio").make_cache()
    cache.store(POSITION.key(), 5, *OPEN, 2, 100_000 // 5, 0)
    assert cache.probe(POSITION, 5, *OPEN, 2) == UNKNOWN
