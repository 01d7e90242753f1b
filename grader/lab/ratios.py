"""Ratios of nodes or seconds over the same cases, shares with intervals, and noise of timings.

Errors of a ratio's logarithm are symmetric, those of the ratio are not, so ratios are averaged
geometrically.  Paired by cases, the large differences between cases cancel.  The interval is
Student's and not a bootstrap's, which is too narrow for a handful of cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, inf, isfinite, log, sqrt
from statistics import NormalDist, fmean, stdev

ERRORS = NormalDist().inv_cdf(0.975)  # standard errors to each side of a 95 % interval
STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160),
    *(2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056),
    *(2.052, 2.048, 2.045, 2.042),
)  # the same for few cases: of Student's t distribution with 1, 2, ... degrees of freedom


def student(freedom: int) -> float:
    """The 97.5 % quantile of t; beyond the table it is the normal one with two terms of Cornish
    and Fisher's correction."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    first, second = ERRORS**3 + ERRORS, 5 * ERRORS**5 + 16 * ERRORS**3 + 3 * ERRORS
    return ERRORS + first / (4 * freedom) + second / (96 * freedom**2)


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
    measured = [*values, *reference]
    if not all(isfinite(each) and each >= 0.0 for each in measured):
        raise ValueError("values must be finite and not below 0")
    least = min((each for each in measured if each > 0.0), default=1.0) / 2.0
    pairs = zip(values, reference, strict=True)
    logs = [log(value or least) - log(other or least) for value, other in pairs]
    mean = fmean(logs or [0.0])
    if len(logs) < 2:
        return Ratio(exp(mean), 0.0, inf)
    reach = student(len(logs) - 1) * stdev(logs) / sqrt(len(logs))
    return Ratio(exp(mean), _exp(mean - reach), _exp(mean + reach))


def _exp(exponent: float) -> float:
    """Infinite where a float would overflow: two very different cases have a huge interval."""
    return exp(exponent) if exponent < 700.0 else inf


@dataclass(frozen=True)
class Share:
    """`kept` of `of`, with Wilson's 95 % interval: never empty, never below 0 or above 1."""

    kept: int
    of: int

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
