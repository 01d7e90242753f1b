"""The moves of a puzzle and what each is worth."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from grader.truth.values import Value


class Source(StrEnum):
    """Where the value of a move comes from."""

    TABLES = "tables"  # the endgame tables hold the position after it
    SEARCH = "search"  # all that matters was searched, to the end of the game or into the tables
    NONE = "none"  # nothing is proven: it is the opinion of a search


class Proven(StrEnum):
    """How much of a puzzle is a fact."""

    ALL = "all"  # every move's value
    BEST = "best"  # the puzzle's value, and that the best moves reach it
    RESULT = "result"  # who wins, but not how soon
    NONE = "none"
    OVER = "over"  # there is nothing to prove


@dataclass(frozen=True)
class Move:
    name: str
    board: str  # without a final newline
    value: str  # for whoever moves; `grader.truth.values` knows the words
    source: Source = Source.NONE


@dataclass(frozen=True)
class Truth:
    """The moves of a position.  Over already if there are none: then `board` is the answer,
    or the input itself if `board` is empty."""

    game: str
    variant: str
    mover: str
    value: str
    proof: str  # how the values were proven, or that they were not
    best: tuple[str, ...]  # the names of all moves that are as good as the first
    moves: tuple[Move, ...]
    board: str  # the canonical answer, without a final newline
    proven: Proven = Proven.NONE


def how_much(values: list[Value], value: Value | None) -> Proven:
    """How much is proven if these are the moves' values, and that is the puzzle's."""
    if value is None:
        return Proven.OVER
    if all(each.proven for each in values):
        return Proven.ALL
    if value.proven:
        return Proven.BEST
    return Proven.RESULT if value.certain else Proven.NONE
