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

from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist

from grader.stats.likelihood import moments_of, shares_of, with_mean
from grader.stats.scales import PER_DEVIATION, elo_of_score, nelo_of
from grader.stats.tally import Pentanomial, Tally, Trinomial

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
