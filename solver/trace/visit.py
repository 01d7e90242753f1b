"""One position that a search has looked at, as it happened."""

from __future__ import annotations

from enum import Enum

from solver.search.score import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.search.position import Position


class Cause(Enum):
    """Where the value of a visit came from."""

    CHILDREN = "children"
    HEURISTIC = "heuristic"
    LOST = "lost"  # the mover has no move
    TABLES = "tables"
    CACHE = "cache"
    CHILD_IN_CACHE = "transposition"  # a child was known to be too good, without a search
    BOUND = "bound"  # no win can be so soon as to matter


class Visit:
    """A call of the search; window and value are the mover's.

    `enter` and `leave` are steps of the search; where it was stopped, `leave` is -1 and the value
    unknown.
    """

    __slots__ = (
        *("number", "parent", "position", "depth", "alpha", "beta", "ply"),
        *("enter", "leave", "value", "cause", "asked", "before"),
    )

    def __init__(
        self,
        number: int,
        parent: int,
        position: Position,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        enter: int,
        before: tuple[int, ...],
    ) -> None:
        self.number = number
        self.parent = parent  # a number, -1 for a root
        self.position = position
        self.depth = depth
        self.alpha = alpha
        self.beta = beta
        self.ply = ply
        self.enter = enter
        self.leave = -1
        self.value = UNKNOWN
        self.cause = Cause.CHILDREN
        self.asked = False  # whether the cache was
        self.before = before  # the counters on entry

    @property
    def finished(self) -> bool:
        return self.leave >= 0
