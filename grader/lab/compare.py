"""Variants on the same problems: puzzles, or random endings of which the tables know everything;
at one limit, at growing limits, or with one technique after the other: the ladder."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from time import process_time
from typing import Any, TypeVar

from grader.grading.workers import processes
from grader.judge.move import weigh
from grader.lab.compare_results import (
    CaseFacts,
    ChangedValue,
    Comparison,
    Endings,
    Ladder,
    Measurement,
    Row,
    Rung,
    summarise,
)
from grader.lab.variants import Player, Variant
from grader.puzzles.evidence import find, tables_of, truth_of
from grader.puzzles.find import Case
from grader.puzzles.truth import JudgedMove, Truth, Value
from solver.errors import UserError, counted
from solver.games import Game, game_named
from solver.search.heuristic import Exact
from solver.search.position import LOST, Position
from solver.search.result import SearchResult, branching_factor
from solver.search.score import UNKNOWN, WIN, is_decisive
from solver.search.techniques import TECHNIQUES

DEPTH, NODES = "depth", "nodes"  # what can be scanned
TRUTH_GAME = "checkers"  # has tables
PIECES = 4  # in the endings of truth mode
NO_LIMIT = {"depth": None, "nodes": None, "seconds": None}
MINIMAX, TABLES = "minimax", "+ tables"  # rungs of the ladder
COUNTERS = (
    *("expanded", "evaluated", "visited", "alpha_cuts", "beta_cuts"),
    *("hits", "probes", "known"),
)
T = TypeVar("T")
R = TypeVar("R")
Variants = tuple[Variant, ...]


@dataclass(frozen=True)
class Problem:
    """A position that all variants are given, and the truth about it."""

    name: str
    game: str
    text: str
    truth: Truth

    def position(self) -> Position:
        return self._read(self.text)

    def move_to(self, child: Position) -> JudgedMove:
        """The move that leads there, found by its board: names depend on the notation."""
        wanted = str(child)
        for move in self.truth.moves:
            if str(self._read(move.board)) == wanted:
                return move
        raise AssertionError("the truth lists every legal move")

    def _read(self, text: str) -> Position:
        read = game_named(self.game).read(text, self.name, False, self.truth.variant)
        position: Position = read.position
        return position

    def facts(self) -> CaseFacts:
        best = self.truth.best
        return CaseFacts(
            name=self.name,
            game=self.game,
            board=game_named(self.game).write(self.position(), "board"),
            mover=self.truth.mover,
            value=str(self.truth.value or ""),
            proven=self.truth.proven.value,
            best=best,
            best_board=next((each.board for each in self.truth.moves if each.name in best[:1]), ""),
        )


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


def random_endings(seed: int, number: int) -> tuple[list[Problem], Endings]:
    """Different endings in which some moves keep the win or the draw and others do not, always
    the same for the same seed."""
    chance = random.Random(seed)
    rules, exact = game_named(TRUTH_GAME), tables_of(TRUTH_GAME)
    found: dict[int, Problem] = {}
    tried = 0
    while len(found) < number:
        own = 1 + int(chance.random() * (PIECES - 1))
        position: Position = rules.random_position(chance.random, own, PIECES - own)
        tried += 1
        if position.key() not in found and has_something_to_lose(position, exact):
            found[position.key()] = ending_problem(f"ending-{len(found) + 1}", rules, position)
    return list(found.values()), Endings(TRUTH_GAME, seed, PIECES, tried)


def has_something_to_lose(position: Position, exact: Exact) -> bool:
    """Whether its moves have different results."""
    children = position.children()
    scores = [-WIN if child.status() == LOST else exact.score(child) for child in children]
    assert UNKNOWN not in scores, "every small position is in the tables"
    return len({(score > 0) - (score < 0) if is_decisive(score) else 0 for score in scores}) > 1


def ending_problem(name: str, rules: Game, position: Position) -> Problem:
    results = find(rules, position)
    best = results.children[results.best[0]]
    text = rules.write(position, "board")
    return Problem(name, rules.NAME, text, results.truth(best, "board"))


def measure(problem: Problem, variants: Sequence[Variant], repeat: int = 1) -> Row:
    """Repeats are interleaved, and every round begins with another variant, so that whatever else
    happens on the machine affects all of them."""
    position = problem.position()
    players = [player_of(variant, problem.game) for variant in variants]
    if knowing := [each for each in players if each.variant.techniques.has("tables")]:
        knowing[0].search(position)  # unpacks the tables, which must not count for any variant
    results: dict[int, SearchResult] = {}
    seconds: list[list[float]] = [[] for _ in players]
    for round_number in range(repeat):
        for place in range(len(players)):
            index = (place + round_number) % len(players)
            begun = process_time()
            results[index] = players[index].search(position)
            seconds[index].append(process_time() - begun)
    return tuple(
        _measurement(problem, variant, results[index], seconds[index])
        for index, variant in enumerate(variants)
    )


@lru_cache(maxsize=1024)
def player_of(variant: Variant, game: str) -> Player:
    return Player(variant, game_named(game))


def _measurement(
    problem: Problem, variant: Variant, result: SearchResult, seconds: list[float]
) -> Measurement:
    truth = problem.truth
    move = problem.move_to(result.best)
    verdict, _, _ = weigh(move, truth)
    kept = is_kept(move, truth)
    depth = None if result.is_fact else result.depth
    believed = Value(result.score, depth, bounded=result.decided and not result.proven)
    counters: dict[str, Any] = {name: getattr(result.counters, name) for name in COUNTERS}
    return Measurement(
        variant=variant.name,
        case=problem.name,
        move=move.name,
        board=move.board,
        value=str(believed),
        score=result.score,
        depth=result.depth,
        verdict=verdict.value,
        worth=str(move.value),
        kept=kept,
        plies_lost=plies_lost(move, truth) if kept else None,
        branching_factor=branching_factor(result.counters.visited, result.depth),
        cpu_s=tuple(seconds),
        **counters,
    )


def is_kept(move: JudgedMove, truth: Truth) -> bool | None:
    """Whether a move keeps a proven win or draw; None if there is none, or nothing is proven
    about the move."""
    value, given = truth.value, move.value
    if value is None or not value.certain or value.result < 0 or not given.certain:
        return None
    return given.result >= value.result


def plies_lost(move: JudgedMove, truth: Truth) -> int | None:
    """By how much a win is later than it could be."""
    needed, taken = truth.value.plies if truth.value else None, move.value.plies
    return None if needed is None or taken is None else taken - needed


@dataclass(frozen=True)
class Crew:
    """Does the same work for many items, in this process or in those of an executor; results have
    the order of the items.  `tick` is called after each."""

    executor: Executor | None = None
    tick: Callable[[], object] = lambda: None

    def each(self, work: Callable[[T], R], items: Sequence[T]) -> list[R]:
        results = []
        begun = [self.executor.submit(work, item) for item in items] if self.executor else []
        for result in map(wait_for, begun) if begun else map(work, items):
            results.append(result)
            self.tick()
        return results


def wait_for(future: Future[R]) -> R:
    try:
        return future.result()
    except BrokenProcessPool:
        raise UserError(
            "A worker process was killed: possibly out of memory, or ended by a heuristic."
            " Try -j 1."
        ) from None


@contextmanager
def crew(jobs: int, tick: Callable[[], object]) -> Iterator[Crew]:
    with nullcontext() if jobs == 1 else processes(jobs) as executor:
        yield Crew(executor, tick)


ALONE = Crew()


def compare(
    problems: Sequence[Problem],
    variants: Sequence[Variant],
    option: str = "",
    values: Sequence[int] = (),
    repeat: int = 1,
    crew: Crew = ALONE,
) -> Comparison:
    """The variants at their own limits, or with each value of `depth` or `nodes` as their only
    limit."""
    steps = [tuple(variants)]
    if option:
        limits: list[dict[str, Any]] = [{**NO_LIMIT, option: value} for value in values]
        steps = [tuple(replace(each, **limit) for each in variants) for limit in limits]
    tables = _measure_all(problems, steps, repeat, crew)
    return summarise([problem.facts() for problem in problems], tables, option, values, repeat)


def scan_values(option: str, first: int, last: int) -> list[int]:
    """Every depth; or nodes, doubled from step to step."""
    if option == DEPTH:
        return list(range(first, last + 1))
    values = [first]
    while values[-1] * 2 <= last:
        values.append(values[-1] * 2)
    return values


def _measure_all(
    problems: Sequence[Problem], steps: Sequence[Variants], repeat: int, crew: Crew
) -> list[list[Row]]:
    """The rows of each step."""
    every = tuple(variant for step in steps for variant in step)
    rows = crew.each(partial(measure, variants=every, repeat=repeat), problems)
    width = len(steps[0])
    return [[row[start : start + width] for row in rows] for start in range(0, len(every), width)]


def measure_truth(
    seed: int,
    number: int,
    variants: Sequence[Variant],
    option: str = "",
    values: Sequence[int] = (),
    crew: Crew = ALONE,
) -> Comparison:
    """How much of the truth about random endings the variants keep without tables."""
    problems, endings = random_endings(seed, number)
    blind = [variant.changed(without="tables") for variant in variants]
    return replace(compare(problems, blind, option, values, crew=crew), endings=endings)


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


def climb(
    problems: Sequence[Problem], variant: Variant, depths: Sequence[int], crew: Crew = ALONE
) -> Ladder:
    """What each technique saves, and that none changes a value.

    Every rung must have the value of plain minimax at the same depth.  Tables replace estimates by
    facts, so the rung with tables must have the value of minimax with tables.
    """
    steps = [rungs(variant, depth) for depth in depths]
    knowing = [(*step, step[0].changed(with_="tables")) for step in steps]
    climbed: list[Rung] = []
    faults: list[ChangedValue] = []
    for depth, rows in zip(depths, _measure_all(problems, knowing, 1, crew), strict=True):
        for *row, known in rows:
            for each in row:
                wanted = known.score if each.variant == TABLES else row[0].score
                if each.score != wanted:
                    faults.append(ChangedValue(each.variant, each.case, depth, each.score, wanted))
        first = last = None
        for own in list(zip(*rows, strict=True))[:-1]:
            name, visited = own[0].variant, sum(each.visited for each in own)
            first = first or visited
            climbed.append(
                Rung(
                    name,
                    depth,
                    visited,
                    evaluated=sum(each.evaluated for each in own),
                    to_last=visited / last if last else None,
                    to_minimax=visited / first,
                    changed=sum((each.rung, each.depth) == (name, depth) for each in faults),
                )
            )
            last = visited
    cases = tuple(problem.name for problem in problems)
    return Ladder(variant.name, cases, tuple(depths), tuple(climbed), tuple(faults))
