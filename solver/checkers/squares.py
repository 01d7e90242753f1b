"""Where the bits of a board lie: rows, columns, and the two ways of naming squares."""

from __future__ import annotations

ROWS = 8


def bit_at(row: int, column: int) -> int:
    """The bit of a dark square, or of the dark square that mirrors a light one."""
    square = row * 4 + column // 2 if (row + column) % 2 else row * 4 + (7 - column) // 2
    return 1 << square + square // 8


def is_light(row: int, column: int) -> bool:
    return (row + column) % 2 == 0


def place_of(bit: int, light: bool) -> tuple[int, int]:
    """Row and column of a bit."""
    row, place = divmod(_square(bit), 4)
    column = place * 2 + 1 - row % 2
    return row, 7 - column if light else column


def number_of(bit: int) -> int:
    """The PDN number: 32 for the top left square, 1 for the bottom right one."""
    return 32 - _square(bit)


def _square(bit: int) -> int:
    """The dark squares counted from 0 at the top left, without the gaps between the bits."""
    index = bit.bit_length() - 1
    return index - index // 9


def bit_of_number(number: int) -> int:
    square = 32 - number
    return 1 << square + square // 8


def name_of(bit: int, light: bool) -> str:
    """The square by column letter and rank, rank 8 on top."""
    row, column = place_of(bit, light)
    return "abcdefgh"[column] + str(ROWS - row)


def row_numbers(light: bool) -> list[str]:
    """The PDN numbers of each row from left to right."""
    return [
        " ".join(
            f"{number_of(bit_at(row, column)):2}"
            for column in range(8)
            if is_light(row, column) == light
        )
        for row in range(ROWS)
    ]


def each_bit(bits: int) -> list[int]:
    """The set bits one by one, from the top left square on."""
    found = []
    while bits:
        found.append(bits & -bits)
        bits &= bits - 1
    return found


def drawn(boards: list[tuple[int, int, int, bool]]) -> str:
    """The eight rows of text that show these together: red, black, kings, on light squares."""
    grid = [["."] * 8 for _ in range(8)]
    for red, black, kings, light in boards:
        for pieces, man, king in ((red, "r", "R"), (black, "b", "B")):
            for bit in each_bit(pieces):
                row, column = place_of(bit, light)
                grid[row][column] = king if bit & kings else man
    return "\n".join("".join(row) for row in grid)
