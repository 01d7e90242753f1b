"""What a finding promises: a fact about the game, or an opinion."""

from __future__ import annotations

from enum import Enum

from solver.score import distance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.finding import Finding


class Result(Enum):
    """For the mover of the root."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    OPEN = "open"  # nothing but an opinion


def result_of(finding: Finding) -> Result:
    if not finding.is_fact:
        return Result.OPEN
    if finding.score == 0:
        return Result.DRAW
    return Result.WIN if finding.score > 0 else Result.LOSS


def plies_to_end(finding: Finding) -> int | None:
    """How long a win or loss takes, at the most; None if that is not known."""
    return distance(finding.score) if finding.decided else None


def is_as_good(one: Finding, two: Finding) -> bool:
    """Whether two moves are known to be worth the same: both for certain, or both as far as a
    search of the same depth sees."""
    if one.score != two.score:
        return False
    if one.is_fact or two.is_fact:
        return one.proven and two.proven
    return one.depth == two.depth
