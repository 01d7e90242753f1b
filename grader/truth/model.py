"""The moves of a puzzle and what each is worth."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Move:
    name: str
    board: str  # without a final newline
    value: str  # for whoever moves: `win in 5`, `draw`, `loss in 4`; unproven: `+12 at depth 8`


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
