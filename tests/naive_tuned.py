"""`tuned` written once more, slowly, on the eight rows of text."""

from __future__ import annotations

from naive_heuristics import DIAGONALS, at, crowning_row, forward, places

THIN = 8


def tuned(rows: list[str], colour: str, mover: str) -> list[int]:
    """How often every term occurs for a colour: on two colours of squares, the sum of both."""
    boards = [board for board in (_only(rows, 1), _only(rows, 0)) if "".join(board).strip(".")]
    counted = [_on_one_colour(board, colour, mover) for board in boards or [rows]]
    return [sum(each) for each in zip(*counted, strict=True)]


def _only(rows: list[str], parity: int) -> list[str]:
    return [
        "".join(c if (row + column) % 2 == parity else "." for column, c in enumerate(line))
        for row, line in enumerate(rows)
    ]


def _on_one_colour(rows: list[str], colour: str, mover: str) -> list[int]:
    men, kings = places(rows, colour), places(rows, colour.upper())
    goal = crowning_row(colour)
    other = "b" if colour == "r" else "r"
    enemies = len(places(rows, other)) + len(places(rows, other.upper()))
    ours = len(men) + len(kings)
    ahead = ours - enemies
    return [
        len(men),
        len(kings),
        64 * ahead // (ours + enemies) if ahead > 0 else 0,
        sum(7 - abs(row - goal) for row, _ in men),
        sum(abs(row - goal) in (1, 2) for row, _ in men),
        sum(2 <= row <= 5 and 2 <= column <= 5 for row, column in kings),
        sum(at(rows, row + d, column + r) == "." for row, column in kings for d, r in DIAGONALS),
        len(_taken(rows, colour, other)),
        int(_has_the_move(rows, mover) == (colour == mover))
        if _is_thin(rows) and ours and enemies
        else 0,
    ]


def _taken(rows: list[str], colour: str, other: str) -> set[tuple[int, int]]:
    return {
        (row + down, column + right)
        for piece in (colour, colour.upper())
        for row, column in places(rows, piece)
        for down, right in DIAGONALS
        if (piece != colour or down == forward(colour))
        and at(rows, row + down, column + right).lower() == other
        and at(rows, row + 2 * down, column + 2 * right) == "."
    }


def _is_thin(rows: list[str]) -> bool:
    return sum(c != "." for line in rows for c in line) <= THIN


def _has_the_move(rows: list[str], mover: str) -> bool:
    """An odd number of pieces on every second row from the mover's own first row."""
    first = 7 - crowning_row(mover)
    return sum(c != "." for line in rows[first % 2 :: 2] for c in line) % 2 == 1
