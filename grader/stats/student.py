"""Student's t distribution, which the standard library leaves out."""

from __future__ import annotations

from functools import cache
from math import atan, cos, exp, lgamma, log, pi, sin, sqrt
from statistics import NormalDist

CLOSE = 1e-12


@cache
def t_quantile(chance: float, freedom: int) -> float:
    """The value below which t stays with that chance, one half or more.

    By Newton's method: above 0 the distribution is concave, so from the normal quantile, which is
    smaller, the steps never go too far.
    """
    if freedom < 1 or not 0.5 <= chance < 1.0:
        raise ValueError("t has one degree of freedom or more, and a chance from 0.5 to 1")
    value = NormalDist().inv_cdf(chance)
    while (step := (chance - t_below(value, freedom)) / _density(value, freedom)) > CLOSE * value:
        value += step
    return value


def t_below(value: float, freedom: int) -> float:
    """The chance that t is below a value; a finite sum, since the degrees of freedom are whole."""
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
