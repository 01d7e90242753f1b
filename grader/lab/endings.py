"""Truth mode: random endings of which the tables know everything, searched without them.

Only endings with something to lose count: some move keeps the win or the draw, and some other
does not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from grader.lab.compare import ALONE, Crew, Problem, measured_at, steps_of
from grader.lab.compare_results import TruthKept, TruthPoint, kept
from grader.lab.variants import Variant
from grader.puzzles.evidence import find, tables_of
from solver.games import game_named
from solver.search.position import LOST
from solver.search.score import UNKNOWN, WIN, is_decisive

if TYPE_CHECKING:
    from solver.games import Game
    from solver.search.heuristic import Exact

GAME = "checkers"  # the one with tables
PIECES = range(2, 5)
STYLE = "any"
WON, DRAWN, GONE = 1, 0, -1


class Endings:
    """Different endings with so many pieces, always the same for the same seed."""

    def __init__(self, seed: int, pieces: int) -> None:
        self.seed = seed
        self.pieces = pieces
        self.tried = 0
        self._random = random.Random(seed)
        self._rules = game_named(GAME)
        self._exact = tables_of(GAME)

    def take(self, number: int) -> list[Problem]:
        return list(islice(self._problems(), number))

    def _problems(self) -> Iterator[Problem]:
        seen: set[int] = set()
        while True:
            position = self._place()
            self.tried += 1
            if position.key() not in seen and has_something_to_lose(position, self._exact):
                seen.add(position.key())
                yield problem_of(f"ending-{len(seen)}", self._rules, position)

    def _place(self) -> Any:
        own = 1 + int(self._random.random() * (self.pieces - 1))
        return self._rules.random_position(self._random.random, own, self.pieces - own, STYLE)


def has_something_to_lose(position: Any, exact: Exact) -> bool:
    """Whether it is no loss, and some moves keep what it is and others do not."""
    results = [_result(child, exact) for child in position.children()]
    return len(set(results)) > 1


def _result(child: Any, exact: Exact) -> int:
    """What a move is to who makes it: a win, a draw or a loss."""
    score = -WIN if child.status() == LOST else exact.score(child)
    assert score != UNKNOWN, "every small position is in the tables"
    if not is_decisive(score):
        return DRAWN
    return WON if score < 0 else GONE


def problem_of(name: str, rules: Game, position: Any) -> Problem:
    results = find(rules, position)
    best = results.children[results.best[0]]
    text = rules.write(position, "board")
    return Problem(name, rules.NAME, text, results.truth(best, "board"))


def truth_kept(
    endings: Endings,
    number: int,
    variants: Sequence[Variant],
    option: str = "",
    values: Sequence[int] = (),
    crew: Crew = ALONE,
) -> TruthKept:
    """How much of the truth the variants keep without tables, at their limits or at each of the
    values of the option."""
    problems = endings.take(number)
    cases = tuple(problem.facts() for problem in problems)
    blind = tuple(variant.changed(without="tables") for variant in variants)
    steps = steps_of(blind, option, values) if option else [blind]
    tables = measured_at(steps, problems, crew)
    points = []
    for index, variant in enumerate(variants):
        for value, table in zip(values if option else [None], tables, strict=True):
            own = [row[index] for row in table]
            visited = sum(each.visited for each in own)
            points.append(TruthPoint(variant.name, value, kept(cases, own), visited))
    return TruthKept(
        game=GAME,
        seed=endings.seed,
        pieces=endings.pieces,
        tried=endings.tried,
        option=option,
        cases=cases,
        points=tuple(points),
        measurements=tuple(each for row in tables[-1] for each in row),
    )
