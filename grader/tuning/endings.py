"""Random endings and their exact results, from the endgame tables."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from grader.tuning.games import result_of
from grader.tuning.regression import Sample
from grader.tuning.terms import counts
from solver.games.checkers import game
from solver.search.position import QUIET

MOST_PIECES = 4  # as many as the tables have that come with the package
STYLES = ("any", "kings")


@dataclass(frozen=True)
class EndingsOrder:
    """So many endings, and the heuristic whose terms are counted in them."""

    heuristic: str
    seed: str
    number: int


def solve(order: EndingsOrder) -> list[Sample]:
    """Quiet positions of two to four pieces, with what the mover can get."""
    chance = Random(order.seed)
    exact = game.tables()
    found: list[Sample] = []
    while len(found) < order.number:
        pieces = chance.randint(2, MOST_PIECES)
        own = chance.randint(1, pieces - 1)
        style = chance.choice(STYLES)
        position = game.random_position(chance.random, own, pieces - own, style)
        if chance.random() < 0.5:
            position = position.passed()
        if position.status() == QUIET:
            result = result_of(exact.score(position))
            found.append(Sample(counts(order.heuristic, position), result))
    return found
