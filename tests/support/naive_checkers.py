"""Checkers written once more, slowly and simply, to test the solver's rules against.

A board is eight strings of eight characters, `.` empty, `r` `b` men, `R` `B` kings, row 0
on top.  Red moves up, black moves down.  All 64 squares are alike: a piece that only moves
diagonally never leaves its colour, so dark, light and mixed boards need no special case.
"""

from __future__ import annotations

from itertools import pairwise

Rows = tuple[str, ...]
Place = tuple[int, int]

OWN = {"red": "rR", "black": "bB"}
ENEMY = {"red": "bB", "black": "rR"}
FORWARD = {"red": -1, "black": +1}
FAR_ROW = {"red": 0, "black": 7}


def moves(rows: Rows, mover: str) -> list[Rows]:
    """The boards after every legal move of "red" or "black", one for each way of moving."""
    return jumps(rows, mover) or steps(rows, mover)


def perft(rows: Rows, mover: str, depth: int, unique: bool = False) -> int:
    """How many sequences of that many moves there are; `unique` counts boards, not ways."""
    if depth == 0:
        return 1
    after = moves(rows, mover)
    other = "black" if mover == "red" else "red"
    return sum(
        perft(board, other, depth - 1, unique) for board in (set(after) if unique else after)
    )


def jumps(rows: Rows, mover: str) -> list[Rows]:
    """The boards after every complete jump, as if no other move were legal."""
    found = []
    for start in places(rows, mover):
        for path in paths(rows, mover, [start]):
            found.append(played(rows, mover, path))
    return found


def steps(rows: Rows, mover: str) -> list[Rows]:
    """The boards after every step, as if jumps were not compulsory."""
    found = []
    for row, column in places(rows, mover):
        for down, right in directions(rows[row][column], mover):
            to = (row + down, column + right)
            if at(rows, to) == ".":
                found.append(played(rows, mover, [(row, column), to]))
    return found


def paths(rows: Rows, mover: str, path: list[Place]) -> list[list[Place]]:
    """Every way to jump on to the end, from the squares touched so far.

    Nothing is taken off before the move is over: the path says what has been jumped.
    """
    found = []
    (first_row, first_column), (row, column) = path[0], path[-1]
    piece = rows[first_row][first_column]
    crowned = piece.islower() and row == FAR_ROW[mover]
    for down, right in [] if crowned else directions(piece, mover):
        over = (row + down, column + right)
        to = (row + 2 * down, column + 2 * right)
        enemy = at(rows, over) in ENEMY[mover] and over not in jumped(path)
        if enemy and (at(rows, to) == "." or to == path[0]):
            found += paths(rows, mover, [*path, to])
    if not found and len(path) > 1:
        found = [path]
    return found


def jumped(path: list[Place]) -> list[Place]:
    """The squares jumped over; none for a step."""
    return [
        ((row + to_row) // 2, (column + to_column) // 2)
        for (row, column), (to_row, to_column) in pairwise(path)
        if abs(to_row - row) == 2
    ]


def played(rows: Rows, mover: str, path: list[Place]) -> Rows:
    """The board after the piece on the first square of the path has gone to the last."""
    board = [list(row) for row in rows]
    (row, column), (to_row, to_column) = path[0], path[-1]
    piece = board[row][column]
    for gone_row, gone_column in [path[0], *jumped(path)]:
        board[gone_row][gone_column] = "."
    board[to_row][to_column] = piece.upper() if to_row == FAR_ROW[mover] else piece
    return tuple("".join(row) for row in board)


def places(rows: Rows, mover: str) -> list[Place]:
    """Where the mover's pieces stand."""
    return [
        (row, column) for row in range(8) for column in range(8) if rows[row][column] in OWN[mover]
    ]


def directions(piece: str, mover: str) -> list[Place]:
    """Rows down and columns right for each neighbour a piece may go to."""
    forward = FORWARD[mover]
    both = [forward, -forward] if piece.isupper() else [forward]
    return [(down, right) for down in both for right in (-1, +1)]


def at(rows: Rows, place: Place) -> str:
    """The piece on a square; `#` off the board."""
    row, column = place
    return rows[row][column] if 0 <= row < 8 and 0 <= column < 8 else "#"
