"""What the next best move loses, and where: by results and by material, never by guessing."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from solver.proof.prover import Prover
from solver.search.limits import Limits
from solver.search.position import LOST
from solver.search.score import UNKNOWN, distance

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.explain.story import Trade, Way
    from solver.search.heuristic import Evaluate, Exact
    from solver.search.position import Position
    from solver.search.result import SearchResult


# What a finding promises: a fact about the game, or an opinion.


class Result(Enum):
    """For the mover of the root."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    OPEN = "open"  # nothing but an opinion


def result_of(result: SearchResult) -> Result:
    if not result.is_fact:
        return Result.OPEN
    if result.score == 0:
        return Result.DRAW
    return Result.WIN if result.score > 0 else Result.LOSS


def plies_to_end(result: SearchResult) -> int | None:
    """How long a win or loss takes, at the most; None if that is not known."""
    return distance(result.score) if result.decided else None


def is_as_good(one: SearchResult, two: SearchResult) -> bool:
    """Whether two moves are known to be worth the same: both for certain, or both as far as a
    search of the same depth sees."""
    if one.score != two.score:
        return False
    if one.is_fact or two.is_fact:
        return one.proven and two.proven
    return one.depth == two.depth


EARLY = 8  # plies


class Turn(NamedTuple):
    """The ply from which on a way stands differently, and what was won and lost by then."""

    ply: int
    trade: Trade


class Difference(NamedTuple):
    """From the best way to another one.

    `plies` is how much longer the win takes or how much sooner the loss comes, where both are
    exact.  `falls` is where the other way falls behind what the best one keeps, `gains` where
    the best one wins what the other does not; neither is there if no piece makes the difference,
    or if both win.
    """

    before: Result
    after: Result
    plies: int | None
    points: int | None  # between two opinions of the same depth
    falls: Turn | None
    gains: Turn | None


def difference(best: Way, other: Way) -> Difference:
    before, after = result_of(best.result), result_of(other.result)
    return Difference(
        before,
        after,
        _plies_between(best, other) if before == after else None,
        _points_between(best, other) if before == after == Result.OPEN else None,
        None if after is Result.WIN else _falls(best, other),
        None if after is Result.WIN else _gains(best, other),
    )


def _plies_between(best: Way, other: Way) -> int | None:
    one, two = plies_to_end(best.result), plies_to_end(other.result)
    exact = best.result.proven and other.result.proven
    return abs(one - two) if exact and one is not None and two is not None else None


def _points_between(best: Way, other: Way) -> int | None:
    if best.result.depth != other.result.depth:
        return None
    return best.result.score - other.result.score


def _falls(best: Way, other: Way) -> Turn | None:
    """Where the other way loses more than the best one does in the end."""
    ply = other.ledger.stays_below(min(best.ledger.ahead[-1], 0))
    return _turn(other, ply)


def _gains(best: Way, other: Way) -> Turn | None:
    """Where the best way has won more than the other one ever has, within its length."""
    ply = best.ledger.stays_above(max(other.ledger.ahead))
    return _turn(best, ply) if ply <= other.plies else None


def _turn(way: Way, ply: int) -> Turn | None:
    """At the end of the exchange that it is part of.

    What happens late in a game that is told to its end, or ends it, is no reason but a
    consequence.
    """
    if not ply:
        return None
    ply = next((last for first, last in way.ledger.exchanges() if first <= ply <= last), ply)
    if way.last.status() == LOST and (ply > EARLY or ply == way.plies):
        return None
    return Turn(ply, way.ledger.trade(1, ply))


# The other moves: which are as good as the best one, and which is the best of the rest.


if TYPE_CHECKING:
    Ask = Callable[[frozenset[int]], SearchResult]

# To ask about every move costs a multiple of the proof that was about one.
TIMES_THE_PROOF = 8
LEAST_NODES = 2_000
# The share of the nodes for a look at the other moves: after a fact, any depth will do; after an
# opinion only the same depth says something, and that takes what it takes.
AFTER_FACT, AFTER_OPINION = 0.5, 2.0


class Rivals:
    """`equal` are the other moves that are as good as the best one; `next_best` is what was
    found about the best of those that are not, or None if there are none."""

    def __init__(self, equal: list[Position], next_best: SearchResult | None, moves: int) -> None:
        self.equal = equal
        self.next_best = next_best
        self.moves = moves  # legal ones, the best included


def rivals(root: Position, known: list[SearchResult], ask: Ask, exact: Exact) -> Rivals:
    """Compare the best move with the others.

    `known` are findings about the best moves, the best first; `ask` finds the best of the moves
    but for the children of these indexes.
    """
    best, children = known[0], root.children()
    equal = _proven_equal(root, best, exact) if best.proven else []
    found = [result for result in known[1:] if result.best not in equal]
    while len(equal) + 1 < len(children):
        if not found:
            seen = [best.best, *equal]
            found = [ask(frozenset(children.index(child) for child in seen))]
        result = found.pop(0)
        if not is_as_good(best, result):
            return Rivals(equal, result, len(children))
        equal.append(result.best)
    return Rivals(equal, None, len(children))


def further(limits: Limits, best: SearchResult) -> Limits:
    """The limits of one more look, if these were those of the best move."""
    if best.is_fact:
        return Limits(limits.depth, limits.part(AFTER_FACT).nodes, limits.seconds)
    return Limits(max(1, best.depth), limits.part(AFTER_OPINION).nodes, limits.seconds)


def _proven_equal(root: Position, best: SearchResult, exact: Exact) -> list[Position]:
    """By a proof that asks for all best moves at once; none if it does not come to an end."""
    nodes = LEAST_NODES + TIMES_THE_PROOF * best.counters.visited
    moves = Prover(Limits(nodes=nodes), exact).best_moves(root, best.score)
    return [move for move in moves if move != best.best]


# Where a line stops, and why it goes no further.


class Ending(Enum):
    OVER = "the game is over"
    TABLES = "the tables know the position"
    PROVEN = "the rest is proven, but not told"
    HORIZON = "the heuristic was asked here"
    BROKEN = "the search went on, but its line is not known"


def ending_of(way: Way, exact: Exact, evaluate: Evaluate) -> Ending:
    if way.last.status() == LOST:
        return Ending.OVER
    if exact.score(way.last) != UNKNOWN:
        return Ending.TABLES
    if way.result.is_fact:
        return Ending.PROVEN
    asked = opinion(way, evaluate)
    return Ending.HORIZON if asked == way.result.score else Ending.BROKEN


def opinion(way: Way, evaluate: Evaluate) -> int:
    """What a heuristic makes of the last position, for the mover of the root."""
    value = evaluate(way.last)
    return value if way.last.mover() == way.mover else -value
