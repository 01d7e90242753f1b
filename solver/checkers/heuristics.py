"""The heuristics by name: each one is what a side has, minus what the other side has.

A heuristic is written once as a function of one side whose keyword arguments are its
weights.  The search uses the weights as they stand; `catalogue.explain` asks the same function
with a single weight of 1 and so learns how often each thing occurs.

Some of the weights are ours: where a text left them open, a comment says so.
"""

from __future__ import annotations

from solver.bits import count
from solver.checkers.rules import BLACK, BOTTOM_ROW, SQUARES, TOP_ROW, Board
from solver.heuristic import Heuristic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from mypy_extensions import i64

TOP_HALF: Final = 0x00001FEFF
BOTTOM_HALF: Final = 0x7FBFC0000
SIDE_EDGES: Final = 0x0C0603018  # the leftmost and the rightmost column
EDGES: Final = 0x7C060301F  # those columns and the top and bottom rows
CENTRE: Final = 0x00198CC00  # rows and columns 2 to 5
# The rows whose number has the bit of value 1, 2, 4: row numbers add up by counting.
ROWS_1: Final = 0x783C1E0F0
ROWS_2: Final = 0x7F801FE00
ROWS_4: Final = BOTTOM_HALF


# --- material: the number of men, a king counting two -------------------------------------


class Material(Heuristic):
    """Written out without weights, because the speed of the search is measured with it."""

    def value(self, position: Any) -> i64:
        board: Board = position
        own = board.own
        enemy = board.enemy
        kings = board.kings
        men = count(own) - count(enemy)
        return men + count(own & kings) - count(enemy & kings) if kings else men


material = Material()


def material_of(
    own: i64, enemy: i64, kings: i64, black: i64, to_move: i64, *, man: i64 = 1, king: i64 = 2
) -> i64:
    return man * count(own & ~kings) + king * count(own & kings)


# --- safe-mobile: stay safe on the edge, stay free to move, and above all get crowned ------


class SafeMobile(Heuristic):
    def value(self, position: Any) -> i64:
        board: Board = position
        black = board.side & BLACK
        return safe_mobile_of(board.own, board.enemy, board.kings, black, 1) - safe_mobile_of(
            board.enemy, board.own, board.kings, black ^ 1, 0
        )


safe_mobile = SafeMobile()


def safe_mobile_of(
    own: i64,
    enemy: i64,
    kings: i64,
    black: i64,
    to_move: i64,
    *,
    # The text asks for aggressive terms to weigh more than safe ones, without numbers.  Ours
    # keep a man above all that he himself can gain by a single move.
    man: i64 = 50,
    king: i64 = 100,
    safe_man: i64 = 2,
    safe_king: i64 = 2,
    movable_man: i64 = 4,
    movable_king: i64 = 4,
    step: i64 = 3,
    far_step: i64 = 6,
    open_square: i64 = 5,
) -> i64:
    men = own & ~kings
    crowned = own & kings
    free = SQUARES ^ (own | enemy)
    # Two squares away in a straight line, both squares on the board.
    two_up = ((free << 4 & SQUARES) << 4) | ((free << 5 & SQUARES) << 5)
    two_down = ((free >> 4 & SQUARES) >> 4) | ((free >> 5 & SQUARES) >> 5)
    if black:
        movable = men & two_down
        far = men & BOTTOM_HALF
        goal = BOTTOM_ROW
    else:
        movable = men & two_up
        far = men & TOP_HALF
        goal = TOP_ROW
    return (
        man * count(men)
        + king * count(crowned)
        + safe_man * count(men & EDGES)
        + safe_king * count(crowned & EDGES)
        + movable_man * count(movable)
        + movable_king * count(crowned & (two_up | two_down))
        + step * rows_advanced(men & ~far, black)
        + far_step * rows_advanced(far, black)
        + open_square * count(free & goal)
    )


# --- advance-shield: men grow as they advance; an ally at the side shields ----------------


class AdvanceShield(Heuristic):
    def value(self, position: Any) -> i64:
        board: Board = position
        black = board.side & BLACK
        return advance_shield_of(board.own, board.enemy, board.kings, black, 1) - advance_shield_of(
            board.enemy, board.own, board.kings, black ^ 1, 0
        )


advance_shield = AdvanceShield()


def advance_shield_of(
    own: i64,
    enemy: i64,
    kings: i64,
    black: i64,
    to_move: i64,
    *,
    man: i64 = 3,
    king: i64 = 5,
    row: i64 = 4,
    # For a piece with at least one ally; the text can also be read as one for each ally.
    shielded: i64 = 2,
) -> i64:
    men = own & ~kings
    return (
        man * count(men)
        + king * count(own & kings)
        + row * rows_advanced(men, black)
        + shielded * count(beside_ally(own))
    )


# --- centre: men in the middle count double -----------------------------------------------


class Centre(Heuristic):
    def value(self, position: Any) -> i64:
        board: Board = position
        return centre_of(board.own, board.enemy, board.kings, 0, 1) - centre_of(
            board.enemy, board.own, board.kings, 0, 0
        )


centre = Centre()


def centre_of(
    own: i64,
    enemy: i64,
    kings: i64,
    black: i64,
    to_move: i64,
    *,
    king: i64 = 4,
    centre_man: i64 = 2,
    other_man: i64 = 1,
) -> i64:
    men = own & ~kings
    return (
        king * count(own & kings)
        + centre_man * count(men & CENTRE)
        + other_man * count(men & ~CENTRE)
    )


# --- six-regions: where the pieces stand, what can be taken, who stands together ----------


class SixRegions(Heuristic):
    def value(self, position: Any) -> i64:
        board: Board = position
        black = board.side & BLACK
        return six_regions_of(board.own, board.enemy, board.kings, black, 1) - six_regions_of(
            board.enemy, board.own, board.kings, black ^ 1, 0
        )


six_regions = SixRegions()


def six_regions_of(
    own: i64,
    enemy: i64,
    kings: i64,
    black: i64,
    to_move: i64,
    *,
    # All weights are 20 times the text's, to be integers.  Its words give a king 17.5 and a
    # man 5, its formula the other way round: we follow the words.  The regions overlap, as
    # its sums have it.  What can be taken is every piece that some first jump can take.
    man: i64 = 100,
    king: i64 = 350,
    far_half: i64 = 40,
    side_edge: i64 = 40,
    home_row: i64 = 10,
    man_to_take: i64 = 50,
    king_to_take: i64 = 175,
    neighbour: i64 = 6,
) -> i64:
    far = BOTTOM_HALF if black else TOP_HALF
    home = TOP_ROW if black else BOTTOM_ROW
    taken = targets(own, enemy, kings, black) if to_move else 0
    return (
        man * count(own & ~kings)
        + king * count(own & kings)
        + far_half * count(own & far)
        + side_edge * count(own & SIDE_EDGES)
        + home_row * count(own & home)
        + man_to_take * count(taken & ~kings)
        + king_to_take * count(taken & kings)
        + neighbour * count(beside_ally(own))
    )


# --- what the sides are made of -----------------------------------------------------------


def rows_advanced(men: i64, black: i64) -> i64:
    """How many rows the men have come, all together, from their own first row."""
    rows = count(men & ROWS_1) + 2 * count(men & ROWS_2) + 4 * count(men & ROWS_4)
    return rows if black else 7 * count(men) - rows


def beside_ally(own: i64) -> i64:
    """The pieces with another one of their colour on a neighbouring square."""
    return own & (own << 4 | own << 5 | own >> 4 | own >> 5)


def targets(own: i64, enemy: i64, kings: i64, black: i64) -> i64:
    """The enemy pieces that a first jump can take."""
    free = SQUARES ^ (own | enemy)
    up = own & kings if black else own
    down = own if black else own & kings
    return enemy & (
        (up >> 4 & free << 4)
        | (up >> 5 & free << 5)
        | (down << 4 & free >> 4)
        | (down << 5 & free >> 5)
    )
