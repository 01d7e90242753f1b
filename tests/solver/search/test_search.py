"""The search against the textbook: every combination of sound techniques, the same value."""

from __future__ import annotations

import random
import time
from itertools import product
from typing import Any

import pytest
from support.builds import times
from support.drawings import drawn
from support.minimax import AlphaBeta, Minimax
from support.positions import board, random_pawns, random_positions

from solver.games import GAMES, game_named
from solver.games.tree import leaf_value, parse
from solver.search.alphabeta import Search
from solver.search.heuristic import heuristic_of
from solver.search.limits import Limits
from solver.search.position import FORCED, LOST
from solver.search.result import SearchResult, branching_factor
from solver.search.score import BY_DEPTH_RATIO, WIN, win_in
from solver.search.techniques import SWITCHES, TERMINALS, Techniques, plain

TEXTBOOK = "[[3 12 8] [2 4 6] [14 5 2]]"

# What never changes a value and needs alpha-beta: none of them, each alone, and all.
WINDOWS = [
    each.name for each in SWITCHES if each.sound and each.name not in ("alpha-beta", "deepening")
]
SETS = [["alpha-beta", *names] for names in ([], *([name] for name in WINDOWS), WINDOWS)]
SOUND = [
    Techniques("all").changed(
        with_=[*names, *others], ordering=ordering, cache=cache, terminal=terminal
    )
    for names, others, ordering, cache, terminal in (
        *product(
            ([], SETS[0], SETS[-1]),
            ([], ["deepening"], ["captures"], ["deepening", "captures"]),
            ("none", "static", "learned"),
            ("none", "sound", "static-values"),
            TERMINALS,
        ),
        *product(
            SETS, (["deepening", "captures"],), ("static", "learned"), ("none", "sound"), TERMINALS
        ),
    )
]
PLAIN = plain("tables")


def evaluator(position: Any, name: str = "centre") -> Any:
    """The heuristic of that name, whichever game has it."""
    (game,) = (game for game in map(game_named, GAMES) if name in game.heuristics())
    return game.evaluator(name, position)


def test_textbook_alpha_beta_prunes_exactly_two_leaves() -> None:
    minimax, alpha_beta = Minimax(leaf_value), AlphaBeta(leaf_value)
    tree = parse(TEXTBOOK, "test")
    assert minimax.value(tree, 2) == alpha_beta.value(tree, 2) == 3
    assert (minimax.leaves, alpha_beta.leaves) == (9, 7)


@pytest.mark.parametrize(
    ("techniques", "text", "evaluated", "alpha_cuts"),
    [
        (PLAIN, TEXTBOOK, 7, 2),  # the last leaf cuts, too late to save anything
        (Techniques("alpha-beta,ordering,cache,deepening"), TEXTBOOK, 9, 0),
        # With leaves sorted for Min, the second and third branch fall to their first leaf.
        (Techniques("cache,deepening,captures", ordering="static"), TEXTBOOK, 5, 2),
        # A root that forgets its best value still answers right, but prunes nothing.
        (PLAIN, "[[5 9] [4 1] [3 2] [2 8]]", 5, 3),
    ],
)
def test_the_search_prunes_as_the_textbook_does(
    techniques: Techniques, text: str, evaluated: int, alpha_cuts: int
) -> None:
    tree = parse(text, "test")
    result = Search(leaf_value, techniques).run(tree, Limits(depth=2))
    counters = result.counters
    first: Any = tree.nodes[0]
    assert result.score == Minimax(leaf_value).value(tree, 2)
    assert result.best == first
    assert (counters.evaluated, counters.alpha_cuts, counters.beta_cuts) == (
        evaluated,
        alpha_cuts,
        0,
    )


def test_static_ordering_sees_a_won_game_first() -> None:
    """No heuristic is asked about a game that is over: it might call a landed pawn a loss."""
    twoflags = game_named("twoflags")
    position = twoflags.read("Setup Wa7 Wb2 Wc2 Bd4 Bh3", "test", True).position
    techniques = Techniques("cache,deepening,pvs", ordering="static")
    result = Search(twoflags.evaluator("race", position), techniques).run(position, Limits(depth=3))
    assert result.score == win_in(1)
    ordering = techniques.make_ordering(heuristic_of(twoflags.evaluator("race", position)))
    first = ordering.order(position.choices(), -1, 3, 0).next()
    assert first is not None
    assert first.status() == LOST


def following(position: Any, line: list[Any]) -> Any:
    """The end of a line, after checking that every step is legal."""
    for step in line:
        assert step in position.children()
        position = step
    return position


in_any_game = pytest.mark.parametrize(
    ("positions", "heuristic"),
    [
        pytest.param(random_positions, "centre", id="checkers"),
        pytest.param(random_pawns, "two-flags", id="twoflags"),
    ],
)


@in_any_game
@pytest.mark.parametrize(
    "chunk", [*range(2), *(pytest.param(chunk, marks=pytest.mark.slow) for chunk in range(2, 10))]
)
def test_every_combination_of_techniques_gives_the_minimax_value(
    chunk: int, positions: Any, heuristic: str
) -> None:
    """Three hundred boards of each game (in plain Python eight), each with every combination,
    and a best move of that value."""
    rng = random.Random(chunk)
    for position in positions(times(30, 4), range(2, 6), seed=chunk):
        depth = rng.choice((2, 3, 4))
        evaluate = evaluator(position, heuristic)
        for techniques in SOUND:
            oracle = Minimax(evaluate, extend=techniques.has("captures"), wins=techniques.wins)
            value, children = oracle_values(oracle, position, depth)
            result = Search(evaluate, techniques).run(position, Limits(depth=depth))
            context = f"{position!r} {techniques} depth {depth}"
            assert result.score == value, context
            assert children[position.children().index(result.best)] == value, context


CACHED_VALUES: dict[Any, tuple[int, list[int]]] = {}


def oracle_values(oracle: Minimax, position: Any, depth: int) -> tuple[int, list[int]]:
    """The value of a position and of its children, by plain minimax."""
    known = (position, depth, oracle.extend, oracle.wins is BY_DEPTH_RATIO)
    if known not in CACHED_VALUES:
        values = [-oracle.value(child, depth - 1, 1) for child in position.children()]
        CACHED_VALUES[known] = max(values), values
    return CACHED_VALUES[known]


@pytest.mark.parametrize(
    ("positions", "heuristic"),
    [
        (random_positions, "material"),
        (random_positions, "six-regions"),
        (random_positions, "safe-mobile"),
        (random_pawns, "two-flags"),
        (random_pawns, "race"),
    ],
)
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2, 3))])
def test_deeper_search_gives_the_alpha_beta_value(
    seed: int, positions: Any, heuristic: str
) -> None:
    """Transpositions at several depths, kings that walk in circles: the cache is put to work."""
    for position in positions(times(12, 4), range(4, 8), seed=100 + seed):
        evaluate = evaluator(position, heuristic)
        for without in ("captures", ""):
            value = AlphaBeta(evaluate, extend=not without).value(position, 6)
            for techniques in (Techniques(without), Techniques(f"{without},pvs,aspiration")):
                result = Search(evaluate, techniques).run(position, Limits(depth=6))
                if result.depth < 6:
                    assert result.proven
                assert result.score == value


def test_principal_variation_explains_the_value() -> None:
    """The heuristic's value at the end of the line is the value of the search."""
    complete = 0
    for position in random_positions(times(100, 12), range(4, 9), seed=5):
        evaluate = evaluator(position, "six-regions")
        for techniques in (PLAIN, Techniques(), Techniques("cache")):
            result = Search(evaluate, techniques).run(position, Limits(depth=5))
            end = following(position, result.line)
            sign = -1 if len(result.line) % 2 else 1
            if end.status() == LOST:
                assert result.score == -sign * win_in(len(result.line))
            elif len(result.line) >= result.depth and end.status() != FORCED:
                complete += 1
                assert result.score == sign * evaluate(end)
    assert complete > times(150, 15)


@in_any_game
def test_a_warm_cache_changes_nothing(positions: Any, heuristic: str) -> None:
    """Searching the positions of a game one after the other with one search object."""
    for position in positions(times(20, 3), range(4, 8), seed=8):
        evaluate = evaluator(position, heuristic)
        search = Search(evaluate, Techniques())
        for _ in range(4):
            value = Search(evaluate, PLAIN).run(position, Limits(depth=4)).score
            plain = Minimax(evaluate, extend=True).value(position, 4)
            assert search.run(position, Limits(depth=4)).score == plain
            assert value == Minimax(evaluate).value(position, 4)
            position = position.children()[-1]
            if not position.children():
                break


def test_the_fastest_win_is_chosen() -> None:
    """Red can take now (win in 1) or play on; depth 7 must not prefer a later win."""
    position = drawn("//...b/..r///......R")
    result = Search(evaluator(position), Techniques()).run(position, Limits(depth=7))
    assert (result.score, result.proven) == (win_in(1), True)


def heard(position: Any, limits: Limits) -> tuple[SearchResult, list[SearchResult]]:
    results: list[SearchResult] = []
    last = Search(evaluator(position), Techniques()).run(position, limits, results.append)
    return last, results


MIDDLE_GAME = "B:W13,19,22,23,25,26,29,30:B2,3,4,5,6,8,9,12,21"


@pytest.mark.parametrize("nodes", [20, 100, 317, 1000, 5000])
def test_a_stopped_search_answers_from_its_last_finished_depth(nodes: int) -> None:
    position = board(MIDDLE_GAME)
    last, results = heard(position, Limits(nodes=nodes))
    assert last is results[-1]
    whole, _ = heard(position, Limits(depth=last.depth))
    assert (last.score, last.best) == (whole.score, whole.best)
    assert last.counters.visited <= nodes


@pytest.mark.parametrize(
    ("techniques", "limits"),
    [
        (Techniques("deepening"), Limits(depth=12, nodes=500)),
        (Techniques(), Limits(nodes=1)),
        (Techniques(), Limits(seconds=1e-9)),
    ],
)
def test_if_no_depth_is_finished_the_heuristic_alone_chooses(
    techniques: Techniques, limits: Limits
) -> None:
    position = board(MIDDLE_GAME)
    evaluate = evaluator(position)
    result = Search(evaluate, techniques).run(position, limits)
    values = [-evaluate(child) for child in position.children()]
    assert (result.depth, result.score) == (0, max(values))
    assert result.best == position.children()[values.index(max(values))]


def test_a_board_crowded_with_captures_is_answered_within_its_nodes() -> None:
    """Following every capture to its end would never end here."""
    position = drawn("BbRRBbRR/rRbBrRbB//BrRbbBRr/rbbRrRbB//bBrRbRbB/rrRRBBBB")
    result = Search(evaluator(position), Techniques()).run(position, Limits(nodes=2000))
    assert result.best in position.children()
    assert result.counters.visited <= 2001


def test_a_proven_result_ends_the_search() -> None:
    """A win in nine: a search to depth 200 would never end otherwise."""
    position = board("B:WK17:BK1,K6")
    result = Search(evaluator(position), Techniques()).run(position, Limits(depth=200))
    assert result.proven
    assert result.score == WIN - 9
    assert result.depth == 10  # and not 200; even, because that is
    one_by_one, results = heard(position, Limits(depth=200))
    assert one_by_one.score == win_in(one_by_one.depth) == WIN - 9
    assert [found.depth for found in results] == list(range(1, 10))


def test_children_can_be_left_out() -> None:
    position = board(MIDDLE_GAME)
    search = Search(evaluator(position), Techniques())
    first = search.run(position, Limits(depth=4))
    index = position.children().index(first.best)
    second = search.run(position, Limits(depth=4), leave_out=frozenset({index}))
    oracle = Minimax(evaluator(position), extend=True)
    values = oracle_values(oracle, position, 4)[1]
    assert first.score == max(values)
    assert second.score == max(values[:index] + values[index + 1 :])
    assert second.best != first.best


@pytest.mark.parametrize("seed", range(3))
def test_a_search_goes_on_from_what_is_known(seed: int) -> None:
    """The value and depth of an uninterrupted search, at less than its cost."""
    for position in random_positions(5, range(5, 9), seed=seed):
        fresh = Search(evaluator(position), Techniques()).run(position, Limits(depth=5))
        search = Search(evaluator(position), Techniques())
        known = search.run(position, Limits(depth=3))
        onward = search.run(position, Limits(depth=5), known=known)
        assert (onward.score, onward.depth) == (fresh.score, fresh.depth)
        if known.proven:
            assert onward is known
        else:
            assert onward.counters.visited < fresh.counters.visited
        assert search.run(position, Limits(depth=5), known=onward) is onward


def test_a_slow_heuristic_does_not_outrun_the_clock() -> None:
    """With 2 ms a position, thousands of nodes between two looks would be seconds."""

    def slow(position: Any) -> int:
        time.sleep(0.002)
        return 0

    search = Search(slow, Techniques())
    search.run(board(MIDDLE_GAME), Limits(seconds=0.1))
    assert search.counters.visited < 500


def test_static_values_are_counted_as_cache() -> None:
    position = board(MIDDLE_GAME)
    search = Search(evaluator(position), Techniques(cache="static-values"))
    counters = search.run(position, Limits(depth=5)).counters
    assert counters.probes == counters.evaluated == counters.hits + counters.stores
    assert counters.hits > 0


@pytest.mark.parametrize(
    ("fen", "depth", "changed", "saves"),
    [
        ("B:WK17:BK1,K6", 12, Techniques("mate-distance"), True),  # a win
        (MIDDLE_GAME, 6, Techniques("mate-distance"), False),
        ("B:WK1,11,K17,18:BK14,K15", 10, Techniques("etc"), True),  # kings that walk
    ],
)
def test_what_a_technique_saves(fen: str, depth: int, changed: Techniques, saves: bool) -> None:
    evaluate = evaluator(board(fen), "six-regions")
    with_it, without = (
        Search(evaluate, techniques).run(board(fen), Limits(depth=depth))
        for techniques in (Techniques(), changed)
    )
    assert with_it.score == without.score
    assert (without.counters.visited > with_it.counters.visited) == saves


def test_each_technique_saves_nodes() -> None:
    position = board(MIDDLE_GAME)

    def visited(without: str) -> int:
        chosen = Techniques(f"deepening,captures,{without}")
        evaluate = evaluator(position, "six-regions")
        return Search(evaluate, chosen).run(position, Limits(depth=7)).counters.visited

    minimax = visited("alpha-beta,ordering,cache")
    alpha_beta = visited("pvs,ordering,cache")
    ordered = visited("pvs,cache")
    cached = visited("pvs")
    everything = visited("")
    assert minimax > 4 * alpha_beta
    assert alpha_beta > ordered > cached > everything


@pytest.mark.parametrize(("width", "depth"), [(2, 5), (3, 4), (7, 2)])
def test_branching_factor_of_an_even_tree_is_its_width(width: int, depth: int) -> None:
    visited = sum(width**ply for ply in range(depth + 1))
    assert branching_factor(visited, depth) == pytest.approx(width)
    assert 1.0 < branching_factor(10**6, 200) < 1.1
    assert branching_factor(6, 5) == branching_factor(0, 0) == 1.0


def even(width: int, depth: int) -> list[object] | int:
    """The shape of an even tree whose leaves are all worth the same."""
    return [even(width, depth - 1) for _ in range(width)] if depth else 0


@pytest.mark.parametrize(("width", "depth"), [(2, 1), (2, 6), (3, 4), (3, 5), (5, 2)])
def test_plain_alpha_beta_visits_exactly_the_minimal_tree_if_every_order_is_best(
    width: int, depth: int
) -> None:
    """Knuth and Moore: on level n, w**ceil(n/2) + w**floor(n/2) - 1 nodes."""
    levels = range(depth + 1)
    least = sum(width ** ((n + 1) // 2) + width ** (n // 2) - 1 for n in levels)
    tree = parse(str(even(width, depth)), "test")
    result = Search(leaf_value, Techniques("pvs,ordering,cache,deepening")).run(
        tree, Limits(depth=depth)
    )
    assert result.counters.visited == least
