"""Men on their crowning row: every reader takes them for kings, and warns.

A puzzle may hold such a man, and then an answer may leave it as it was.  An answer that makes
one has forgotten to crown it, so what the answer says must not be lost in reading.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from grader.judge.boards import Drawing
from grader.puzzles.find import read_board


@lru_cache(maxsize=4096)
def uncrowned(text: str, game: str, variant: str) -> frozenset[int]:
    """The squares of the men that were crowned in reading this puzzle."""
    return frozenset(read_board(game, text, variant).crowned)


def as_written(drawing: Drawing, men: Collection[int]) -> Drawing:
    """A board that was read, with the men that its text has on these squares."""
    cells = [
        letter.lower() if index in men else letter for index, letter in enumerate(drawing.cells)
    ]
    return Drawing("".join(cells), drawing.side, drawing.passed)


def as_read(given: Drawing, before: str, men: frozenset[int]) -> Drawing:
    """An answer with kings where it has left the puzzle's uncrowned men alone."""
    cells = [
        before[index] if index in men and letter.upper() == before[index] else letter
        for index, letter in enumerate(given.cells)
    ]
    return Drawing("".join(cells), given.side, given.passed)


def still_uncrowned(before: str, after: str, men: frozenset[int]) -> frozenset[int]:
    """Those of the men that have not moved, and have not been taken."""
    return frozenset(index for index in men if before[index] == after[index])
