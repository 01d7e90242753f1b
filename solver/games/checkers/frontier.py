"""What proofs about checkers know two plies before the end without search.

The mover cannot win at once if the other side surely has a move left afterwards.  Its pieces that
cannot be taken stay; if they can step to two empty squares now, then to one of them afterwards,
since a move fills one square only.  A piece cannot be taken if on both diagonals a neighbouring
square is off the board or has a piece of its own side: no jump of that move can take that one first
and then land there, because jumps keep the parity of rows and columns.
"""

from __future__ import annotations

from solver.games.checkers.rules import BLACK, SQUARES, Board, can_jump
from solver.search.heuristic import Exact
from solver.search.position import count
from solver.search.score import loss_in, win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import i64

    from solver.search.position import Position


class Frontier(Exact):
    def at_most(self, position: Position) -> i64:
        if not isinstance(position, Board):
            return win_in(1)
        return win_in(
            1
            if may_win_at_once(position.own, position.enemy, position.kings, position.side & BLACK)
            else 3
        )

    def at_least(self, position: Position) -> i64:
        if isinstance(position, Board) and holds(position):
            return loss_in(4)
        return loss_in(2)

    def replies(self, position: Position) -> i64:
        """Of jumps, the number of pieces that can jump."""
        if not isinstance(position, Board):
            return len(position.children())
        jumping = position.jumpers()
        if jumping:
            return count(jumping)
        own = position.own
        empty = SQUARES ^ (own | position.enemy)
        up = own & position.kings if position.side & BLACK else own
        down = own if position.side & BLACK else own & position.kings
        return (
            count(up & empty << 4)
            + count(up & empty << 5)
            + count(down & empty >> 4)
            + count(down & empty >> 5)
        )


def holds(board: Board) -> bool:
    """Whether some move surely keeps the other side from winning at once."""
    own = board.own
    enemy = board.enemy
    kings = board.kings
    black = board.side & BLACK
    empty = SQUARES ^ (own | enemy)
    up = own & kings if black else own
    down = own if black else own & kings
    if can_jump(up, down, enemy, empty):
        for child in board.children():
            if not may_win_at_once(child.own, child.enemy, child.kings, 1 - black):
                return True
        return False
    for shift in (4, 5):
        left = up & empty << shift
        while left:
            piece = left & -left
            left ^= piece
            move = piece | piece >> shift
            new_kings = kings ^ move if kings & piece else kings
            if not may_win_at_once(enemy, own ^ move, new_kings, 1 - black):
                return True
        left = down & empty >> shift
        while left:
            piece = left & -left
            left ^= piece
            move = piece | piece << shift
            new_kings = kings ^ move if kings & piece else kings
            if not may_win_at_once(enemy, own ^ move, new_kings, 1 - black):
                return True
    return False


def may_win_at_once(own: i64, enemy: i64, kings: i64, black: i64) -> bool:
    """False if the mover surely cannot; the rule above."""
    empty = SQUARES ^ (own | enemy)
    up = own & kings if black else own
    down = own if black else own & kings
    safe = enemy
    if (up and ((up >> 4 & enemy) >> 4 & empty or (up >> 5 & enemy) >> 5 & empty)) or (
        down and ((down << 4 & enemy) << 4 & empty or (down << 5 & enemy) << 5 & empty)
    ):
        free = SQUARES ^ enemy
        safe &= ~(free << 4 & free >> 4 | free << 5 & free >> 5)
    up = safe if black else safe & kings
    down = safe & kings if black else safe
    targets = (up >> 4 | up >> 5 | down << 4 | down << 5) & empty
    return targets & targets - 1 == 0
