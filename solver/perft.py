"""Perft: how many move sequences of a given length there are.  One wrong rule changes it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import i64

    from solver.position import Position


def perft(position: Position, depth: i64, unique: bool = False) -> i64:
    """The leaves at that depth; `unique` counts moves to the same position as one."""
    if depth == 0:
        return 1
    total: i64 = 0
    for child in position.children() if unique else position.moves():
        total += perft(child, depth - 1, unique)
    return total
