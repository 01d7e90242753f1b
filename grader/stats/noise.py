"""How much the same work differs in time from one repeat to the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from statistics import fmean, stdev

from grader.stats.student import t_quantile

MUCH = 0.05


@dataclass(frozen=True)
class Noise:
    """The coefficient of variation between repeats; 0.02 is two percent.

    Not the median deviation, which a single bad repeat of three would not move.
    """

    spread: float
    repeats: int  # the fewest that any case had
    cases: int = 1

    @property
    def is_known(self) -> bool:
        return self.repeats > 1

    @property
    def is_much(self) -> bool:
        """Worth a warning."""
        return self.is_known and self.spread > MUCH

    def hides(self, ratio: float) -> bool:
        """Whether noise alone could make equal times differ by this mean ratio over the cases."""
        if not self.is_known or ratio <= 0.0:
            return not self.is_known
        error = self.spread * sqrt(2.0 / (self.repeats * self.cases))
        freedom = 2 * (self.repeats - 1) * self.cases
        return abs(log(ratio)) <= t_quantile(0.975, freedom) * error


def noise_of(cases: Iterable[Sequence[float]]) -> Noise:
    """From the times of each case, repeat by repeat; cases count alike, whatever their length."""
    timings = list(cases)
    repeats = min((len(times) for times in timings), default=0)
    if repeats < 2:
        return Noise(inf, repeats)
    spread = sqrt(fmean(_variation(times) ** 2 for times in timings))
    return Noise(spread, repeats, len(timings))


def _variation(times: Sequence[float]) -> float:
    mean = fmean(times)
    return stdev(times) / mean if mean > 0.0 else 0.0
