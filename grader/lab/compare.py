"""Variants on problems: at one limit each, or at growing limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import compress
from time import process_time
from typing import TYPE_CHECKING, Any, TypeVar

from grader.grading.workers import processes
from grader.judge import weigh
from grader.lab.compare_results import (
    CaseFacts,
    Comparison,
    Measurement,
    Scan,
    Step,
    compared,
    summed,
)
from grader.lab.variants import Player, Variant
from grader.puzzles.evidence import tables_of, truth_of
from grader.puzzles.find import Case
from grader.puzzles.truth import Move, Truth, Value
from solver.errors import UserError, counted
from solver.games import game_named
from solver.search.counters import branching_factor
from solver.search.exact import NOTHING

if TYPE_CHECKING:
    from solver.search.result import Finding


# What all variants are given: a position, and the truth about it.


@dataclass(frozen=True)
class Problem:
    name: str
    game: str
    text: str
    truth: Truth

    def position(self) -> Any:
        return game_named(self.game).read(self.text, self.name, False, self.truth.variant).position

    def move_to(self, child: Any) -> Move:
        """The move that leads there, found by its board: names are whoever's wrote the proof."""
        rules = game_named(self.game)
        wanted = str(child)
        for move in self.truth.moves:
            after = rules.read(move.board, self.name, False, self.truth.variant).position
            if str(after) == wanted:
                return move
        raise AssertionError("the truth lists every legal move")

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


def problems_of(
    cases: Sequence[Case], variants: Sequence[Variant]
) -> tuple[list[Problem], list[str]]:
    """The cases that every variant can answer, and words about those that are left out."""
    idle = {game: _idle(game, variants) for game in dict.fromkeys(case.game for case in cases)}
    notes = [
        f"left out: {_number(cases, game)} of {game}, for which {', '.join(names)}"
        f" {'has' if len(names) == 1 else 'have'} no heuristic"
        for game, names in idle.items()
        if names
    ]
    played = [Problem(c.name, c.game, c.text, truth_of(c)) for c in cases if not idle[c.game]]
    problems = [problem for problem in played if problem.truth.moves]
    if len(problems) < len(played):
        over = counted(len(played) - len(problems), "case")
        notes.append(f"left out: {over} in which the game is over already")
    if not problems:
        raise UserError("\n".join(["No case is left to compare the variants on.", *notes]))
    return problems, notes


def _idle(game: str, variants: Sequence[Variant]) -> list[str]:
    return [variant.name for variant in variants if not variant.plays(game)]


def _number(cases: Sequence[Case], game: str) -> str:
    return counted(sum(case.game == game for case in cases), "case")


def spread(problems: list[Problem], number: int) -> list[Problem]:
    """So many of them, evenly spread over the list; all if there are no more."""
    count = len(problems)
    if number >= count:
        return problems
    return [problems[index * count // number] for index in range(number)]


# One problem, given to every variant: what they answer, and what it costs them.


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
    findings: dict[int, Finding] = {}
    seconds: list[list[float]] = [[] for _ in players]
    for round_number in range(repeat):
        for index in _rotated(len(players), round_number):
            begun = process_time()
            findings[index] = players[index].look(position)
            seconds[index].append(process_time() - begun)
    return tuple(
        _measurement(problem, variant, findings[index], seconds[index])
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
    problem: Problem, variant: Variant, finding: Finding, seconds: list[float]
) -> Measurement:
    truth = problem.truth
    move = problem.move_to(finding.best)
    verdict, _, _ = weigh(move, truth)
    kept = is_kept(move, truth)
    effort = finding.effort
    return Measurement(
        variant=variant.name,
        case=problem.name,
        move=move.name,
        board=move.board,
        value=str(believed(finding)),
        score=finding.score,
        depth=finding.depth,
        verdict=verdict.value,
        worth=str(move.value),
        kept=kept,
        plies_lost=plies_lost(move, truth) if kept else None,
        expanded=effort.expanded,
        evaluated=effort.evaluated,
        visited=effort.visited,
        alpha_cuts=effort.alpha_cuts,
        beta_cuts=effort.beta_cuts,
        hits=effort.hits,
        probes=effort.probes,
        known=effort.known,
        branching_factor=branching_factor(effort.visited, finding.depth),
        cpu_s=tuple(seconds),
    )


def believed(finding: Finding) -> Value:
    """What a variant says the position is worth."""
    depth = None if finding.is_fact else finding.depth
    return Value(finding.score, depth, bounded=finding.decided and not finding.proven)


def is_kept(move: Move, truth: Truth) -> bool | None:
    """Whether a move keeps a proven win or draw; None if there is none, or nothing is proven
    about the move."""
    value, given = truth.value, move.value
    if value is None or not value.certain or value.result < 0 or not given.certain:
        return None
    return given.result >= value.result


def plies_lost(move: Move, truth: Truth) -> int | None:
    """By how much a win is later than it could be."""
    needed, taken = truth.value.plies if truth.value else None, move.value.plies
    return None if needed is None or taken is None else taken - needed


# Work shared out to processes; what comes of it has the order of the work.


T = TypeVar("T")
R = TypeVar("R")


class Crew:
    """Does the same to many things, in this process or in those of an executor; `tick` is called
    whenever one is done."""

    def __init__(
        self, executor: Executor | None = None, tick: Callable[[], object] = lambda: None
    ) -> None:
        self.executor = executor
        self.tick = tick

    def each(self, work: Callable[[T], R], items: Sequence[T]) -> list[R]:
        results = dict(self._finished(work, items))
        return [results[index] for index in range(len(items))]

    def _finished(self, work: Callable[[T], R], items: Sequence[T]) -> Iterator[tuple[int, R]]:
        if self.executor is None:
            for index, item in enumerate(items):
                yield index, work(item)
                self.tick()
            return
        begun = {self.executor.submit(work, item): index for index, item in enumerate(items)}
        for future in as_completed(begun):
            try:
                yield begun[future], future.result()
            except BrokenProcessPool:
                raise UserError(
                    "A process was killed, perhaps for want of memory. Try fewer at once: -j 1"
                ) from None
            self.tick()


ALONE = Crew()


@contextmanager
def crew(jobs: int, tick: Callable[[], object]) -> Iterator[Crew]:
    if jobs == 1:
        yield Crew(None, tick)
        return
    with processes(jobs) as executor:
        yield Crew(executor, tick)


DEPTH, NODES = "depth", "nodes"
Variants = tuple[Variant, ...]
Table = list[tuple[Measurement, ...]]


def compare(
    problems: Sequence[Problem],
    variants: Sequence[Variant],
    repeat: int = 1,
    crew: Crew = ALONE,
) -> Comparison:
    rows = _measure(problems, variants, repeat, crew)
    return compared([problem.facts() for problem in problems], rows, repeat)


def scan(
    problems: Sequence[Problem],
    variants: Sequence[Variant],
    option: str,
    values: Sequence[int],
    crew: Crew = ALONE,
) -> Scan:
    """The variants at each value of `depth` or `nodes`; the first is the reference at each."""
    cases = tuple(problem.facts() for problem in problems)
    tables = measured_at(steps_of(variants, option, values), problems, crew)
    steps: list[Step] = []
    for number in range(len(variants)):
        columns = [[row[number] for row in rows] for rows in tables]
        references = [[row[0] for row in rows] for rows in tables] if number else columns
        summaries = map(partial(summed, cases), columns, references)
        growths = _growths(columns, values) if option == DEPTH else [None] * len(values)
        for value, own, summary, growth in zip(values, columns, summaries, growths, strict=True):
            reached = sum(each.depth >= value for each in own) if option == DEPTH else len(own)
            steps.append(Step(summary.variant, value, summary, reached, growth))
    return Scan(option, cases, tuple(steps))


def steps_of(variants: Sequence[Variant], option: str, values: Sequence[int]) -> list[Variants]:
    return [tuple(at(variant, option, value) for variant in variants) for value in values]


def measured_at(steps: Sequence[Variants], problems: Sequence[Problem], crew: Crew) -> list[Table]:
    """A table of measurements for each step, problem by problem."""
    rows = _measure(problems, [variant for step in steps for variant in step], 1, crew)
    width = len(steps[0])
    return [[row[start : start + width] for row in rows] for start in range(0, len(rows[0]), width)]


def at(variant: Variant, option: str, value: int) -> Variant:
    """With that limit, and no other."""
    depth, nodes = (value, None) if option == DEPTH else (None, value)
    return replace(variant, depth=depth, nodes=nodes, seconds=None)


def _measure(
    problems: Sequence[Problem], variants: Sequence[Variant], repeat: int, crew: Crew
) -> Table:
    return crew.each(partial(measured, variants=tuple(variants), repeat=repeat), problems)


def values_of(option: str, first: int, last: int) -> list[int]:
    """Every depth; of nodes, each as many again as the last."""
    if option == DEPTH:
        return list(range(first, last + 1))
    values = [first]
    while values[-1] * 2 <= last:
        values.append(values[-1] * 2)
    return values


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
