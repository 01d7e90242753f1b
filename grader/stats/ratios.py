"""Ratios of nodes or seconds: a variant against a reference over the same cases.

A ratio's logarithm is as often too high as too low, where the ratio itself leans to one side, so
ratios are averaged geometrically.  Paired by cases, the great differences between cases cancel.
The interval is Student's and not a bootstrap's, which is too narrow for a handful of cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, isfinite, log, sqrt
from statistics import fmean, stdev

from grader.stats.student import t_quantile


@dataclass(frozen=True)
class Ratio:
    """A geometric mean of ratios with its 95 % interval; 1 is as much as the reference."""

    ratio: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Whether it is certainly not 1."""
        return not self.low <= 1.0 <= self.high


def paired_ratio(values: Sequence[float], reference: Sequence[float]) -> Ratio:
    """Case by case, in the same order.

    The interval goes from 0 to infinity where fewer than two cases leave it open, and has no width
    where every case has the same ratio.  Two zeros are equal.  A zero beside something else was too
    small to measure, and counts as half of the smallest value there is.
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
        raise ValueError("what is compared is finite and not below 0")
    least = min((each for each in measured if each > 0.0), default=1.0) / 2.0
    pairs = zip(values, reference, strict=True)
    return [log(value or least) - log(other or least) for value, other in pairs]


def _exp(exponent: float) -> float:
    """Two very different cases can leave more open than a number can hold."""
    return exp(exponent) if exponent < 700.0 else inf
