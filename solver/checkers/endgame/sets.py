"""Sets of squares, counted and numbered.

Sets of one size are numbered in the order of their bitboards, and so by their highest square
first.  A set of squares that come n-th, m-th, ... among those allowed, counted from 0, has
C(n, 1) + C(m, 2) + ... sets before it.
"""

from __future__ import annotations

from solver.bits import count
from solver.checkers.endgame import MOST_PIECES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

# How many sets of `size` there are among `squares`, at `size * 33 + squares`.
CHOOSE: Final[list[int]] = [1] * 33
for _size in range(1, MOST_PIECES + 1):
    CHOOSE.append(0)
    for _squares in range(1, 33):
        CHOOSE.append(CHOOSE[-1] + CHOOSE[(_size - 1) * 33 + _squares - 1])


def choose(squares: i64, size: i64) -> i64:
    return CHOOSE[size * 33 + squares]


def rank(pieces: i64, squares: i64) -> i64:
    """How many sets of as many squares come before this one, among the squares given.

    There must be a piece; the lowest one counts squares, those above it sets of squares.
    """
    found = count(squares & (pieces & -pieces) - 1)
    pieces &= pieces - 1
    row: i64 = 2 * 33
    while pieces:
        found += CHOOSE[row + count(squares & (pieces & -pieces) - 1)]
        pieces &= pieces - 1
        row += 33
    return found


def sets_of(squares: i64, size: i64) -> list[int]:
    """All sets of that many of the squares, in the order of `rank`."""
    if size == 0:
        return [0]
    found: list[int] = []
    below: i64 = 0
    while squares:
        highest = squares & -squares
        squares ^= highest
        for rest in sets_of(below, size - 1):
            found.append(rest | highest)
        below |= highest
    return found


def spread(pieces: i64, taken: i64) -> i64:
    """Move the pieces up, past every square that is taken."""
    while taken:
        bit = taken & -taken
        taken ^= bit
        pieces += pieces & -bit
    return pieces
