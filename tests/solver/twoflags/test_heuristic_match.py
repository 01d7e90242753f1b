"""The heuristics against each other: the same nodes, the same openings, both colours."""

from __future__ import annotations

import random
from typing import Any

from solver.games import game_named
from solver.limits import Limits
from solver.search import Search
from solver.techniques import Techniques

game = game_named("twoflags")


def openings(count: int, seed: int) -> list[Any]:
    """Positions after two to six random plies."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        position, _, _ = game.read(game.start(), "start", True)
        for _ in range(rng.choice((2, 3, 4, 5, 6))):
            position = rng.choice(position.children())
        found.append(position)
    return found


def winner(position: Any, white: str, black: str, nodes: int) -> str:
    """Who wins when each side thinks with its own heuristic."""
    minds = {
        side: Search(game.evaluator(name, position), Techniques())
        for side, name in (("white", white), ("black", black))
    }
    while position.children():
        position = minds[position.mover()].run(position, Limits(nodes=nodes)).best
    return white if position.mover() == "black" else black


def test_race_beats_two_flags() -> None:
    """A small sample of a match that it wins three times out of four."""
    winners = [
        winner(opening, *names, nodes=250)
        for opening in openings(20, seed=3)
        for names in (("race", "two-flags"), ("two-flags", "race"))
    ]
    assert winners.count("race") >= 26
