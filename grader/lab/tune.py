"""Fits the weights of a checkers heuristic to the results of games and of endings.

Games are played by `material` against itself, so that they do not depend on what is fitted.  The
fit is a logistic regression; sums run in the order of the samples and use nothing but the four
operations, `exp` and `log`, so that the same samples give the same weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from solver.games import game_named
from solver.games.checkers import game as rules
from solver.games.checkers.heuristics import HEURISTICS
from solver.games.checkers.terms import weights_of
from solver.play.game import GameInProgress, choose_move
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.position import QUIET, Position
from solver.search.result import SearchResult
from solver.search.score import is_decisive
from solver.search.techniques import Techniques

PLAYER = "material"
# Random moves at the start of a game: few for what occurs in good games, many for all the rest.
FEWEST_RANDOM, MOST_RANDOM = 3, 12
KEPT = 0.2  # of the positions: neighbours in a game are very similar and share its result
MOST_PIECES = 4  # in the tables that come with the package
KINGS = (0.25, 1.0)  # shares of kings in random endings
BATCH = 50  # endings
HELD_OUT = 10  # every tenth game, and every tenth batch of endings, is kept for measuring
POINTS = 400 / math.log(10)  # for odds of e to one: 400 stand for odds of ten to one
RIDGE = 1.0  # samples' worth of belief that a weight is 0: keeps terms apart that occur together
ROUNDS = 50
CLOSE_ENOUGH = 1e-9
FILE = '''\
"""The heuristic `{name}` with weights found by `{command}`.

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


@dataclass(frozen=True)
class Sample:
    """How often each term occurs, for the mover less for the other side, and the result:
    1 if the mover wins, 0 if it loses, 0.5 for a draw."""

    counts: tuple[int, ...]
    result: float


@dataclass(frozen=True)
class TuneOptions:
    """Everything that the weights depend on."""

    heuristic: str = "tuned"
    seed: int = 1
    games: int = 1000
    endings: int = 5000
    nodes: int = 1000  # for each move of a game

    def command(self) -> str:
        """The command that finds the same weights."""
        words = ["grader tune"]
        for name, usual in vars(TuneOptions()).items():
            value = getattr(self, name)
            if value != usual:
                words.append(f"--{name} {value}")
        return " ".join(words)

    def tasks(self) -> list[Callable[[], list[Sample]]]:
        """The games, then the endings in batches; each depends on nothing but its arguments."""
        name, seed = self.heuristic, self.seed
        games = [
            partial(play_game, name, f"{seed}, game {at}", self.nodes) for at in range(self.games)
        ]
        endings = [
            partial(solve_endings, name, f"{seed}, endings {at}", min(BATCH, self.endings - at))
            for at in range(0, self.endings, BATCH)
        ]
        return [*games, *endings]


def play_game(heuristic: str, seed: str, nodes: int) -> list[Sample]:
    """Some of the quiet positions that are too large for the tables, with the result of the
    game, which ends as soon as the tables or the search know it."""
    chance = Random(seed)
    start: Position = rules.read(rules.start(), "the start", True).position
    for _ in range(chance.randint(FEWEST_RANDOM, MOST_RANDOM)):
        start = chance.choice(start.children())
    search = Search(game_named(rules.NAME).evaluator(PLAYER, start), Techniques(), rules.tables())
    limits = Limits(nodes=nodes)

    def choose(position: Position, leave_out: frozenset[int]) -> SearchResult:
        return search.run(position, limits, leave_out=leave_out)

    game = GameInProgress(game_named(rules.NAME), start, search.exact)
    kept: list[tuple[str, tuple[int, ...]]] = []
    while (ended := game.result) is None:
        position = game.position
        if position.status() == QUIET and chance.random() < KEPT:
            kept.append((position.mover(), count_terms(heuristic, position)))
        result = choose(position, frozenset())
        if result.decided:
            share = _share_of(result.score)
            break
        game.play(choose_move(game, result, choose))
    else:
        won = ended.winner == game.position.mover()
        share = 1.0 if won else 0.0 if ended.winner else 0.5
    last = game.position.mover()
    return [Sample(counts, share if mover == last else 1.0 - share) for mover, counts in kept]


def solve_endings(heuristic: str, seed: str, number: int) -> list[Sample]:
    """Random quiet positions of two to four pieces, with their results by the tables."""
    chance = Random(seed)
    exact = rules.tables()
    found: list[Sample] = []
    while len(found) < number:
        pieces = chance.randint(2, MOST_PIECES)
        own = chance.randint(1, pieces - 1)
        kings = chance.choice(KINGS)
        position = rules.random_position(chance.random, own, pieces - own, kings=kings)
        if chance.random() < 0.5:
            position = position.passed()
        if position.status() == QUIET:
            share = _share_of(exact.score(position))
            found.append(Sample(count_terms(heuristic, position), share))
    return found


def count_terms(heuristic: str, position: Position) -> tuple[int, ...]:
    """How often each term of the heuristic occurs, for the mover less for the other side."""
    sign = 1 if position.mover() == rules.SIDES[0] else -1
    terms = HEURISTICS[heuristic].terms(position)
    return tuple(sign * (term.first - term.second) for term in terms)


def _share_of(score: int) -> float:
    """A certain score as a result."""
    if not is_decisive(score):
        return 0.5
    return 1.0 if score > 0 else 0.0


@dataclass(frozen=True)
class HeldOut:
    """How well weights predict results that they were not fitted to, by their log-loss."""

    kind: str
    samples: int
    old: float
    new: float


@dataclass(frozen=True)
class Tuning:
    options: TuneOptions
    fitted_to: int
    old: dict[str, int]
    new: dict[str, int]
    held_out: list[HeldOut]

    def as_python(self) -> str:
        """A Python file with the heuristic and its new weights."""
        name = self.options.heuristic
        terms = HEURISTICS[name].TERMS
        lines = [f'    "{key}": {weight},  # {terms[key][0]}' for key, weight in self.new.items()]
        return FILE.format(name=name, command=self.options.command(), weights="\n".join(lines))


def tune(options: TuneOptions, batches: Iterable[list[Sample]]) -> Tuning:
    """The weights, from the samples of each task in order."""
    learned: list[Sample] = []
    held: dict[str, list[Sample]] = {"games": [], "endings": []}
    for at, samples in enumerate(batches):
        is_game = at < options.games
        number = at if is_game else at - options.games
        if number % HELD_OUT == HELD_OUT - 1:
            held["games" if is_game else "endings"].extend(samples)
        else:
            learned.extend(samples)
    old = weights_of(HEURISTICS[options.heuristic].TERMS)
    fitted = fit(learned)
    new = {word: round(POINTS * weight) for word, weight in zip(old, fitted, strict=True)}
    scaled = _at_best_scale(learned, list(old.values()))
    found = [weight / POINTS for weight in new.values()]
    held_out = [
        HeldOut(kind, len(samples), log_loss(samples, scaled), log_loss(samples, found))
        for kind, samples in held.items()
        if samples
    ]
    return Tuning(options, len(learned), old, new, held_out)


def _at_best_scale(samples: Sequence[Sample], weights: Sequence[int]) -> list[float]:
    """Weights in points of any size as logits, by the single factor that fits best."""
    values = [
        Sample((sum(w * n for w, n in zip(weights, each.counts, strict=True)),), each.result)
        for each in samples
    ]
    scale = fit(values)[0]
    return [scale * weight for weight in weights]


def expected(logit: float) -> float:
    """The result that these odds stand for."""
    if logit < 0:
        return 1.0 - 1.0 / (1.0 + math.exp(logit))
    return 1.0 / (1.0 + math.exp(-logit))


def fit(samples: Sequence[Sample]) -> list[float]:
    """The weights that make the results most likely, in logits, by Newton's method."""
    terms = range(len(samples[0].counts))
    spreads = [sum(each.counts[term] ** 2 for each in samples) / len(samples) for term in terms]
    held = [RIDGE * spread + 1e-6 for spread in spreads]
    weights = [0.0 for _ in terms]
    for _ in range(ROUNDS):
        step = _newton_step(samples, weights, held)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(abs(change) for change in step) < CLOSE_ENOUGH:
            break
    return weights


def _newton_step(samples: Sequence[Sample], weights: list[float], held: list[float]) -> list[float]:
    """The step to where the slope vanishes, if the curvature stays as it is here."""
    slope = [-hold * weight for hold, weight in zip(held, weights, strict=True)]
    curve = [[0.0] * term + [hold] for term, hold in enumerate(held)]  # its lower half
    for sample in samples:
        chance = expected(_logit(sample, weights))
        error, doubt = sample.result - chance, chance * (1.0 - chance)
        for term, count in enumerate(sample.counts):
            if count:
                slope[term] += error * count
                part = doubt * count
                line = curve[term]
                for other in range(term + 1):
                    line[other] += part * sample.counts[other]
    return _solve(curve, slope)


def _solve(curve: list[list[float]], slope: list[float]) -> list[float]:
    """The solution of curve x = slope, by Cholesky."""
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
    """The mean negative log-likelihood; 0.693 is knowing nothing."""
    total = 0.0
    for sample in samples:
        chance = expected(_logit(sample, weights))
        sure = min(max(chance, 1e-12), 1.0 - 1e-12)
        total -= sample.result * math.log(sure) + (1.0 - sample.result) * math.log(1.0 - sure)
    return total / len(samples)


def _logit(sample: Sample, weights: Sequence[float]) -> float:
    return sum(weight * count for weight, count in zip(weights, sample.counts, strict=True))
