"""Counting the pieces of a bitboard, fast in both builds."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import i64


def count(bits: i64) -> i64:
    """How many of the 60 low bits are set, by adding neighbours in ever wider fields."""
    bits -= bits >> 1 & 0x555555555555555
    bits = (bits & 0x333333333333333) + (bits >> 2 & 0x333333333333333)
    bits = bits + (bits >> 4) & 0xF0F0F0F0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    return bits + (bits >> 32) & 0x7F


# Compiled callers are bound to the function above, five machine instructions a step.
# Interpreted callers look the name up and find the method that does the same in C.
globals()["count"] = int.bit_count
