"""Games of `material` against itself: the quiet positions of each, and how it ended.

The players never know what is being fitted, so that the same games come out whatever the weights
were before.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from grader.tuning.regression import Sample
from grader.tuning.terms import counts
from solver.checkers import game
from solver.limits import Limits
from solver.line import draw_by, next_step
from solver.score import UNKNOWN, is_decisive
from solver.search import Search
from solver.standing import LOST, QUIET
from solver.switches import Switches

if TYPE_CHECKING:
    from solver.finding import Finding

PLAYER = "material"
# Random moves to begin with: few for what occurs in good games, many for all the rest.
FEWEST_RANDOM, MOST_RANDOM = 3, 12
KEPT = 0.2  # of the positions: neighbours in a game are much alike and share its result


@dataclass(frozen=True)
class GameOrder:
    """A game to be played, and the heuristic whose terms are counted in it."""

    heuristic: str
    seed: str
    depth: int | None
    nodes: int | None


class _Game:
    """A game as it is played."""

    def __init__(self, order: GameOrder) -> None:
        self.chance = Random(order.seed)
        self.position: Any = _opening(self.chance)
        self.limits = Limits(depth=order.depth, nodes=order.nodes)
        self.exact = game.tables()
        self.search = Search(game.evaluator(PLAYER, self.position), Switches(), self.exact)
        self.times: dict[Any, int] = {}
        self.quiet = 0

    def result(self) -> float | None:
        """What the mover gets, if the game is over or the tables know how it ends."""
        if self.position.standing() == LOST:
            return 0.0
        known = self.exact.score(self.position)
        if known != UNKNOWN:
            return result_of(known)
        self.times[self.position] = self.times.get(self.position, 0) + 1
        return 0.5 if draw_by(self.times[self.position], self.quiet) else None

    def move(self) -> float | None:
        """Make the best move, unless the search knows what the mover gets at the end."""
        finding = self._choose(self.position, frozenset())
        if finding.decided:
            return result_of(finding.score)
        child: Any = next_step(self.position, finding, self._choose, self.times)
        self.quiet = 0 if game.is_progress(self.position, child) else self.quiet + 1
        self.position = child
        return None

    def _choose(self, position: Any, leave_out: frozenset[int]) -> Finding:
        return self.search.run(position, self.limits, leave_out=leave_out)


def play(order: GameOrder) -> list[Sample]:
    """Some of the quiet positions that are too large for the tables, with the result of the
    game."""
    played = _Game(order)
    kept: list[tuple[str, tuple[int, ...]]] = []
    while (result := played.result()) is None:
        position = played.position
        if position.standing() == QUIET and played.chance.random() < KEPT:
            kept.append((position.mover(), counts(order.heuristic, position)))
        if (result := played.move()) is not None:
            break
    last = played.position.mover()
    return [Sample(found, result if mover == last else 1.0 - result) for mover, found in kept]


def result_of(score: int) -> float:
    """A certain score as a result."""
    if not is_decisive(score):
        return 0.5
    return 1.0 if score > 0 else 0.0


def _opening(chance: Random) -> Any:
    position: Any = game.read(game.start(), "the start", True).position
    for _ in range(chance.randint(FEWEST_RANDOM, MOST_RANDOM)):
        position = chance.choice(position.children())
    return position
