"""A share of things counted, with Wilson's 95 % interval: never empty, never below 0 or above 1."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

ERRORS = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Share:
    """`kept` of `of`.  Of nothing, the share is 0 and the interval from 0 to 1."""

    kept: int
    of: int

    def __post_init__(self) -> None:
        if not 0 <= self.kept <= self.of:
            raise ValueError(f"{self.kept} of {self.of} is no share")

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
