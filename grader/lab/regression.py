"""Logistic regression: the weights that make results most likely, by Newton's method.

Sums run in the order of the samples and use nothing but the four operations, `exp` and `log`, so
that the same samples give the same weights.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
