"""Where the bits of a board lie, and the names of squares.

Pawns of an open game stand on ranks 2 to 7 only, so 48 bits hold a side.
"""

from __future__ import annotations

FILES = "abcdefgh"


def bit_of(name: str) -> int:
    """The bit of a square on ranks 2 to 7."""
    return 1 << (int(name[1]) - 2) * 8 + FILES.index(name[0])


def name_of(bit: int) -> str:
    index = bit.bit_length() - 1
    return FILES[index % 8] + str(index // 8 + 2)


def place_of(name: str) -> tuple[int, int]:
    """Row and column of a square, from 0 at the top left."""
    return 8 - int(name[1]), FILES.index(name[0])


def each_bit(bits: int) -> list[int]:
    """The set bits one by one, from a2 on."""
    found = []
    while bits:
        found.append(bits & -bits)
        bits &= bits - 1
    return found
