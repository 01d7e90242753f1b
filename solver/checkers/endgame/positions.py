"""The positions of a slice by their index: the inverse of `Slice.index`."""

from __future__ import annotations

from bisect import bisect_right

from solver.checkers.endgame.sets import sets_of, spread
from solver.checkers.endgame.slices import OWN_MEN_SQUARES, Slice
from solver.checkers.rules import BOTTOM_ROW, SQUARES, Board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

GAPS: Final = 0x7FFFFFFFF ^ SQUARES


class Positions:
    """Finds positions fast, with lists of all sets that its pieces can form."""

    def __init__(self, here: Slice) -> None:
        self.here: Final = here
        self.own_men: Final = sets_of(OWN_MEN_SQUARES, here.own_men)
        # The others as places among the squares that are left to them.
        self.enemy_men: Final = sets_of(0xFFFFFFF, here.enemy_men)
        free = 0xFFFFFFFF >> here.men()
        self.own_kings: Final = sets_of(free, here.own_kings)
        self.enemy_kings: Final = sets_of(free >> here.own_kings, here.enemy_kings)

    def board(self, index: i64) -> Board:
        """Red is to move."""
        own, enemy, kings = self.pieces(index)
        return Board(own, enemy, kings, 0)

    def pieces(self, index: i64) -> tuple[i64, i64, i64]:
        """The mover's pieces, the enemy's, and which of them are kings."""
        here = self.here
        men_index = index // here.king_sets
        index -= men_index * here.king_sets
        own_kings_index = index // here.enemy_king_sets
        index -= own_kings_index * here.enemy_king_sets
        own_men: i64 = 0
        enemy_men: i64 = 0
        if here.own_men:
            place: i64 = bisect_right(here.first, men_index) - 1
            own_men = self.own_men[place]
            men_index -= here.first[place]
        if here.enemy_men:
            enemy_men = spread(self.enemy_men[men_index], own_men | BOTTOM_ROW | GAPS)
        men = own_men | enemy_men
        own_kings = spread(self.own_kings[own_kings_index], men | GAPS)
        enemy_kings = spread(self.enemy_kings[index], men | own_kings | GAPS)
        return own_men | own_kings, enemy_men | enemy_kings, own_kings | enemy_kings
