"""Men on their crowning row: every reader takes them for kings, and warns.

A puzzle may hold such a man, and then an answer may leave it as it was.  An answer that makes
one has forgotten to crown it, so what the answer says must not be lost in reading.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from grader.judge.boards import Drawing
from grader.puzzles.find import read_board
from solver.checkers.squares import bit_of_number, place_of

if TYPE_CHECKING:
    from solver.errors import Fault

NUMBER = re.compile(r"[0-9]+")


@lru_cache(maxsize=4096)
def uncrowned(text: str, game: str, variant: str) -> frozenset[int]:
    """The squares of the men that were crowned in reading this puzzle."""
    _, form, mended = read_board(game, text, variant)
    return crowned_in_reading(mended, form)


def crowned_in_reading(mended: list[Fault], form: str) -> frozenset[int]:
    """The squares that a reader's warnings are about."""
    return frozenset(_square(fault, form) for fault in mended)


def _square(fault: Fault, form: str) -> int:
    if form == "board":
        return (fault.line - 1) * 8 + fault.column - 1
    number = NUMBER.search(fault.rule)  # a place in a FEN is no square; the words name it
    assert number is not None
    row, column = place_of(bit_of_number(int(number[0])), False)
    return row * 8 + column


def as_written(drawing: Drawing, men: frozenset[int]) -> Drawing:
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
