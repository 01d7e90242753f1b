"""Ratings: one step a match."""

from __future__ import annotations

import pytest

from solver.twoflags.net.elo import change


@pytest.mark.parametrize(
    ("score", "games", "expected"),
    [(1, 1, 16.0), (0, 1, -16.0), (2, 4, 0.0), (3, 4, 8.0), (0, 0, 0.0)],
)
def test_the_step_depends_on_the_share_of_points(score: int, games: int, expected: float) -> None:
    assert change(score, games) == expected


def test_the_step_grows_with_k() -> None:
    assert change(3, 4, k=64) == 2 * change(3, 4, k=32)
