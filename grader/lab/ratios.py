"""Ratios of nodes or seconds over the same cases, shares with intervals, and noise of timings.

Errors of a ratio's logarithm are symmetric, those of the ratio are not, so ratios are averaged
geometrically.  Paired by cases, the large differences between cases cancel.  The interval is
Student's and not a bootstrap's, which is too narrow for a handful of cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import atan, cos, exp, inf, isfinite, lgamma, log, pi, sin, sqrt
from statistics import NormalDist, fmean, stdev

CLOSE = 1e-12
ERRORS = NormalDist().inv_cdf(0.975)  # standard errors to each side of a 95 % interval


@cache
def t_quantile(chance: float, freedom: int) -> float:
    """The quantile of Student's t distribution for a chance of one half or more.

    By Newton's method: above 0 the distribution is concave, so from the normal quantile, which is
    smaller, the steps never overshoot.
    """
    if freedom < 1 or not 0.5 <= chance < 1.0:
        raise ValueError("t has one degree of freedom or more, and a chance from 0.5 to 1")
    value = NormalDist().inv_cdf(chance)
    while (step := (chance - t_below(value, freedom)) / _density(value, freedom)) > CLOSE * value:
        value += step
    return value


def t_below(value: float, freedom: int) -> float:
    """The distribution function of t; a finite sum, since the degrees of freedom are whole."""
    angle = atan(value / sqrt(freedom))
    square = cos(angle) ** 2
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for at in range(freedom // 2):
        total += term
        term *= square * (2 * at + 1 + odd) / (2 * at + 2 + odd)
    inner = sin(angle) * total
    return 0.5 + ((angle + inner) / pi if odd else inner / 2.0)


def _density(value: float, freedom: int) -> float:
    at_zero = lgamma((freedom + 1) / 2.0) - lgamma(freedom / 2.0) - log(freedom * pi) / 2.0
    return exp(at_zero - (freedom + 1) / 2.0 * log(1.0 + value * value / freedom))


@dataclass(frozen=True)
class Ratio:
    """A geometric mean of ratios with its 95 % interval; 1 is equal to the reference."""

    ratio: float
    low: float
    high: float


def paired_ratio(values: Sequence[float], reference: Sequence[float]) -> Ratio:
    """Case by case, in the same order.

    With fewer than two cases the interval goes from 0 to infinity; where every case has the same
    ratio it has no width.  Two zeros are equal.  A zero against something else was too small to
    measure, and counts as half of the smallest value of all.
    """
    if len(values) != len(reference):
        raise ValueError(f"{len(values)} values against {len(reference)}")
    logs = _log_ratios(values, reference)
    if not logs:
        return Ratio(1.0, 0.0, inf)
    mean = fmean(logs)
    if len(logs) == 1:
        return Ratio(exp(mean), 0.0, inf)
    reach = t_quantile(0.975, len(logs) - 1) * stdev(logs) / sqrt(len(logs))
    return Ratio(exp(mean), _exp(mean - reach), _exp(mean + reach))


def _log_ratios(values: Sequence[float], reference: Sequence[float]) -> list[float]:
    measured = [*values, *reference]
    if not all(isfinite(each) and each >= 0.0 for each in measured):
        raise ValueError("values must be finite and not below 0")
    least = min((each for each in measured if each > 0.0), default=1.0) / 2.0
    pairs = zip(values, reference, strict=True)
    return [log(value or least) - log(other or least) for value, other in pairs]


def _exp(exponent: float) -> float:
    """Infinite where a float would overflow: two very different cases have a huge interval."""
    return exp(exponent) if exponent < 700.0 else inf


@dataclass(frozen=True)
class Share:
    """`kept` of `of`, with Wilson's 95 % interval: never empty, never below 0 or above 1."""

    kept: int
    of: int

    def __post_init__(self) -> None:
        if not 0 <= self.kept <= self.of:
            raise ValueError(f"{self.kept} of {self.of} is not a share")

    def as_dict(self) -> dict[str, float]:
        return {"kept": self.kept, "of": self.of, "low": self.low, "high": self.high}

    @property
    def share(self) -> float:
        return self.kept / self.of if self.of else 0.0

    @property
    def low(self) -> float:
        return max(0.0, self._centre - self._reach) if self.kept else 0.0

    @property
    def high(self) -> float:
        return min(1.0, self._centre + self._reach) if self.kept < self.of else 1.0

    @property
    def _centre(self) -> float:
        return (self.kept + ERRORS**2 / 2.0) / (self.of + ERRORS**2)

    @property
    def _reach(self) -> float:
        spread = self.kept * (self.of - self.kept) / self.of + ERRORS**2 / 4.0
        return ERRORS * sqrt(spread) / (self.of + ERRORS**2)


def noise_of(cases: Iterable[Sequence[float]]) -> float:
    """How much the time of the same work varies: the coefficient of variation between the repeats
    of a case, all cases with the same weight; 0 without repeats.  Not the median deviation, which
    a single bad repeat of three would not move."""
    timings = list(cases)
    if min((len(times) for times in timings), default=0) < 2:
        return 0.0
    return sqrt(fmean((stdev(times) / (fmean(times) or 1.0)) ** 2 for times in timings))
