"""Ratings after a match: one step for all of its games together."""

from __future__ import annotations

K = 32
START = 1500.0


def change(score: float, games: int, k: float = K) -> float:
    """What a player wins, and the opponent loses, by a score in so many games."""
    return k * (score / games - 0.5) if games else 0.0
