"""How often to repeat what is repeated: CI runs the tests of the solver in both builds, which
behave alike, so that the slow one may take a part of what the fast one takes in full."""

from __future__ import annotations

from solver.search import alphabeta as search

INTERPRETED = str(search.__file__).endswith(".py")


def times(compiled: int, interpreted: int) -> int:
    return interpreted if INTERPRETED else compiled
