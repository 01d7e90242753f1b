"""A visit of the search as people read it: everything is told for one side, the hero."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from solver.score import describe, is_decisive


class Bound(Enum):
    """What a value says about the true one, to the hero."""

    EXACT = "exact"
    AT_MOST = "at most"
    AT_LEAST = "at least"


class Tag(Enum):
    """What a node was in its tree."""

    PV = "pv"  # its value was between alpha and beta
    CUT = "cut"  # one child was enough
    ALL = "all"  # every child was looked at, and none was good enough
    LEAF = "leaf"
    OPEN = "open"  # the search was stopped in there


@dataclass(frozen=True)
class Node:
    """One visit.  `alpha` and `beta` are None where the window is open."""

    id: int
    parent: int | None
    path: str  # numbers of moves in the order of the rules: 2.1 is the first after the second
    ply: int
    move: str
    mover: str
    depth: int
    alpha: int | None
    beta: int | None
    value: int | None
    bound: Bound
    tag: Tag
    kind: str  # where the value came from: "inner", or the cause of a leaf
    scout: bool  # its window was made of one point to ask a single question
    line: bool  # it is on the principal variation
    cache: str  # "asked", "answered" or nothing
    reason: str
    unseen: tuple[str, ...]  # moves that were never looked at
    enter: int
    leave: int
    rows: tuple[str, ...] | None  # the board, where there is one

    @property
    def window(self) -> str:
        low = "-inf" if self.alpha is None else _short(self.alpha)
        high = "+inf" if self.beta is None else _short(self.beta)
        return f"[{low}, {high}]"

    @property
    def worth(self) -> str:
        """The value with its bound: `= 3`, `<= 2`, `>= 5`; a question mark if it is unknown."""
        if self.value is None:
            return "?"
        sign = {Bound.EXACT: "=", Bound.AT_MOST: "<=", Bound.AT_LEAST: ">="}[self.bound]
        return f"{sign} {_short(self.value)}"


def _short(value: int) -> str:
    return describe(value) if is_decisive(value) else str(value)
