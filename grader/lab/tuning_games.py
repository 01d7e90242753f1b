"""Games of `material` against itself: the quiet positions of each, and how it ended.

The players never know what is being fitted, so that the same games come out whatever the weights
were before.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from grader.lab.regression import Sample
from solver.games.checkers import game
from solver.games.checkers import game as rules
from solver.games.checkers.heuristics import HEURISTICS
from solver.play.game import GameInProgress, choose_move
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.position import QUIET
from solver.search.score import is_decisive
from solver.search.techniques import Techniques

if TYPE_CHECKING:
    from solver.search.position import Position
    from solver.search.result import SearchResult


# How often each term of a heuristic of checkers occurs in a position.


def counts(heuristic: str, position: Any) -> tuple[int, ...]:
    """For the mover, less for the other side."""
    named = HEURISTICS[heuristic]
    black = int(position.mover() == "black")
    return tuple(
        named.occurs(position, key, black) - named.occurs(position, key, 1 - black)
        for key in named.TERMS
    )


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


def play(order: GameOrder) -> list[Sample]:
    """Some of the quiet positions that are too large for the tables, with the result of the
    game, which ends as soon as the tables or the search know it."""
    chance = Random(order.seed)
    start = _opening(chance)
    search = Search(rules.evaluator(PLAYER, start), Techniques(), rules.tables())
    limits = Limits(depth=order.depth, nodes=order.nodes)

    def choose(position: Position, leave_out: frozenset[int]) -> SearchResult:
        return search.run(position, limits, leave_out=leave_out)

    game = GameInProgress(rules, start, search.exact)
    kept: list[tuple[str, tuple[int, ...]]] = []
    while (result := game.result) is None:
        position = game.position
        if position.status() == QUIET and chance.random() < KEPT:
            kept.append((position.mover(), counts(order.heuristic, position)))
        search_result = choose(position, frozenset())
        if search_result.decided:
            share = result_of(search_result.score)
            break
        game.play(choose_move(game, search_result, choose))
    else:
        won = result.winner == game.position.mover()
        share = 1.0 if won else 0.0 if result.winner else 0.5
    last = game.position.mover()
    return [Sample(found, share if mover == last else 1.0 - share) for mover, found in kept]


def result_of(score: int) -> float:
    """A certain score as a result."""
    if not is_decisive(score):
        return 0.5
    return 1.0 if score > 0 else 0.0


def _opening(chance: Random) -> Any:
    position: Any = rules.read(rules.start(), "the start", True).position
    for _ in range(chance.randint(FEWEST_RANDOM, MOST_RANDOM)):
        position = chance.choice(position.children())
    return position


# Random endings and their exact results, from the endgame tables.


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
