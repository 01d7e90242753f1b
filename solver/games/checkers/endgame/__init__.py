"""Endgames solved to the last position, by working backwards from where the game is over."""

from __future__ import annotations

MOST_PIECES = 5  # six would be more than two thousand million positions
