"""What the next best move loses, and where: by results and by material, never by guessing."""

from __future__ import annotations

from typing import NamedTuple

from solver.explain.result import Result, plies_to_end, result_of
from solver.standing import LOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.explain.ledger import Trade
    from solver.explain.way import Way

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
    before, after = result_of(best.finding), result_of(other.finding)
    return Difference(
        before,
        after,
        _plies_between(best, other) if before == after else None,
        _points_between(best, other) if before == after == Result.OPEN else None,
        None if after is Result.WIN else _falls(best, other),
        None if after is Result.WIN else _gains(best, other),
    )


def _plies_between(best: Way, other: Way) -> int | None:
    one, two = plies_to_end(best.finding), plies_to_end(other.finding)
    exact = best.finding.proven and other.finding.proven
    return abs(one - two) if exact and one is not None and two is not None else None


def _points_between(best: Way, other: Way) -> int | None:
    if best.finding.depth != other.finding.depth:
        return None
    return best.finding.score - other.finding.score


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
    if way.last.standing() == LOST and (ply > EARLY or ply == way.plies):
        return None
    return Turn(ply, way.ledger.trade(1, ply))
