"""Plays right: a plain minimax, seven plies deep."""

import sys

DEPTH = 7
WIN = 1000
STEPS = {"r": (-1,), "b": (1,), "R": (-1, 1), "B": (-1, 1)}


def jumps(board, row, column, piece):
    """The boards after all jumps of one piece, each followed to its end."""
    found = []
    for down in STEPS[piece]:
        for right in (-1, 1):
            over, to = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if to not in board or board[to] != "." or board[over] == ".":
                continue
            if board[over].lower() == piece.lower():
                continue
            after = {**board, (row, column): ".", over: "."}
            after[to] = crowned(piece, to[0])
            more = jumps(after, *to, piece) if after[to] == piece else []
            found += more or [after]
    return found


def crowned(piece, row):
    return piece.upper() if row == (0 if piece in "rR" else 7) else piece


def moves(board, side):
    """All boards after a move; who can jump must."""
    own = [(place, piece) for place, piece in board.items() if piece.lower() == side]
    found = [after for (row, column), piece in own for after in jumps(board, row, column, piece)]
    if found:
        return found
    for (row, column), piece in own:
        for down in STEPS[piece]:
            for right in (-1, 1):
                to = (row + down, column + right)
                if board.get(to) == ".":
                    found.append({**board, (row, column): ".", to: crowned(piece, to[0])})
    return found


def value(board, side, depth):
    """For whoever moves; a quick win is worth more than a slow one."""
    after = moves(board, side)
    if not after:
        return -WIN - depth
    other = "b" if side == "r" else "r"
    if depth == 0:
        worth = {"r": 2, "R": 3, "b": -2, "B": -3, ".": 0}
        total = sum(worth[piece] for piece in board.values())
        return total if side == "r" else -total
    return max(-value(child, other, depth - 1) for child in after)


with open(sys.argv[1]) as file:
    lines = file.read().split()
start = {(row, column): lines[row][column] for row in range(8) for column in range(8)}
best = max(moves(start, "r"), key=lambda child: -value(child, "b", DEPTH))
with open(sys.argv[2], "w") as file:
    for row in range(8):
        print("".join(best[row, column] for column in range(8)), file=file)
