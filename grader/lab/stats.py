"""Statistics of matches and comparisons, each with its 95 % interval.

Elo says how many points are won.  Normalized Elo divides the surplus of points by their spread: it
says how soon a match shows who is stronger, and hardly depends on how often openings are drawn.  A
score belongs to its interval if ours is within 1.96 standard errors of it, where the error is that
of the likeliest chances with *that* score: Wilson's interval for more than two results.  Normalized
Elo has the same ends, each divided by its own deviation, or the textbook's if those are further
out.

Ratios are paired by cases and averaged geometrically, because errors of logarithms are symmetric.
Their interval is Student's: a bootstrap's is too narrow for a handful of cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, inf, log, sqrt
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

PER_LOG_ODDS = 400.0 / log(10.0)  # Elo: 400 for odds of 10 to 1
PER_DEVIATION = 800.0 / log(10.0)  # normalized Elo; near equality like Elo where nothing is drawn
VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair: its points per game
UNSEEN = 1e-3  # a result that did not occur counts as this, since it is not impossible
ROUNDS = 100
CLOSE = 1e-10
EXACT = 1e-15
NORMAL = NormalDist()
ERRORS = NORMAL.inv_cdf(0.975)  # standard errors to each side of a 95 % interval
STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160),
    *(2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056),
    *(2.052, 2.048, 2.045, 2.042),
)  # the same for few cases: of Student's t distribution with 1, 2, ... degrees of freedom
MORE_GAMES = "; play more games"
STEPS = 32  # of halving: finer than anything shown
MOST_ELO = 1000.0  # of a bound of a test; beyond that chances are too close to 0 and 1


def _dot(one: Iterable[float], other: Iterable[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def elo_of_score(score: float) -> float:
    """Infinite where everything is won or lost."""
    if score <= 0.0:
        return -inf
    return inf if score >= 1.0 else PER_LOG_ODDS * log(score / (1.0 - score))


def nelo_of(score: float, deviation: float) -> float:
    """From points per game and the standard deviation of a pair; without deviation it is infinite,
    or 0 where everything is level."""
    surplus = score - 0.5
    if deviation == 0.0:
        return inf * surplus if surplus else 0.0
    return PER_DEVIATION * surplus / (deviation * sqrt(2.0))


@dataclass(frozen=True)
class Pentanomial:
    """How many pairs of games, from one opening with sides swapped, brought 0, 1/2, 1, 3/2 and 2
    points; there is at least one.  The two games of a pair are correlated; counting pairs keeps
    that out of the error."""

    counts: tuple[int, ...]

    @staticmethod
    def of_pairs(half_points: Iterable[int]) -> Pentanomial:
        """From the half points of each pair, 0 to 4."""
        scores = list(half_points)
        assert all(0 <= score < len(VALUES) for score in scores)
        return Pentanomial(tuple(scores.count(points) for points in range(len(VALUES))))

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def score(self) -> float:
        """Points per game, from 0 to 1."""
        # In whole numbers, so that a level match is level exactly.
        points = sum(half * count for half, count in enumerate(self.counts))
        return points / (self.pairs * (len(VALUES) - 1))

    @property
    def deviation(self) -> float:
        """The standard deviation of one pair."""
        around = [(value - self.score) ** 2 for value in VALUES]
        return sqrt(_dot(around, self.counts) / self.pairs)

    @property
    def shares(self) -> list[float]:
        """The share of each result, none of them 0."""
        counts = [count or UNSEEN for count in self.counts]
        return [count / sum(counts) for count in counts]


# The likeliest chances of results, given their shares, with a given mean or t-value.  With a
# Lagrange multiplier x they are shares / (1 + x * slope), with the slope of the constraint.


def chances_with_mean(shares: Sequence[float], mean: float) -> list[float]:
    """The mean lies between the first and the last value."""
    return _tilt(shares, [value - mean for value in VALUES])


def chances_with_t_value(shares: Sequence[float], t_value: float) -> list[float]:
    """With a mean that is `t_value` standard deviations above one half: not a linear constraint, so
    it is replaced by its tangent, again and again.  The start satisfies it; from there every
    tangent meets the simplex, because the constraint is convex."""
    surplus = t_value / sqrt(1.0 + t_value * t_value)
    chances = [(1.0 - surplus) / 2.0, 0.0, 0.0, 0.0, (1.0 + surplus) / 2.0]
    for _ in range(ROUNDS):
        before = chances
        chances = _tilt(shares, _tangent(chances, t_value))
        if max(abs(a - b) for a, b in zip(before, chances, strict=True)) < CLOSE:
            break
    return chances


def mean_and_variance(chances: Sequence[float]) -> tuple[float, float]:
    mean = _dot(chances, VALUES)
    return mean, _dot(chances, [(value - mean) ** 2 for value in VALUES])


def _tangent(chances: Sequence[float], t_value: float) -> list[float]:
    """The constraint mean - 1/2 - t * deviation = 0, linear around these chances."""
    mean, variance = mean_and_variance(chances)
    half = t_value * sqrt(variance) / 2.0
    return [value - 0.5 - half * (1.0 + (value - mean) ** 2 / variance) for value in VALUES]


def _tilt(shares: Sequence[float], slope: Sequence[float]) -> list[float]:
    """The likeliest chances for which `slope` has mean 0.

    The mean falls as the multiplier grows: Newton's steps, or halves where they lead outside or so
    close to an end, where the mean is infinite, that they would hardly lead away again.
    """
    low, high = -1.0 / max(slope), -1.0 / min(slope)
    at, most = 0.0, abs(_dot(shares, slope))
    for _ in range(ROUNDS):
        tilts = [each / (1.0 + at * each) for each in slope]
        mean = _dot(shares, tilts)
        low, high = (at, high) if mean > 0.0 else (low, at)
        after = at + mean / _dot(shares, [tilt**2 for tilt in tilts])
        if not low < after < high or abs(mean) > most:
            after = (low + high) / 2.0
        if not low < after < high or abs(after - at) <= EXACT * abs(at):
            break
        at = after
    return [share / (1.0 + at * each) for share, each in zip(shares, slope, strict=True)]


class Estimate(NamedTuple):
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """`+12.5 (-3.1 to +27.4)`."""
        return f"{signed(self.value)} ({interval(self.low, self.high)})"


class Strength(NamedTuple):
    """How much stronger than its opponent a player is, and how certain that is."""

    score: Estimate  # points per game, from 0 to 1
    elo: Estimate
    nelo: Estimate
    los: float  # likelihood of superiority, from 0 to 1


def strength_of(pairs: Pentanomial) -> Strength:
    score = pairs.score
    (low, nelo_low), (high, nelo_high) = _interval_end(pairs, 0.0), _interval_end(pairs, 1.0)
    nelo = nelo_of(score, pairs.deviation)
    reach = ERRORS * PER_DEVIATION / sqrt(2 * pairs.pairs)
    return Strength(
        Estimate(score, low, high),
        Estimate(*map(elo_of_score, (score, low, high))),
        Estimate(nelo, min(nelo_low, nelo - reach), max(nelo_high, nelo + reach)),
        los=NORMAL.cdf((score - 0.5) / _error(pairs, 0.5)),
    )


def _interval_end(pairs: Pentanomial, end: float) -> tuple[float, float]:
    """The last plausible score towards `end`, and its normalized Elo."""
    if pairs.score == end:
        return end, inf if end else -inf
    plausible, beyond = pairs.score, end
    for _ in range(STEPS):
        middle = (plausible + beyond) / 2.0
        if abs(pairs.score - middle) <= ERRORS * _error(pairs, middle):
            plausible = middle
        else:
            beyond = middle
    deviation = _error(pairs, plausible) * sqrt(pairs.pairs)
    return plausible, nelo_of(plausible, deviation)


def _error(pairs: Pentanomial, mean: float) -> float:
    """The standard error of the score, if `mean` were the true one; it is neither 0 nor 1."""
    chances = chances_with_mean(pairs.shares, mean)
    return sqrt(mean_and_variance(chances)[1] / pairs.pairs)


def signed(value: float) -> str:
    """`+12.3`, `-0.4`, `0.0`, `+inf`."""
    rounded = round(value, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


def percent(share: float) -> str:
    return f"{100.0 * share:.1f} %"


def interval(low: float, high: float) -> str:
    return f"{signed(low)} to {signed(high)}"


def meaning(strength: Strength) -> str:
    """One sentence on what a match has shown."""
    _, low, high = strength.elo
    if low > 0.0 or high < 0.0:
        least, most = sorted((abs(low), abs(high)))
        much = f"by {least:.1f} to {most:.1f}" if most < inf else f"by at least {least:.1f}"
        return f"{'Stronger' if low > 0.0 else 'Weaker'}, {much} Elo (95 % sure)."
    if (low, high) == (-inf, inf):
        return "Not clear yet who is stronger: too few games."
    return f"Not clear yet who is stronger: anything from {interval(low, high)} Elo is plausible."


class Decision(StrEnum):
    H1 = "H1 accepted"
    H0 = "H0 accepted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class SprtVerdict:
    decision: Decision
    llr: float
    words: str


@dataclass(frozen=True)
class Sprt:
    """The sequential probability ratio test: play until one of two strengths, H0 (`elo0`) and H1
    (`elo1`, both normalized), explains the games much better than the other.  If the true strength
    is H0 or less, a share of at most `alpha` ends with H1; if H1 or more, of `beta` with H0."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise ValueError(
                f"{self.elo0:g} must be less than {self.elo1:g}, and both between"
                f" {-MOST_ELO:g} and {MOST_ELO:g}"
            )

    @property
    def lower(self) -> float:
        """H0 is accepted here."""
        return log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted here."""
        return log((1.0 - self.beta) / self.alpha)

    def llr(self, pairs: Pentanomial) -> float:
        """The log-likelihood ratio of the likeliest chances with `elo1` to those with `elo0`."""
        shares = pairs.shares
        null, alternative = (
            chances_with_t_value(shares, elo / PER_DEVIATION * sqrt(2.0))
            for elo in (self.elo0, self.elo1)
        )
        chances = zip(shares, null, alternative, strict=True)
        return pairs.pairs * sum(share * log(h1 / h0) for share, h0, h1 in chances)

    def verdict(self, pairs: Pentanomial) -> SprtVerdict:
        llr, elo0, elo1 = self.llr(pairs), self.elo0, self.elo1
        decision, risk = Decision.UNDECIDED, 0.0
        words = f"undecided: the LLR of {llr:.2f} is between {self.lower:.2f} and {self.upper:.2f}"
        if llr >= self.upper:
            decision, risk = Decision.H1, self.alpha
            claim = f"stronger by more than {elo0:g} nElo"
            if elo0 < 0.0:
                claim = f"not weaker by {-elo0:g} nElo or more"
            words = f"accepted: {claim} (H1, {elo1:g} nElo, rather than H0, {elo0:g}"
        elif llr <= self.lower:
            decision, risk = Decision.H0, self.beta
            claim = f"weaker by more than {abs(elo1):g} nElo"
            if elo1 > 0.0:
                claim = f"not stronger by {elo1:g} nElo or more"
            words = f"rejected: {claim} (H0, {elo0:g} nElo, rather than H1, {elo1:g}"
        words += f"; wrong in at most about {100 * risk:g} % of such tests)" if risk else MORE_GAMES
        return SprtVerdict(decision, llr, words)


def student(freedom: int) -> float:
    """The 97.5 % quantile of t; beyond the table it is the normal one with two terms of Cornish
    and Fisher's correction."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    first, second = ERRORS**3 + ERRORS, 5 * ERRORS**5 + 16 * ERRORS**3 + 3 * ERRORS
    return ERRORS + first / (4 * freedom) + second / (96 * freedom**2)


def times(ratio: float | None) -> str:
    """In proportion to something else: `0.45 x`."""
    return "-" if ratio is None else f"{_digits(ratio)} x"


def _digits(ratio: float) -> str:
    if ratio >= 100:
        return f"{ratio:,.0f}"
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}" if ratio >= 0.01 else f"{ratio:.2g}"


def times_between(ratio: Estimate | None) -> str:
    """`0.42 x [0.33, 0.53]`."""
    if ratio is None:
        return "-"
    return f"{times(ratio.value)} [{_digits(ratio.low)}, {_digits(ratio.high)}]"


def paired_ratio(values: Sequence[float], reference: Sequence[float]) -> Estimate:
    """The geometric mean of the ratios to a reference, case by case, in the same order.  Of a
    single case the interval goes from 0 to infinity; where every case has the same ratio it has no
    width."""
    logs = [log(value / other) for value, other in zip(values, reference, strict=True)]
    mean = fmean(logs)
    if len(logs) < 2:
        return Estimate(exp(mean), 0.0, inf)
    reach = student(len(logs) - 1) * stdev(logs) / sqrt(len(logs))
    return Estimate(exp(mean), exp(mean - reach), exp(mean + reach))


@dataclass(frozen=True)
class Share:
    """`kept` of `of`, with Wilson's 95 % interval: never empty, never below 0 or above 1."""

    kept: int
    of: int

    def __str__(self) -> str:
        """`45 of 60 (63-84 %)`."""
        low, high = self.interval
        return self.count + (f" ({100 * low:.0f}-{100 * high:.0f} %)" if self.of else "")

    @property
    def count(self) -> str:
        return f"{self.kept} of {self.of}" if self.of else "-"

    @property
    def interval(self) -> tuple[float, float]:
        if not self.of:
            return 0.0, 1.0
        centre, width = self.kept + ERRORS**2 / 2.0, self.of + ERRORS**2
        spread = self.kept * (self.of - self.kept) / self.of + ERRORS**2 / 4.0
        reach = ERRORS * sqrt(spread)
        low = (centre - reach) / width if self.kept else 0.0
        return low, (centre + reach) / width if self.kept < self.of else 1.0


def paired_difference(values: Sequence[bool], reference: Sequence[bool]) -> Estimate:
    """Between two shares of the same cases, in percent.  Cases are pairs in which one side wins,
    or neither: the interval of their score is Tango's for two paired shares."""
    pairs = zip(values, reference, strict=True)
    found = strength_of(Pentanomial.of_pairs(2 * (1 + one - other) for one, other in pairs))
    return Estimate(*(100 * (2 * each - 1) for each in found.score))
