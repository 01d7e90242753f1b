"""Perft: how many move sequences of a given length there are.  One wrong rule changes it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import i64

    from solver.search.position import Position


def perft(position: Position, depth: i64, unique: bool = False, bulk: bool = True) -> i64:
    """The leaves at that depth; `unique` counts moves to the same position as one.

    In bulk, the leaves are counted and not made.
    """
    if depth == 0:
        return 1
    choices = position.choices(unique)
    if depth == 1 and bulk:
        return choices.count
    total: i64 = 0
    child = choices.next()
    while child is not None:
        total += perft(child, depth - 1, unique, bulk)
        child = choices.next()
    return total
