"""`tuned`: few terms, and weights fitted to the results of games and endings.

`grader tune` with no options has found these weights: it plays the games, solves the endings and
fits.  A search that plays other games finds other weights.  400 points stand for odds
of ten to one.
"""

from __future__ import annotations

from solver.bits import count
from solver.checkers.heuristics import CENTRE, ROWS_1, rows_advanced, targets
from solver.checkers.rules import BLACK, SQUARES, Board
from solver.heuristic import Heuristic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from mypy_extensions import i64

NEAR_TOP: Final = 0x000001EF0  # the two rows before red's crowning row
NEAR_BOTTOM: Final = 0x07BC00000  # and before black's
SHARES: Final = 64  # a lead is counted in so many parts of all pieces, to be an integer
THIN: Final = 8  # pieces: from here on it matters who runs out of waiting moves


class Tuned(Heuristic):
    def value(self, position: Any) -> i64:
        board: Board = position
        black = board.side & BLACK
        return tuned_of(board.own, board.enemy, board.kings, black, 1) - tuned_of(
            board.enemy, board.own, board.kings, black ^ 1, 0
        )


tuned = Tuned()


def tuned_of(
    own: i64,
    enemy: i64,
    kings: i64,
    black: i64,
    to_move: i64,
    *,
    man: i64 = 72,
    king: i64 = 44,
    lead: i64 = 15,
    row: i64 = -2,
    near_man: i64 = 28,
    centre_king: i64 = 11,
    king_step: i64 = 19,
    to_take: i64 = 38,
    last_move: i64 = 13,
) -> i64:
    men = own & ~kings
    crowned = own & kings
    return (
        man * count(men)
        + king * count(crowned)
        + lead * lead_of(own, enemy)
        + row * rows_advanced(men, black)
        + near_man * count(men & (NEAR_BOTTOM if black else NEAR_TOP))
        + centre_king * count(crowned & CENTRE)
        + king_step * king_steps(crowned, SQUARES ^ (own | enemy))
        + to_take * count(targets(own, enemy, kings, black))
        + last_move * has_last_move(own, enemy, black, to_move)
    )


def lead_of(own: i64, enemy: i64) -> i64:
    """By how many pieces a side is ahead, as a share of all: it grows when pieces are traded."""
    ahead = count(own) - count(enemy)
    return SHARES * ahead // count(own | enemy) if ahead > 0 else 0


def king_steps(crowned: i64, free: i64) -> i64:
    """How many steps the kings can make, all together."""
    if not crowned:
        return 0
    return (
        count(crowned & free << 4)
        + count(crowned & free << 5)
        + count(crowned & free >> 4)
        + count(crowned & free >> 5)
    )


def has_last_move(own: i64, enemy: i64, black: i64, to_move: i64) -> i64:
    """Whether, on a thin board, a side has `the move`: if all pieces just step towards each
    other, the other side is the first that has to give way.

    The mover has it if an odd number of pieces stands on every second row from his own first
    one on.
    """
    pieces = own | enemy
    if not own or not enemy or count(pieces) > THIN:
        return 0
    mover_is_black = black if to_move else 1 - black
    odd = count(pieces & (~ROWS_1 if mover_is_black else ROWS_1)) & 1
    return odd if to_move else 1 - odd
