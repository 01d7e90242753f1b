"""Endgame tables, built by retrograde analysis."""

from __future__ import annotations

MOST_PIECES = 5  # six would be more than two billion positions
