"""From games and endings to weights: who plays what, what is held out, what comes of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grader.lab.regression import Sample, accuracy, fit, log_loss
from grader.lab.tuning_games import EndingsOrder, GameOrder, play, solve
from solver.games.checkers.heuristics import HEURISTICS, weights_of

HELD_OUT = 10  # every tenth game, and every tenth batch of endings, is kept for measuring
BATCH = 50  # endings
POINTS = 400 / math.log(10)  # for odds of e to one: 400 stand for odds of ten to one

Order = GameOrder | EndingsOrder


@dataclass(frozen=True)
class Options:
    """Everything that the weights depend on."""

    heuristic: str = "tuned"
    seed: int = 1
    games: int = 1000
    endings: int = 5000
    depth: int | None = None
    nodes: int | None = 1000

    def command(self) -> str:
        """The command that finds the same weights."""
        usual = Options()
        words = ["grader tune"]
        for name in ("heuristic", "seed", "games", "endings"):
            if getattr(self, name) != getattr(usual, name):
                words.append(f"--{name} {getattr(self, name)}")
        if self.depth is not None:
            words.append(f"--depth {self.depth}")
        elif self.nodes != usual.nodes:
            words.append(f"--nodes {self.nodes}")
        return " ".join(words)

    def orders(self) -> list[Order]:
        """The work, in parts that depend on nothing but themselves."""
        games = [
            GameOrder(self.heuristic, f"{self.seed}, game {number}", self.depth, self.nodes)
            for number in range(self.games)
        ]
        starts = range(0, self.endings, BATCH)
        return [
            *games,
            *(
                EndingsOrder(
                    self.heuristic,
                    f"{self.seed}, endings {start}",
                    min(BATCH, self.endings - start),
                )
                for start in starts
            ),
        ]


@dataclass(frozen=True)
class Held:
    """How well weights foretell results that they were not fitted to."""

    kind: str
    samples: int
    loss: float
    right: float | None


@dataclass(frozen=True)
class Tuning:
    options: Options
    fitted_to: int
    old: dict[str, int]
    new: dict[str, int]
    held_by_old: list[Held]
    held_by_new: list[Held]


def done(order: Order) -> list[Sample]:
    return play(order) if isinstance(order, GameOrder) else solve(order)


def tuned(options: Options, batches: Iterable[list[Sample]]) -> Tuning:
    """The weights, from what was found for each of the orders, in their order."""
    learned: list[Sample] = []
    held: dict[str, list[Sample]] = {"games": [], "endings": []}
    for kind, number, samples in _numbered(options, batches):
        (held[kind] if number % HELD_OUT == HELD_OUT - 1 else learned).extend(samples)
    old = weights_of(HEURISTICS[options.heuristic].TERMS)
    fitted = fit(learned)
    new = {word: round(POINTS * weight) for word, weight in zip(old, fitted, strict=True)}
    return Tuning(
        options,
        len(learned),
        old,
        new,
        _measured(held, _at_best_scale(learned, list(old.values()))),
        _measured(held, [weight / POINTS for weight in new.values()]),
    )


def _numbered(
    options: Options, batches: Iterable[list[Sample]]
) -> Iterator[tuple[str, int, list[Sample]]]:
    for number, samples in enumerate(batches):
        if number < options.games:
            yield "games", number, samples
        else:
            yield "endings", number - options.games, samples


def _at_best_scale(samples: Sequence[Sample], weights: Sequence[int]) -> list[float]:
    """Weights in points of any size, in logits: as fair as a single factor can make them."""
    values = [
        Sample((sum(w * n for w, n in zip(weights, each.counts, strict=True)),), each.result)
        for each in samples
    ]
    scale = fit(values)[0]
    return [scale * weight for weight in weights]


def _measured(held: dict[str, list[Sample]], weights: Sequence[float]) -> list[Held]:
    return [
        Held(kind, len(samples), log_loss(samples, weights), accuracy(samples, weights))
        for kind, samples in held.items()
        if samples
    ]


# Fitted weights as a Python file: a heuristic to be used at once.


FILE = '''\
"""The heuristic `{name}` with the weights that `{command}` has found.

solver board.txt --heuristic THIS_FILE.py:evaluate
"""

from solver.games.checkers.heuristics import HEURISTICS

WEIGHTS = {{
{weights}
}}

HEURISTIC = type(HEURISTICS["{name}"])(WEIGHTS)


def evaluate(position):
    """How good the position is for the side to move."""
    return sum(HEURISTIC.value(board) for board in position.boards())
'''


def as_python(tuning: Tuning) -> str:
    name = tuning.options.heuristic
    terms = HEURISTICS[name].TERMS
    lines = [
        f'    "{keyword}": {weight},  # {terms[keyword][0]}'
        for keyword, weight in tuning.new.items()
    ]
    return FILE.format(name=name, command=tuning.options.command(), weights="\n".join(lines))
