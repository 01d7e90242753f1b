"""One problem, given to every variant: what they answer, and what it costs them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from time import process_time
from typing import TYPE_CHECKING, Any

from grader.compare.problem import Problem
from grader.compare.results import Measurement
from grader.judge.weighing import weighed
from grader.puzzles.evidence import tables_of
from grader.puzzles.truth import Move, Truth, Value, parse_value
from grader.variants.player import Player
from grader.variants.variant import Variant
from solver.games import game_named
from solver.search.heuristic import NOTHING
from solver.search.result import branching_factor

if TYPE_CHECKING:
    from solver.search.result import SearchResult


def measured(
    problem: Problem, variants: Sequence[Variant], repeat: int = 1
) -> tuple[Measurement, ...]:
    """In the order of the variants.

    Repeats are interleaved, and every round begins with another variant: whatever else happens on
    the machine happens to all of them.
    """
    position = problem.position()
    players = [player_of(variant, problem.game) for variant in variants]
    _unpack_tables(players, position)
    results: dict[int, SearchResult] = {}
    seconds: list[list[float]] = [[] for _ in players]
    for round_number in range(repeat):
        for index in _rotated(len(players), round_number):
            begun = process_time()
            results[index] = players[index].look(position)
            seconds[index].append(process_time() - begun)
    return tuple(
        _measurement(problem, variant, results[index], seconds[index])
        for index, variant in enumerate(variants)
    )


@lru_cache(maxsize=1024)
def player_of(variant: Variant, game: str) -> Player:
    return Player(variant, game_named(game))


def _unpack_tables(players: Sequence[Player], position: Any) -> None:
    """Tables are unpacked where they are first met, which should be on nobody's time."""
    for player in players:
        if player.variant.techniques.has("tables") and tables_of(player.game.NAME) is not NOTHING:
            player.look(position)
            return


def _rotated(count: int, by: int) -> list[int]:
    return [(index + by) % count for index in range(count)]


def _measurement(
    problem: Problem, variant: Variant, result: SearchResult, seconds: list[float]
) -> Measurement:
    truth = problem.truth
    move = problem.move_to(result.best)
    verdict, _, _ = weighed(move, truth, move.name == truth.best[0])
    kept = is_kept(move, truth)
    counters = result.counters
    return Measurement(
        variant=variant.name,
        case=problem.name,
        move=move.name,
        board=move.board,
        value=str(believed(result)),
        score=result.score,
        depth=result.depth,
        verdict=verdict.value,
        worth=move.value,
        kept=kept,
        plies_lost=plies_lost(move, truth) if kept else None,
        expanded=counters.expanded,
        evaluated=counters.evaluated,
        visited=counters.visited,
        alpha_cuts=counters.alpha_cuts,
        beta_cuts=counters.beta_cuts,
        hits=counters.hits,
        probes=counters.probes,
        known=counters.known,
        branching_factor=branching_factor(counters.visited, result.depth),
        cpu_s=tuple(seconds),
    )


def believed(result: SearchResult) -> Value:
    """What a variant says the position is worth."""
    depth = None if result.is_fact else result.depth
    return Value(result.score, depth, bounded=result.decided and not result.proven)


def is_kept(move: Move, truth: Truth) -> bool | None:
    """Whether a move keeps a proven win or draw; None if there is none, or nothing is proven
    about the move."""
    value, given = parse_value(truth.value), parse_value(move.value)
    if not value.certain or value.result < 0 or not given.certain:
        return None
    return given.result >= value.result


def plies_lost(move: Move, truth: Truth) -> int | None:
    """By how much a win is later than it could be."""
    needed, taken = parse_value(truth.value).plies, parse_value(move.value).plies
    return None if needed is None or taken is None else taken - needed
