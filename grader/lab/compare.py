"""Variants on the same problems, which are puzzles or random endings: their answers and nodes, or
what one technique after the other saves, from minimax to the whole search: the ladder."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from time import process_time
from typing import NamedTuple

from grader.grading.workers import Tick, run_in_order
from grader.judge.move import weigh
from grader.lab.compare_results import (
    ChangedValue,
    Comparison,
    Ladder,
    Measurement,
    Problem,
    Row,
    Rung,
    summarise,
)
from grader.lab.variants import Player, Variant
from grader.puzzles.evidence import find, truth_of
from grader.puzzles.find import Case
from grader.puzzles.truth import JudgedMove, Truth, Value
from solver.errors import UserError, counted
from solver.games import GAMES, game_named
from solver.search.position import Position
from solver.search.result import SearchResult
from solver.search.techniques import TECHNIQUES

PIECES = 4  # in random endings: the tables of checkers know them all
ENDING_NODES = 20_000  # to prove an ending of a game without tables
MINIMAX, TABLES = "minimax", "+ tables"  # rungs of the ladder


def make_problems(
    cases: Sequence[Case], variants: Sequence[Variant]
) -> tuple[list[Problem], list[str]]:
    """The cases that every variant can answer, and notes about those that are left out."""
    notes = []
    played = []
    for game in dict.fromkeys(case.game for case in cases):
        own = [case for case in cases if case.game == game]
        without = [variant.name for variant in variants if not variant.plays(game)]
        if without:
            has = "has" if len(without) == 1 else "have"
            words = f"{counted(len(own), 'case')} of {game}: {', '.join(without)} {has}"
            notes.append(f"left out: {words} no heuristic for it")
        else:
            played.append(game)
    kept = [case for case in cases if case.game in played]
    problems = [Problem(case.name, case.game, case.text, truth_of(case)) for case in kept]
    open_ = [problem for problem in problems if problem.truth.moves]
    if len(open_) < len(problems):
        over = counted(len(problems) - len(open_), "case")
        notes.append(f"left out: {over} in which the game is over already")
    if not open_:
        raise UserError("\n".join(["No case is left to compare the variants on.", *notes]))
    return open_, notes


def sample_evenly(problems: list[Problem], number: int) -> list[Problem]:
    count = len(problems)
    if number >= count:
        return problems
    return [problems[index * count // number] for index in range(number)]


def random_endings(
    seed: int, number: int, variants: Sequence[Variant]
) -> tuple[list[Problem], str]:
    """Different endings in which some moves keep the win or the draw and others do not, always
    the same for the same seed, of the first game that all variants play; and where they are from,
    in words."""
    games = [game for game in GAMES if all(variant.plays(game) for variant in variants)]
    if not games:
        names = ", ".join(variant.name for variant in variants)
        raise UserError(f"--truth: there is no game that all variants play: {names}.")
    rules = game_named(games[0])
    chance = random.Random(seed)
    found: dict[int, Problem] = {}
    tried = 0
    while len(found) < number:
        own = 1 + int(chance.random() * (PIECES - 1))
        position: Position = rules.random_position(chance.random, own, PIECES - own)
        tried += 1
        if position.key() not in found and rules.outcome(position) is None:
            name = f"ending-{len(found) + 1}"
            if problem := ending_problem(name, rules.NAME, position):
                found[position.key()] = problem
    words = f"random endings of {PIECES} pieces with something to lose"
    return list(found.values()), f"{words} ({tried:,} tried, seed {seed})"


def ending_problem(name: str, game: str, position: Position) -> Problem | None:
    """None unless its moves have different results, all of them proven."""
    rules = game_named(game)
    findings = find(rules, position, nodes=ENDING_NODES)
    values = findings.values
    if not all(value.certain for value in values) or len({each.result for each in values}) < 2:
        return None
    best = findings.children[findings.best[0]]
    return Problem(name, game, rules.write(position, "board"), findings.truth(best, "board"))


def measure(problem: Problem, variants: Sequence[Variant]) -> Row:
    position = problem.position()
    players = [player_of(variant, problem.game) for variant in variants]
    if knowing := [each for each in players if each.variant.techniques.has("tables")]:
        knowing[0].search(position)  # unpacks the tables, which must not count for any variant
    return tuple(_measure_one(problem, player, position) for player in players)


@lru_cache(maxsize=1024)
def player_of(variant: Variant, game: str) -> Player:
    return Player(variant, game_named(game))


def _measure_one(problem: Problem, player: Player, position: Position) -> Measurement:
    """The search finishes every depth in turn, so that one run shows the nodes of all of them."""
    curve: list[tuple[int, int]] = []

    def listen(found: SearchResult) -> None:
        curve.append((found.depth, int(found.counters.visited)))

    begun = process_time()
    result = player.search(position, listener=listen)
    cpu_s = process_time() - begun
    truth = problem.truth
    move = problem.move_to(result.best)
    verdict, _, _ = weigh(move, truth)
    depth = None if result.is_fact else result.depth
    believed = Value(result.score, depth, bounded=result.decided and not result.proven)
    return Measurement(
        variant=player.variant.name,
        case=problem.name,
        move=move.name,
        board=move.board,
        value=str(believed),
        settled=believed.result if believed.certain else None,
        depth=result.depth,
        verdict=verdict,
        worth=str(move.value),
        kept=is_kept(move, truth),
        visited=int(result.counters.visited),
        curve=tuple(curve),
        cpu_s=cpu_s,
    )


def is_kept(move: JudgedMove, truth: Truth) -> bool:
    """Whether a move is proven to keep a proven win or draw."""
    if truth.value is None or not truth.can_be_lost or not move.value.certain:
        return False
    return move.value.result >= truth.value.result


def compare(
    problems: Sequence[Problem],
    variants: Sequence[Variant],
    origin: str = "",
    jobs: int = 1,
    tick: Tick = lambda: None,
) -> Comparison:
    rows = run_in_order(partial(measure, variants=variants), problems, jobs, tick)
    return summarise(problems, rows, origin)


class Climbed(NamedTuple):
    """One rung on one problem."""

    score: int
    visited: int
    evaluated: int


def rungs(variant: Variant, depth: int) -> list[Variant]:
    """From minimax to everything that does not change a value, one technique at a time, and then
    the tables.  Heuristic, value of a win, ordering and cache are those of the variant; where it
    has no ordering or cache, the default."""
    names = [technique.name for technique in TECHNIQUES.values() if technique.sound]
    own = variant.techniques
    here = replace(variant, name=MINIMAX, depth=depth, nodes=None, seconds=None)
    found = [here.changed(without=",".join([*names, "tables"]))]
    for name in [*names, "tables"]:
        chosen = own.values[name] if own.has(name) else TECHNIQUES[name].default
        choice = {name: str(chosen)} if TECHNIQUES[name].choices else {}
        found.append(replace(found[-1].changed(with_=name, **choice), name=f"+ {name}"))
    return found


def climb_one(problem: Problem, steps: Sequence[Sequence[Variant]]) -> list[list[Climbed]]:
    """The rungs of each step."""
    position = problem.position()

    def climb(rung: Variant) -> Climbed:
        result = player_of(rung, problem.game).search(position)
        return Climbed(result.score, int(result.counters.visited), int(result.counters.evaluated))

    return [list(map(climb, step)) for step in steps]


def climb(
    problems: Sequence[Problem],
    variant: Variant,
    depths: Sequence[int],
    jobs: int = 1,
    tick: Tick = lambda: None,
) -> Ladder:
    """What each technique saves, and that none changes a value.

    Every rung must have the value of plain minimax at the same depth.  Tables replace estimates by
    facts, so the rung with tables must have the value of minimax with tables.
    """
    steps = [rungs(variant, depth) for depth in depths]
    knowing = [[*step, step[0].changed(with_="tables")] for step in steps]
    by_problem = run_in_order(partial(climb_one, steps=knowing), problems, jobs, tick)
    climbed: list[Rung] = []
    faults: list[ChangedValue] = []
    for at, depth in enumerate(depths):
        rows = [found[at] for found in by_problem]
        first = last = 0
        for place, rung in enumerate(steps[at]):
            against = -1 if rung.name == TABLES else 0
            wrong = [
                ChangedValue(rung.name, problem.name, depth, row[place].score, row[against].score)
                for problem, row in zip(problems, rows, strict=True)
                if row[place].score != row[against].score
            ]
            visited = sum(row[place].visited for row in rows)
            first = first or visited
            to_last = visited / last if last else None
            evaluated = sum(row[place].evaluated for row in rows)
            climbed.append(
                Rung(rung.name, depth, visited, evaluated, to_last, visited / first, len(wrong))
            )
            faults += wrong
            last = visited
    cases = tuple(problem.name for problem in problems)
    return Ladder(variant.name, cases, tuple(depths), tuple(climbed), tuple(faults))
