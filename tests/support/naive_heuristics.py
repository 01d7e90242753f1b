"""The heuristics of checkers written once more, slowly, on the eight rows of text.

Each function says how often every term of its heuristic occurs for a colour, `r` or `b`.
"""

from __future__ import annotations

Place = tuple[int, int]


def places(rows: list[str], piece: str) -> list[Place]:
    return [(row, column) for row in range(8) for column in range(8) if rows[row][column] == piece]


def at(rows: list[str], row: int, column: int) -> str:
    """What stands on a square; nothing at all, not even a dot, beyond the edges."""
    return rows[row][column] if 0 <= row < 8 and 0 <= column < 8 else ""


def forward(colour: str) -> int:
    return -1 if colour == "r" else 1


def crowning_row(colour: str) -> int:
    return 0 if colour == "r" else 7


def material(rows: list[str], colour: str, mover: str) -> list[int]:
    return [len(places(rows, colour)), len(places(rows, colour.upper()))]


def safe_mobile(rows: list[str], colour: str, mover: str) -> list[int]:
    def safe(pieces: list[Place]) -> int:
        return sum(row in (0, 7) or column in (0, 7) for row, column in pieces)

    def movable(pieces: list[Place], ways: tuple[int, ...]) -> int:
        return sum(
            any(at(rows, row + 2 * way, column + side) == "." for way in ways for side in (-2, 2))
            for row, column in pieces
        )

    men, kings = places(rows, colour), places(rows, colour.upper())
    goal = crowning_row(colour)
    to_go = [abs(row - goal) for row, _ in men]
    played = {(row + column) % 2 for piece in "rbRB" for row, column in places(rows, piece)}
    return [
        len(men),
        len(kings),
        safe(men),
        safe(kings),
        movable(men, (forward(colour),)),
        movable(kings, (-1, 1)),
        sum(7 - distance for distance in to_go if distance >= 4),
        sum(7 - distance for distance in to_go if distance < 4),
        sum(rows[goal][c] == "." for c in range(8) if (goal + c) % 2 in (played or {1})),
    ]


def shielded(rows: list[str], colour: str) -> int:
    return sum(
        any(at(rows, row + down, column + right).lower() == colour for down, right in DIAGONALS)
        for row, column in places(rows, colour) + places(rows, colour.upper())
    )


DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def advance_shield(rows: list[str], colour: str, mover: str) -> list[int]:
    men = places(rows, colour)
    # 28 - 4 * row is 4 * (7 - row): the text's formulas divided by the 4 that is our weight.
    advance = sum(7 - row if colour == "r" else row for row, _ in men)
    return [len(men), len(places(rows, colour.upper())), advance, shielded(rows, colour)]


def centre(rows: list[str], colour: str, mover: str) -> list[int]:
    men = places(rows, colour)
    middle = sum(2 <= row <= 5 and 2 <= column <= 5 for row, column in men)
    return [len(places(rows, colour.upper())), middle, len(men) - middle]


def six_regions(rows: list[str], colour: str, mover: str) -> list[int]:
    men, kings = places(rows, colour), places(rows, colour.upper())
    goal = crowning_row(colour)
    enemy = "b" if colour == "r" else "r"
    can_take = set()
    for row, column in men + kings:
        for down, right in DIAGONALS:
            if (row, column) in men and down != forward(colour):
                continue
            over = at(rows, row + down, column + right)
            if over.lower() == enemy and at(rows, row + 2 * down, column + 2 * right) == ".":
                can_take.add((row + down, column + right, over))
    taken = [over for _, _, over in can_take] if colour == mover else []
    return [
        len(men),
        len(kings),
        sum(abs(row - goal) < 4 for row, _ in men + kings),
        sum(column in (0, 7) for _, column in men + kings),
        sum(row == 7 - goal for row, _ in men + kings),
        taken.count(enemy),
        taken.count(enemy.upper()),
        shielded(rows, colour),
    ]


THIN = 8


def tuned(rows: list[str], colour: str, mover: str) -> list[int]:
    """How often every term occurs for a colour: on two colours of squares, the sum of both."""
    counted = [_on_one_colour(board, colour, mover) for board in colour_boards(rows)]
    return [sum(each) for each in zip(*counted, strict=True)]


def colour_boards(rows: list[str]) -> list[list[str]]:
    """The pieces on dark and those on light squares, without what is empty."""
    boards = [board for board in (_only(rows, 1), _only(rows, 0)) if "".join(board).strip(".")]
    return boards or [rows]


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


SLOW = {
    "material": material,
    "safe-mobile": safe_mobile,
    "advance-shield": advance_shield,
    "centre": centre,
    "six-regions": six_regions,
    "tuned": tuned,
}
