"""The heuristic `two-flags` written once more, slowly, on the eight rows of text."""

from __future__ import annotations

Rows = tuple[str, ...]

LANDED = 10_000
WEIGHTS = {"pawns": 40, "one step from landing": 1_000, "ranks advanced": 30}
PASSED = {"w": 150, "b": 250}


def two_flags(rows: Rows, mover: str) -> int:
    """The value for the side to move."""
    if "w" in rows[0] or "b" in rows[7]:
        for_white = LANDED if "w" in rows[0] else -LANDED
    else:
        for_white = worth(rows, "w") - worth(rows, "b")
    return for_white if mover == "white" else -for_white


def worth(rows: Rows, colour: str) -> int:
    """What all pawns of a colour count."""
    total = 0
    for row in range(8):
        for column in range(8):
            if rows[row][column] == colour:
                steps = steps_to_go(row, colour)
                total += WEIGHTS["pawns"] + WEIGHTS["ranks advanced"] * (6 - steps)
                total += WEIGHTS["one step from landing"] if steps == 1 else 0
                total += PASSED[colour] if is_passed(rows, row, column) else 0
    return total


def steps_to_go(row: int, colour: str) -> int:
    """Single steps to the last rank; six from where the pawns begin."""
    return row if colour == "w" else 7 - row


def is_passed(rows: Rows, row: int, column: int) -> bool:
    """Whether no enemy is ahead of a pawn on its file or beside it."""
    colour = rows[row][column]
    enemy = "b" if colour == "w" else "w"
    ahead = range(row) if colour == "w" else range(row + 1, 8)
    beside = range(max(0, column - 1), min(8, column + 2))
    return not any(rows[line][file] == enemy for line in ahead for file in beside)
