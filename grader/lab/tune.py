"""From games and endings to weights: who plays what, what is held out, what comes of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from solver.games.checkers import game
from solver.games.checkers import game as rules
from solver.games.checkers.heuristics import HEURISTICS, weights_of
from solver.play.game import GameInProgress, choose_move
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.position import QUIET
from solver.search.score import is_decisive
from solver.search.techniques import Techniques

if TYPE_CHECKING:
    from solver.search.position import Position
    from solver.search.result import Finding


# Logistic regression: the weights that make results most likely, by Newton's method.
#
# Sums run in the order of the samples and use nothing but the four operations, `exp` and `log`, so
# that the same samples give the same weights.


RIDGE = 1.0  # samples' worth of belief that a weight is 0: keeps terms apart that occur together
ROUNDS = 50
CLOSE_ENOUGH = 1e-9


@dataclass(frozen=True)
class Sample:
    """How often each term occurs, for the mover less for the other side, and what came of it:
    1 the mover has won, 0 lost, 0.5 a draw."""

    counts: tuple[int, ...]
    result: float


def expected(logit: float) -> float:
    """The result that these odds stand for."""
    if logit < 0:
        return 1.0 - 1.0 / (1.0 + math.exp(logit))
    return 1.0 / (1.0 + math.exp(-logit))


def fit(samples: Sequence[Sample]) -> list[float]:
    """The weights, in logits."""
    terms = len(samples[0].counts)
    held = [RIDGE * _spread(samples, term) + 1e-6 for term in range(terms)]
    rows = [_row(sample) for sample in samples]
    weights = [0.0] * terms
    for _ in range(ROUNDS):
        step = _newton(rows, weights, held)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(abs(change) for change in step) < CLOSE_ENOUGH:
            break
    return weights


Row = tuple[list[tuple[int, int]], float]  # what occurs how often, and the result


def _row(sample: Sample) -> Row:
    """A sample without the terms that do not occur."""
    found = [(term, count) for term, count in enumerate(sample.counts) if count]
    return found, sample.result


def _spread(samples: Sequence[Sample], term: int) -> float:
    return sum(sample.counts[term] ** 2 for sample in samples) / len(samples)


def _newton(rows: list[Row], weights: list[float], held: list[float]) -> list[float]:
    """The step to where the slope vanishes, if the curve stays as it is here."""
    terms = len(weights)
    slope = [-hold * weight for hold, weight in zip(held, weights, strict=True)]
    curve = [[0.0] * terms for _ in range(terms)]
    for term in range(terms):
        curve[term][term] = held[term]
    for found, result in rows:
        logit = 0.0
        for term, count in found:
            logit += weights[term] * count
        chance = expected(logit)
        error = result - chance
        doubt = chance * (1.0 - chance)
        for term, count in found:
            slope[term] += error * count
            line = curve[term]
            part = doubt * count
            for other, times in found:
                if other > term:
                    break
                line[other] += part * times
    return _solved(curve, slope)


def _solved(curve: list[list[float]], slope: list[float]) -> list[float]:
    """The solution of curve x = slope, by Cholesky; only the lower half of the curve is read."""
    size = len(slope)
    root = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = curve[i][j] - sum(root[i][k] * root[j][k] for k in range(j))
            root[i][j] = math.sqrt(rest) if i == j else rest / root[j][j]
    answer = list(slope)
    for i in range(size):
        answer[i] = (answer[i] - sum(root[i][k] * answer[k] for k in range(i))) / root[i][i]
    for i in reversed(range(size)):
        below = sum(root[k][i] * answer[k] for k in range(i + 1, size))
        answer[i] = (answer[i] - below) / root[i][i]
    return answer


def log_loss(samples: Sequence[Sample], weights: Sequence[float]) -> float:
    """How surprising the results are on average; 0.693 is knowing nothing."""
    total = 0.0
    for sample in samples:
        chance = expected(_logit(sample, weights))
        sure = min(max(chance, 1e-12), 1.0 - 1e-12)
        total -= sample.result * math.log(sure) + (1.0 - sample.result) * math.log(1.0 - sure)
    return total / len(samples)


def accuracy(samples: Sequence[Sample], weights: Sequence[float]) -> float | None:
    """The share of the won and lost samples of which the weights say which they are; None if
    there are only draws."""
    decided = [sample for sample in samples if sample.result != 0.5]
    right = sum((_logit(each, weights) > 0) == (each.result > 0.5) for each in decided)
    return right / len(decided) if decided else None


def _logit(sample: Sample, weights: Sequence[float]) -> float:
    return sum(weight * count for weight, count in zip(weights, sample.counts, strict=True))


# Games of `material` against itself: the quiet positions of each, and how it ended.
#
# The players never know what is being fitted, so that the same games come out whatever the weights
# were before.


# How often each term of a heuristic of checkers occurs in a position.


def counts(heuristic: str, position: Any) -> tuple[int, ...]:
    """For the mover, less for the other side."""
    named = HEURISTICS[heuristic]
    black = int(position.mover() == "black")
    return tuple(
        named.occurs(position, key, black) - named.occurs(position, key, 1 - black)
        for key in named.TERMS
    )


PLAYER = "material"
# Random moves to begin with: few for what occurs in good games, many for all the rest.
FEWEST_RANDOM, MOST_RANDOM = 3, 12
KEPT = 0.2  # of the positions: neighbours in a game are much alike and share its result


@dataclass(frozen=True)
class GameOrder:
    """A game to be played, and the heuristic whose terms are counted in it."""

    heuristic: str
    seed: str
    depth: int | None
    nodes: int | None


def play(order: GameOrder) -> list[Sample]:
    """Some of the quiet positions that are too large for the tables, with the result of the
    game, which ends as soon as the tables or the search know it."""
    chance = Random(order.seed)
    start = _opening(chance)
    search = Search(rules.evaluator(PLAYER, start), Techniques(), rules.tables())
    limits = Limits(depth=order.depth, nodes=order.nodes)

    def choose(position: Position, leave_out: frozenset[int]) -> Finding:
        return search.run(position, limits, leave_out=leave_out)

    game = GameInProgress(rules, start, search.exact)
    kept: list[tuple[str, tuple[int, ...]]] = []
    while (result := game.result) is None:
        position = game.position
        if position.standing() == QUIET and chance.random() < KEPT:
            kept.append((position.mover(), counts(order.heuristic, position)))
        finding = choose(position, frozenset())
        if finding.decided:
            share = result_of(finding.score)
            break
        game.play(choose_move(game, finding, choose))
    else:
        won = result.winner == game.position.mover()
        share = 1.0 if won else 0.0 if result.winner else 0.5
    last = game.position.mover()
    return [Sample(found, share if mover == last else 1.0 - share) for mover, found in kept]


def result_of(score: int) -> float:
    """A certain score as a result."""
    if not is_decisive(score):
        return 0.5
    return 1.0 if score > 0 else 0.0


def _opening(chance: Random) -> Any:
    position: Any = rules.read(rules.start(), "the start", True).position
    for _ in range(chance.randint(FEWEST_RANDOM, MOST_RANDOM)):
        position = chance.choice(position.children())
    return position


# Random endings and their exact results, from the endgame tables.


MOST_PIECES = 4  # as many as the tables have that come with the package
STYLES = ("any", "kings")


@dataclass(frozen=True)
class EndingsOrder:
    """So many endings, and the heuristic whose terms are counted in them."""

    heuristic: str
    seed: str
    number: int


def solve(order: EndingsOrder) -> list[Sample]:
    """Quiet positions of two to four pieces, with what the mover can get."""
    chance = Random(order.seed)
    exact = game.tables()
    found: list[Sample] = []
    while len(found) < order.number:
        pieces = chance.randint(2, MOST_PIECES)
        own = chance.randint(1, pieces - 1)
        style = chance.choice(STYLES)
        position = game.random_position(chance.random, own, pieces - own, style)
        if chance.random() < 0.5:
            position = position.passed()
        if position.standing() == QUIET:
            result = result_of(exact.score(position))
            found.append(Sample(counts(order.heuristic, position), result))
    return found


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
