"""Scales of strength: points per game, Elo, normalized Elo.

Elo says how many points are won.  Normalized Elo divides the surplus of points by their spread: it
says how soon a match shows who is stronger, and hardly depends on how often openings are drawn.
"""

from __future__ import annotations

from math import exp, inf, log, sqrt

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
