"""Strength in words, and numbers with their intervals as people read them."""

from __future__ import annotations

from math import inf

from grader.stats.elo import Strength


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
