"""Strength from the results of a match: score, Elo and normalized Elo with 95 % intervals, LOS.

A score belongs to its interval if ours is within 1.96 standard errors of it, where the error is
that of the likeliest chances with *that* score and not that of the results seen.  This is Wilson's
interval, carried over to more than two results.  Three drawn pairs therefore do not prove
equality, and ten wins do not prove infinite strength; where there are many games it is the
textbook's normal interval.  LOS is above 97.5 % just where this interval lies above one half.
Normalized Elo has the same ends, each divided by the deviation that belongs to it, or the
textbook's where those lie further out, as they can where all pairs are lost and hardly differ.

Where all is won, Elo and the upper end are infinite, and so is normalized Elo where every pair ends
alike and not level; where nothing is played, Elo is 0 and the interval is everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from statistics import NormalDist
from typing import ClassVar

# Scales of strength: points per game, Elo, normalized Elo.
#
# Elo says how many points are won.  Normalized Elo divides the surplus of points by their spread:
# it says how soon a match shows who is stronger, and hardly depends on how often openings are
# drawn.

PER_LOG_ODDS = 400.0 / log(10.0)  # Elo: 400 for odds of 10 to 1
PER_DEVIATION = 800.0 / log(10.0)  # normalized Elo; near equality like Elo where nothing is drawn


def score_of_elo(elo: float) -> float:
    return 1.0 / (1.0 + exp(-elo / PER_LOG_ODDS))


def elo_of_score(score: float) -> float:
    """Infinite where everything is won or lost."""
    if score <= 0.0:
        return -inf
    return inf if score >= 1.0 else PER_LOG_ODDS * log(score / (1.0 - score))


def t_value_of_nelo(nelo: float, games: int) -> float:
    """Surplus by standard deviation of one result, which is the mean of so many games."""
    return nelo / PER_DEVIATION * sqrt(games)


def nelo_of(score: float, deviation: float, games: int) -> float:
    """From points per game and the deviation of a result of so many games.

    Without deviation it is infinite, or 0 where everything is level.
    """
    surplus = score - 0.5
    if deviation == 0.0:
        return inf * surplus if surplus else 0.0
    return PER_DEVIATION * surplus / (deviation * sqrt(games))


# How often a match came out in each way: by pairs of games, or by single games.


@dataclass(frozen=True)
class Tally:
    """How often each result came out, from the worst to the best.

    What is worst counts 0, what is best 1, and the steps between are equal; so the mean of a tally
    is the score per game.
    """

    counts: tuple[int, ...]

    KINDS: ClassVar[int]
    GAMES: ClassVar[int]  # in one result

    def __post_init__(self) -> None:
        if len(self.counts) != self.KINDS:
            raise ValueError(f"{len(self.counts)} counts where {self.KINDS} are needed")
        if min(self.counts) < 0:
            raise ValueError("a count is below 0")

    @property
    def number(self) -> int:
        """Of results."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        return self.GAMES * self.number

    @property
    def values(self) -> tuple[float, ...]:
        return tuple(at / (self.KINDS - 1) for at in range(self.KINDS))

    @property
    def score(self) -> float:
        """Points per game, from 0 to 1; one half where nothing was played."""
        # In whole numbers, so that a level match is level exactly.
        points = sum(at * count for at, count in enumerate(self.counts))
        return points / (self.number * (self.KINDS - 1)) if self.number else 0.5

    @property
    def deviation(self) -> float:
        """The standard deviation of one result."""
        if not self.number:
            return 0.0
        around = [(value - self.score) ** 2 for value in self.values]
        squares = sum(each * count for each, count in zip(around, self.counts, strict=True))
        return sqrt(squares / self.number)


@dataclass(frozen=True)
class Pentanomial(Tally):
    """Pairs of games from one opening with sides swapped, by their points: 0, 1/2, 1, 3/2, 2.

    The two games of a pair lean the same way; counting them together keeps that out of the error.
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    KINDS = 5
    GAMES = 2

    @classmethod
    def of_pairs(cls, half_points: Iterable[int]) -> Pentanomial:
        """From the half points of each pair, 0 to 4."""
        scores = list(half_points)
        if wrong := [score for score in scores if score not in range(cls.KINDS)]:
            raise ValueError(f"a pair of {wrong[0]} half points: from 0 to 4")
        zero, one, two, three, four = (scores.count(points) for points in range(cls.KINDS))
        return cls((zero, one, two, three, four))

    @property
    def pairs(self) -> int:
        return self.number

    def reversed(self) -> Pentanomial:
        """The same pairs as the opponent sees them."""
        zero, one, two, three, four = self.counts
        return Pentanomial((four, three, two, one, zero))


@dataclass(frozen=True)
class Trinomial(Tally):
    """Single games: lost, drawn, won."""

    counts: tuple[int, int, int] = (0, 0, 0)

    KINDS = 3
    GAMES = 1

    @classmethod
    def of_games(cls, wins: int, draws: int, losses: int) -> Trinomial:
        return cls((losses, draws, wins))

    def reversed(self) -> Trinomial:
        """The same games as the opponent sees them."""
        losses, draws, wins = self.counts
        return Trinomial((wins, draws, losses))


# The chances of results that explain a tally best, among those with a given mean or t-value.
#
# With a Lagrange multiplier x, the best chances are shares / (1 + x * slope), where the slope is
# that of the constraint.


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


__all__ = ["Pentanomial", "Strength", "Trinomial", "strength_of", "strength_of_games"]

NORMAL = NormalDist()
ERRORS = NORMAL.inv_cdf(0.975)  # standard errors to each side of a 95 % interval
STEPS = 32  # of halving: finer than anything shown


@dataclass(frozen=True)
class Strength:
    """How much stronger than its opponent a player is, and how sure that is."""

    games: int
    score: float  # points per game, from 0 to 1
    score_low: float
    score_high: float
    elo: float
    elo_low: float
    elo_high: float
    nelo: float
    nelo_low: float
    nelo_high: float
    los: float  # likelihood of superiority, from 0 to 1
    draw_ratio: float  # of games that were drawn, or of pairs that ended level
    pairs_ratio: float | None  # pairs won by pairs lost; none for single games, or without either


def strength_of(counts: Pentanomial) -> Strength:
    """From pairs of games."""
    worst, bad, _, good, best = counts.counts
    return _strength(counts, _ratio(good + best, worst + bad))


def strength_of_games(wins: int, draws: int, losses: int) -> Strength:
    """From single games, as if they had nothing to do with each other."""
    return _strength(Trinomial.of_games(wins, draws, losses), None)


def _strength(tally: Tally, pairs_ratio: float | None) -> Strength:
    score = tally.score
    (low, nelo_low), (high, nelo_high) = _end(tally, 0.0), _end(tally, 1.0)
    nelo = nelo_of(score, tally.deviation, tally.GAMES)
    reach = ERRORS * PER_DEVIATION / sqrt(tally.games) if tally.games else inf
    return Strength(
        games=tally.games,
        score=score,
        score_low=low,
        score_high=high,
        elo=elo_of_score(score),
        elo_low=elo_of_score(low),
        elo_high=elo_of_score(high),
        nelo=nelo,
        nelo_low=min(nelo_low, nelo - reach),
        nelo_high=max(nelo_high, nelo + reach),
        los=_los(tally),
        draw_ratio=tally.counts[tally.KINDS // 2] / tally.number if tally.number else 0.0,
        pairs_ratio=pairs_ratio,
    )


def _ratio(won: int, lost: int) -> float | None:
    if lost:
        return won / lost
    return inf if won else None


def _end(tally: Tally, end: float) -> tuple[float, float]:
    """The last plausible score towards `end`, and its normalized Elo."""
    if not tally.number or tally.score == end:
        return end, inf if end else -inf
    plausible, beyond = tally.score, end
    for _ in range(STEPS):
        middle = (plausible + beyond) / 2.0
        if abs(tally.score - middle) <= ERRORS * _error(tally, middle):
            plausible = middle
        else:
            beyond = middle
    deviation = _error(tally, plausible) * sqrt(tally.number)
    return plausible, nelo_of(plausible, deviation, tally.GAMES)


def _error(tally: Tally, mean: float) -> float:
    """The standard error of the score, if `mean` were the true one; it is neither 0 nor 1."""
    chances = with_mean(shares_of(tally), tally.values, mean)
    return sqrt(moments_of(chances, tally.values)[1] / tally.number)


def _los(tally: Tally) -> float:
    """How sure it is that the true score is above one half."""
    return NORMAL.cdf((tally.score - 0.5) / _error(tally, 0.5)) if tally.number else 0.5


# Strength in words, and numbers with their intervals as people read them.


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
    if not strength.games:
        return "Nothing was played."
    low, high = strength.elo_low, strength.elo_high
    if low > 0.0:
        return f"Stronger, {_by(low, high)}."
    if high < 0.0:
        return f"Weaker, {_by(-high, -low)}."
    if (low, high) == (-inf, inf):
        return "Not clear yet who is stronger: these games fit anything."
    return (
        f"Not clear yet who is stronger: these games fit anything from {interval(low, high)} Elo."
    )


def _by(least: float, most: float) -> str:
    """How much, both numbers above 0."""
    if most == inf:
        return f"by at least {least:.1f} Elo (95 % sure)"
    return f"by {least:.1f} to {most:.1f} Elo (95 % sure)"
