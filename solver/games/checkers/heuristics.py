"""The heuristics of checkers."""

from __future__ import annotations

from solver.games.checkers.patterns import Patterns
from solver.games.checkers.rules import BOTTOM_ROW, SQUARES, TOP_ROW, Board
from solver.games.checkers.terms import (
    BOTTOM_HALF,
    CENTRE,
    EDGES,
    NEAR_BOTTOM,
    NEAR_TOP,
    SIDE_EDGES,
    TOP_HALF,
    SideBySide,
    beside_ally,
    has_last_move,
    king_steps,
    lead_of,
    rows_advanced,
    targets,
    weights_of,
)
from solver.search.position import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar, Final

    from mypy_extensions import i64

    from solver.games.checkers.terms import Terms
    from solver.search.position import Position


class Material(SideBySide):
    ABOUT = "men, and kings counting two"
    TERMS: ClassVar[Terms] = {"man": ("men", 1), "king": ("kings", 2)}
    man: i64
    king: i64

    def value(self, position: Position) -> i64:
        """Written out for speed."""
        assert isinstance(position, Board)
        own = position.own
        enemy = position.enemy
        kings = position.kings
        value = self.man * (count(own) - count(enemy))
        if kings:
            value += (self.king - self.man) * (count(own & kings) - count(enemy & kings))
        return value

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        return self.man * count(own & ~kings) + self.king * count(own & kings)


class SafeMobile(SideBySide):
    ABOUT = "safe on the edge, free to move, on the way to be crowned"
    # Our weights (the source gives none): a man is worth more than any gain by a single move.
    TERMS: ClassVar[Terms] = {
        "man": ("men", 50),
        "king": ("kings", 100),
        "safe_man": ("men on the edge", 2),
        "safe_king": ("kings on the edge", 2),
        "movable_man": ("men with a free square two steps ahead", 4),
        "movable_king": ("kings with a free square two steps away", 4),
        "step": ("rows advanced by men in their own half", 3),
        "far_step": ("rows advanced by men in the far half", 6),
        "open_square": ("free squares on the crowning row", 5),
    }
    man: i64
    king: i64
    safe_man: i64
    safe_king: i64
    movable_man: i64
    movable_king: i64
    step: i64
    far_step: i64
    open_square: i64

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
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
            self.man * count(men)
            + self.king * count(crowned)
            + self.safe_man * count(men & EDGES)
            + self.safe_king * count(crowned & EDGES)
            + self.movable_man * count(movable)
            + self.movable_king * count(crowned & (two_up | two_down))
            + self.step * rows_advanced(men & ~far, black)
            + self.far_step * rows_advanced(far, black)
            + self.open_square * count(free & goal)
        )


class AdvanceShield(SideBySide):
    ABOUT = "men grow as they advance, allies shield each other"
    TERMS: ClassVar[Terms] = {
        "man": ("men", 3),
        "king": ("kings", 5),
        "row": ("rows advanced by men", 4),
        # Once per piece; the source can also be read as once per ally.
        "shielded": ("pieces beside an ally", 2),
    }
    man: i64
    king: i64
    row: i64
    shielded: i64

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        men = own & ~kings
        return (
            self.man * count(men)
            + self.king * count(own & kings)
            + self.row * rows_advanced(men, black)
            + self.shielded * count(beside_ally(own))
        )


class Centre(SideBySide):
    ABOUT = "men in the middle count double, kings four times"
    TERMS: ClassVar[Terms] = {
        "king": ("kings", 4),
        "centre_man": ("men in the middle sixteen squares", 2),
        "other_man": ("other men", 1),
    }
    king: i64
    centre_man: i64
    other_man: i64

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        men = own & ~kings
        return (
            self.king * count(own & kings)
            + self.centre_man * count(men & CENTRE)
            + self.other_man * count(men & ~CENTRE)
        )


class SixRegions(SideBySide):
    ABOUT = "where the pieces stand, what can be taken, who stands together"
    # 20 times the weights of the source.  Its text gives a king 17.5 and a man 5, its formula the
    # other way round; we follow the text.  Regions overlap.  Only first jumps count as captures.
    TERMS: ClassVar[Terms] = {
        "man": ("men", 100),
        "king": ("kings", 350),
        "far_half": ("pieces in the far half", 40),
        "side_edge": ("pieces on the left and right edge", 40),
        "home_row": ("pieces on the home row", 10),
        "man_to_take": ("men the mover can take", 50),
        "king_to_take": ("kings the mover can take", 175),
        "neighbour": ("pieces beside an ally", 6),
    }
    man: i64
    king: i64
    far_half: i64
    side_edge: i64
    home_row: i64
    man_to_take: i64
    king_to_take: i64
    neighbour: i64

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        far = BOTTOM_HALF if black else TOP_HALF
        home = TOP_ROW if black else BOTTOM_ROW
        taken = targets(own, enemy, kings, black) if to_move else 0
        return (
            self.man * count(own & ~kings)
            + self.king * count(own & kings)
            + self.far_half * count(own & far)
            + self.side_edge * count(own & SIDE_EDGES)
            + self.home_row * count(own & home)
            + self.man_to_take * count(taken & ~kings)
            + self.king_to_take * count(taken & kings)
            + self.neighbour * count(beside_ally(own))
        )


class Tuned(SideBySide):
    """Weights fitted to the results of games and endings.  400 points are odds of ten to one."""

    ABOUT = "a lead, free kings, men about to be crowned; weights fitted to results"
    TERMS: ClassVar[Terms] = {
        "man": ("men", 72),
        "king": ("kings", 44),
        "lead": ("pieces ahead, in 64ths of all pieces", 15),
        "row": ("rows advanced by men", -2),
        "near_man": ("men one or two rows from being crowned", 28),
        "centre_king": ("kings in the middle sixteen squares", 11),
        "king_step": ("steps that kings can make", 19),
        "to_take": ("pieces that can be taken", 38),
        "last_move": ("having the last move, at most eight pieces", 13),
    }
    man: i64
    king: i64
    lead: i64
    row: i64
    near_man: i64
    centre_king: i64
    king_step: i64
    to_take: i64
    last_move: i64

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        men = own & ~kings
        crowned = own & kings
        return (
            self.man * count(men)
            + self.king * count(crowned)
            + self.lead * lead_of(own, enemy)
            + self.row * rows_advanced(men, black)
            + self.near_man * count(men & (NEAR_BOTTOM if black else NEAR_TOP))
            + self.centre_king * count(crowned & CENTRE)
            + self.king_step * king_steps(crowned, SQUARES ^ (own | enemy))
            + self.to_take * count(targets(own, enemy, kings, black))
            + self.last_move * has_last_move(own, enemy, black, to_move)
        )


HEURISTICS: Final[dict[str, SideBySide]] = {
    "material": Material(weights_of(Material.TERMS)),
    "safe-mobile": SafeMobile(weights_of(SafeMobile.TERMS)),
    "advance-shield": AdvanceShield(weights_of(AdvanceShield.TERMS)),
    "centre": Centre(weights_of(Centre.TERMS)),
    "six-regions": SixRegions(weights_of(SixRegions.TERMS)),
    "tuned": Tuned(weights_of(Tuned.TERMS)),
    "patterns": Patterns({}),
}
