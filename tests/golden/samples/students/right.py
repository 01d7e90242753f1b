"""Checkers with the right rules and a search of three plies, for `grader check`."""

import sys

DEPTH = 3
WORTH = {"r": 2, "R": 3, "b": -2, "B": -3}
UP, DOWN = [(-1, -1), (-1, 1)], [(1, -1), (1, 1)]


def directions(piece):
    return {"r": UP, "b": DOWN}.get(piece, UP + DOWN)


def is_crowned(piece, y):
    return (piece, y) in (("r", 0), ("b", 7))


def move(board, y, x, dy, dx, length):
    """The board after a step (length 1) or a jump (2); None if something is in the way."""
    to_y, to_x = y + dy * length, x + dx * length
    if not (0 <= to_y < 8 and 0 <= to_x < 8 and board[to_y][to_x] == "."):
        return None
    after = [list(row) for row in board]
    piece = after[y][x]
    after[y][x] = "."
    if length == 2:
        after[y + dy][x + dx] = "."
    after[to_y][to_x] = piece.upper() if is_crowned(piece, to_y) else piece
    return after


def jumps(board, y, x, enemy):
    found, piece = [], board[y][x]
    for dy, dx in directions(piece):
        after = move(board, y, x, dy, dx, 2)
        if after and board[y + dy][x + dx].lower() == enemy:
            y2, x2 = y + 2 * dy, x + 2 * dx
            more = [] if is_crowned(piece, y2) else jumps(after, y2, x2, enemy)
            found += more or [after]
    return found


def children(rows, side):
    enemy = "rb"[side == "r"]
    own = [(y, x) for y in range(8) for x in range(8) if rows[y][x].lower() == side]
    taking = [after for y, x in own for after in jumps(rows, y, x, enemy)]
    steps = [move(rows, y, x, dy, dx, 1) for y, x in own for dy, dx in directions(rows[y][x])]
    return taking or [after for after in steps if after]


def value(board, side, depth, alpha, beta):
    """For the side to move."""
    if depth == 0:
        score = sum(WORTH.get(piece, 0) for row in board for piece in row)
        return score if side == "r" else -score
    best = -1000 - depth
    for child in children(board, side):
        best = max(best, -value(child, "rb"[side == "r"], depth - 1, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def main():
    board = open(sys.argv[1]).read().split()
    after = children(board, "r")
    best = max(after, key=lambda each: -value(each, "b", DEPTH - 1, -9999, 9999), default=board)
    open(sys.argv[2], "w").write("\n".join(map("".join, best)) + "\n")


if __name__ == "__main__":
    main()
