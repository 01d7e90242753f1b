"""The chances of results that explain a tally best, among those with a given mean or t-value.

With a Lagrange multiplier x, the best chances are shares / (1 + x * slope), where the slope is that
of the constraint.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from grader.stats.tally import Tally

UNSEEN = 1e-3  # a result that did not come up counts as this, since it is not impossible
ROUNDS = 100
CLOSE = 1e-10
EXACT = 1e-15


def shares_of(tally: Tally) -> list[float]:
    """The share of each result, none of them 0."""
    counts = [count or UNSEEN for count in tally.counts]
    return [count / sum(counts) for count in counts]


def with_mean(shares: Sequence[float], values: Sequence[float], mean: float) -> list[float]:
    """The likeliest chances with that mean, which lies between the outermost values."""
    return _tilted(shares, [value - mean for value in values])


def with_t_value(shares: Sequence[float], values: Sequence[float], t_value: float) -> list[float]:
    """The likeliest chances whose mean is `t_value` standard deviations above one half.

    This constraint is not linear: it is replaced by its tangent, again and again.  The start
    fulfils it, with wins and losses only; from there every tangent meets the simplex, because the
    constraint is convex.
    """
    surplus = t_value / sqrt(1.0 + t_value * t_value)
    between = [0.0] * (len(values) - 2)
    chances = [(1.0 - surplus) / 2.0, *between, (1.0 + surplus) / 2.0]
    for _ in range(ROUNDS):
        before = chances
        chances = _tilted(shares, _tangent(chances, values, t_value))
        if max(abs(a - b) for a, b in zip(before, chances, strict=True)) < CLOSE:
            break
    return chances


def moments_of(chances: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Mean and variance."""
    mean = sum(chance * value for chance, value in zip(chances, values, strict=True))
    pairs = zip(chances, values, strict=True)
    return mean, sum(chance * (value - mean) ** 2 for chance, value in pairs)


def _tangent(chances: Sequence[float], values: Sequence[float], t_value: float) -> list[float]:
    """The constraint mean - 1/2 - t * deviation = 0, linear around these chances."""
    mean, variance = moments_of(chances, values)
    half = t_value * sqrt(variance) / 2.0
    return [value - 0.5 - half * (1.0 + (value - mean) ** 2 / variance) for value in values]


def _tilted(shares: Sequence[float], slope: Sequence[float]) -> list[float]:
    """The likeliest chances over which `slope` has mean 0.

    The mean falls as the multiplier grows: Newton's steps, or halves where they lead outside.
    """
    low, high = -1.0 / max(slope), -1.0 / min(slope)
    at = 0.0
    for _ in range(ROUNDS):
        tilts = [each / (1.0 + at * each) for each in slope]
        mean = sum(share * tilt for share, tilt in zip(shares, tilts, strict=True))
        low, high = (at, high) if mean > 0.0 else (low, at)
        after = at + mean / sum(share * tilt**2 for share, tilt in zip(shares, tilts, strict=True))
        if not low < after < high:
            after = (low + high) / 2.0
        if not low < after < high or abs(after - at) <= EXACT * abs(at):
            break
        at = after
    return [share / (1.0 + at * each) for share, each in zip(shares, slope, strict=True)]
