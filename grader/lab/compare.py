"""Variants on the same problems: puzzles, or random endings of which the tables know everything;
at one limit, at growing limits, or with one technique after the other: the ladder."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import compress
from time import process_time
from typing import TYPE_CHECKING, Any, TypeVar

from grader.grading.workers import processes
from grader.judge.move import weigh
from grader.lab.compare_results import (
    CaseFacts,
    ChangedValue,
    Comparison,
    Ladder,
    Measurement,
    Rung,
    Scan,
    ScanStep,
    TruthKept,
    TruthPoint,
    count_kept,
    summarise,
    summarise_variant,
)
from grader.lab.variants import Player, Variant
from grader.puzzles.evidence import find, tables_of, truth_of
from grader.puzzles.find import Case
from grader.puzzles.truth import JudgedMove, Truth, Value
from solver.errors import UserError, counted
from solver.games import game_named
from solver.search.heuristic import NOTHING
from solver.search.position import LOST, Position
from solver.search.result import branching_factor
from solver.search.score import UNKNOWN, WIN, is_decisive
from solver.search.techniques import TECHNIQUES

if TYPE_CHECKING:
    from solver.games import Game
    from solver.search.heuristic import Exact
    from solver.search.result import SearchResult


DEPTH, NODES = "depth", "nodes"  # what can be scanned
TRUTH_GAME = "checkers"  # has tables
PIECES = range(2, 5)  # in the endings of truth mode
MINIMAX, TABLES = "minimax", "+ tables"  # rungs of the ladder
COUNTERS = (
    *("expanded", "evaluated", "visited", "alpha_cuts", "beta_cuts"),
    *("hits", "probes", "known"),
)
T = TypeVar("T")
R = TypeVar("R")
Variants = tuple[Variant, ...]
Row = tuple[Measurement, ...]  # one problem, in the order of the variants


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
        return CaseFacts(
            name=self.name,
            game=self.game,
            board=game_named(self.game).write(self.position(), "board"),
            mover=self.truth.mover,
            value=str(self.truth.value or ""),
            proven=self.truth.proven.value,
            best=self.truth.best,
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


def random_endings(seed: int, pieces: int, number: int) -> tuple[list[Problem], int]:
    """Different endings in which some moves keep the win or the draw and others do not, always
    the same for the same seed; and how many were tried."""
    chance = random.Random(seed)
    rules, exact = game_named(TRUTH_GAME), tables_of(TRUTH_GAME)
    found: dict[int, Problem] = {}
    tried = 0
    while len(found) < number:
        own = 1 + int(chance.random() * (pieces - 1))
        position: Position = rules.random_position(chance.random, own, pieces - own, "any")
        tried += 1
        if position.key() not in found and has_something_to_lose(position, exact):
            found[position.key()] = ending_problem(f"ending-{len(found) + 1}", rules, position)
    return list(found.values()), tried


def has_something_to_lose(position: Position, exact: Exact) -> bool:
    """Whether its moves have different results."""
    return len({_table_result(child, exact) for child in position.children()}) > 1


def _table_result(child: Position, exact: Exact) -> int:
    """What the position is for the side to move: 1 for a win, 0 for a draw, -1 for a loss."""
    score = -WIN if child.status() == LOST else exact.score(child)
    assert score != UNKNOWN, "every small position is in the tables"
    return (score > 0) - (score < 0) if is_decisive(score) else 0


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
    _unpack_tables(players, position)
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


def _unpack_tables(players: Sequence[Player], position: Position) -> None:
    """Tables are unpacked on first use, which must not count for any variant."""
    for player in players:
        if player.variant.techniques.has("tables") and tables_of(player.game.NAME) is not NOTHING:
            player.search(position)
            return


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
        results: dict[int, R] = {}
        if self.executor is None:
            for index, item in enumerate(items):
                results[index] = work(item)
                self.tick()
        else:
            begun = {self.executor.submit(work, item): index for index, item in enumerate(items)}
            for future in as_completed(begun):
                results[begun[future]] = wait_for(future)
                self.tick()
        return [results[index] for index in range(len(items))]


def wait_for(future: Future[R]) -> R:
    try:
        return future.result()
    except BrokenProcessPool:
        raise UserError(
            "A worker process was killed: possibly out of memory, or ended by a heuristic."
            " Try -j 1."
        ) from None


ALONE = Crew()


@contextmanager
def crew(jobs: int, tick: Callable[[], object]) -> Iterator[Crew]:
    with nullcontext() if jobs == 1 else processes(jobs) as executor:
        yield Crew(executor, tick)


def compare(
    problems: Sequence[Problem], variants: Sequence[Variant], repeat: int = 1, crew: Crew = ALONE
) -> Comparison:
    rows = crew.each(partial(measure, variants=tuple(variants), repeat=repeat), problems)
    return summarise([problem.facts() for problem in problems], rows, repeat)


def scan(
    problems: Sequence[Problem],
    variants: Sequence[Variant],
    option: str,
    values: Sequence[int],
    crew: Crew = ALONE,
) -> Scan:
    """The variants at each value of `depth` or `nodes`; the first is the reference at each."""
    cases = tuple(problem.facts() for problem in problems)
    tables = _measure_at(_limits(variants, option, values), problems, crew)
    steps: list[ScanStep] = []
    for number in range(len(variants)):
        columns = [[row[number] for row in rows] for rows in tables]
        references = [[row[0] for row in rows] for rows in tables] if number else columns
        summaries = map(partial(summarise_variant, cases), columns, references)
        growths = _growths(columns, values) if option == DEPTH else [None] * len(values)
        for value, own, summary, growth in zip(values, columns, summaries, growths, strict=True):
            reached = sum(each.depth >= value for each in own) if option == DEPTH else len(own)
            steps.append(ScanStep(summary.variant, value, summary, reached, growth))
    return Scan(option, cases, tuple(steps))


def scan_values(option: str, first: int, last: int) -> list[int]:
    """Every depth; or nodes, doubled from step to step."""
    if option == DEPTH:
        return list(range(first, last + 1))
    values = [first]
    while values[-1] * 2 <= last:
        values.append(values[-1] * 2)
    return values


def _limits(variants: Sequence[Variant], option: str, values: Sequence[int]) -> list[Variants]:
    """The variants with each value of the option as their only limit."""
    limits = [(value, None) if option == DEPTH else (None, value) for value in values]
    return [
        tuple(replace(each, depth=depth, nodes=nodes, seconds=None) for each in variants)
        for depth, nodes in limits
    ]


def _measure_at(
    steps: Sequence[Variants], problems: Sequence[Problem], crew: Crew
) -> list[list[Row]]:
    """The rows of each step."""
    every = tuple(variant for step in steps for variant in step)
    rows = crew.each(partial(measure, variants=every), problems)
    width = len(steps[0])
    return [[row[start : start + width] for row in rows] for start in range(0, len(every), width)]


def _growths(columns: Sequence[Sequence[Measurement]], depths: Sequence[int]) -> list[float | None]:
    """By how much another ply multiplies the nodes, over the cases that reached each depth."""
    growths: list[float | None] = [None]
    for before, own, last, depth in zip(columns, columns[1:], depths, depths[1:], strict=False):
        there = [each.depth >= depth for each in own]
        now, then = (
            sum(each.visited for each in compress(these, there)) for these in (own, before)
        )
        growths.append((now / then) ** (1 / (depth - last)) if then else None)
    return growths


def measure_truth(
    seed: int,
    pieces: int,
    number: int,
    variants: Sequence[Variant],
    option: str = "",
    values: Sequence[int] = (),
    crew: Crew = ALONE,
) -> TruthKept:
    """How much of the truth about random endings the variants keep without tables, at their own
    limits or at each value of the option."""
    problems, tried = random_endings(seed, pieces, number)
    cases = tuple(problem.facts() for problem in problems)
    blind = tuple(variant.changed(without="tables") for variant in variants)
    tables = _measure_at(_limits(blind, option, values) if option else [blind], problems, crew)
    points = []
    for index, variant in enumerate(variants):
        for value, table in zip(values if option else [None], tables, strict=True):
            own = [row[index] for row in table]
            visited = sum(each.visited for each in own)
            points.append(TruthPoint(variant.name, value, count_kept(cases, own), visited))
    return TruthKept(
        game=TRUTH_GAME,
        seed=seed,
        pieces=pieces,
        tried=tried,
        option=option,
        cases=cases,
        points=tuple(points),
        measurements=tuple(each for row in tables[-1] for each in row),
    )


def rungs(variant: Variant, depth: int) -> dict[str, Variant]:
    """From minimax to everything that does not change a value, one technique at a time, and then
    the tables.  Heuristic, value of a win, ordering and cache are those of the variant; where it
    has no ordering or cache, the default."""
    names = [technique.name for technique in TECHNIQUES.values() if technique.sound]
    own = variant.techniques
    here = replace(variant, depth=depth, nodes=None, seconds=None)
    here = here.changed(without=",".join([*names, "tables"]))
    found = {MINIMAX: here}
    for name in [*names, "tables"]:
        chosen = own.values[name] if own.has(name) else TECHNIQUES[name].default
        choice = {name: str(chosen)} if TECHNIQUES[name].choices else {}
        here = here.changed(with_=name, **choice)
        found[f"+ {name}"] = here
    return found


def climb(problem: Problem, variant: Variant, depths: Sequence[int]) -> Ladder:
    """The whole ladder on one case: what each technique saves, and that none changes a value.

    Every rung must have the value of plain minimax at the same depth.  Tables replace estimates by
    facts, so the rung with tables must have the value of minimax with tables.
    """
    position = problem.position()
    climbed: list[Rung] = []
    faults: list[ChangedValue] = []
    for depth in depths:
        every = rungs(variant, depth)
        values: dict[str, int] = {}
        for name, rung in every.items():
            result = player_of(rung, problem.game).search(position)
            values[name] = result.score
            wanted = values[MINIMAX]
            if name == TABLES:
                knowing = every[MINIMAX].changed(with_="tables")
                wanted = player_of(knowing, problem.game).search(position).score
            wrong = result.score != wanted
            if wrong:
                faults.append(ChangedValue(name, problem.name, depth, result.score, wanted))
            visited, evaluated = result.counters.visited, result.counters.evaluated
            climbed.append(Rung(name, depth, visited, evaluated, None, 1.0, int(wrong)))
    return Ladder(variant.name, (problem.name,), tuple(depths), tuple(climbed), tuple(faults))


def climb_all(
    problems: Sequence[Problem], variant: Variant, depths: Sequence[int], crew: Crew = ALONE
) -> Ladder:
    climbs = crew.each(partial(climb, variant=variant, depths=tuple(depths)), problems)
    order = {depth: at for at, depth in enumerate(depths)}
    faults = [fault for each in climbs for fault in each.faults]
    return Ladder(
        variant=variant.name,
        cases=tuple(problem.name for problem in problems),
        depths=tuple(depths),
        rungs=tuple(_add_up_rungs([each.rungs for each in climbs])),
        faults=tuple(sorted(faults, key=lambda fault: order[fault.depth])),
    )


def _add_up_rungs(climbs: Sequence[tuple[Rung, ...]]) -> Iterator[Rung]:
    first = last = 1
    for same in zip(*climbs, strict=True):
        visited = sum(each.visited for each in same)
        is_first = same[0].name == MINIMAX
        first = visited if is_first else first
        yield replace(
            same[0],
            visited=visited,
            evaluated=sum(each.evaluated for each in same),
            to_last=None if is_first else visited / last,
            to_minimax=visited / first,
            changed=sum(each.changed for each in same),
        )
        last = visited
