"""Builds endgame tables by retrograde analysis, and checks them.  A slice and its colour-reversed
twin are solved together, after those with fewer pieces or men.  For n = 0, 1, 2, ... positions that
end in n plies update their predecessors."""

from __future__ import annotations

from solver.games.checkers.endgame.slices import (
    DRAWN,
    ENEMY_MEN_SQUARES,
    LOST_AT_ONCE,
    OWN_MEN_SQUARES,
    Positions,
    Slice,
    Values,
    sets_of,
    turned,
)
from solver.games.checkers.rules import SQUARES, Board, can_jump
from solver.search.position import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

    from mypy_extensions import i64

BEFORE_CROWNING: Final = 0x0000000F0


class Unsolved:
    """One unfinished slice.  `values` holds bytes as in the finished table, 0 if unknown; a win by
    crowning may still be replaced by a faster one.  `steps` counts the steps that may still avoid a
    loss, 0 if final."""

    def __init__(self, here: Slice, finished: Values, poll: Callable[[], object]) -> None:
        self.here: Final = here
        self.positions: Final = Positions(here)
        self.finished: Final = finished
        self.steps: Final[list[int]] = []
        self.longest: i64 = 0  # the largest byte so far
        values: list[int] = []
        self._begin(values, poll)
        self.values: Final = bytearray(values)

    def _begin(self, values: list[int], poll: Callable[[], object]) -> None:
        """Initial values from jumps and crownings."""
        here = self.here
        for own_men in sets_of(OWN_MEN_SQUARES, here.own_men):
            poll()
            for enemy_men in sets_of(ENEMY_MEN_SQUARES & ~own_men, here.enemy_men):
                free = SQUARES ^ own_men ^ enemy_men
                for own_kings in sets_of(free, here.own_kings):
                    for enemy_kings in sets_of(free ^ own_kings, here.enemy_kings):
                        value = self._first_value(
                            own_men | own_kings, enemy_men | enemy_kings, own_kings | enemy_kings
                        )
                        values.append(value)
                        if value > self.longest:
                            self.longest = value

    def _first_value(self, own: i64, enemy: i64, kings: i64) -> i64:
        empty = SQUARES ^ (own | enemy)
        own_kings = own & kings
        if can_jump(own, own_kings, enemy, empty):
            self.steps.append(0)
            return self.finished.best(Board(own, enemy, kings, 0).children())
        steps = count(own & empty << 4) + count(own & empty << 5)
        steps += count(own_kings & empty >> 4) + count(own_kings & empty >> 5)
        value: i64 = DRAWN
        if steps == 0:
            value = LOST_AT_ONCE
        elif own & ~kings & BEFORE_CROWNING:
            crowned = crownings(own, enemy, kings)
            if crowned:
                steps -= len(crowned)
                value = self.finished.best(crowned)
                if value == DRAWN:
                    steps += 1  # one step that does not lose
                elif value & 1 and steps:
                    value = DRAWN
        self.steps.append(steps)
        return value

    def tell(self, other: Unsolved, byte: i64) -> None:
        """Update the predecessors, which are in `other`, of all positions with that byte."""
        index: i64 = self.values.find(byte)
        while index >= 0:
            own, enemy, kings = self.positions.pieces(index)
            other.hear(turned(enemy), turned(own), turned(kings), byte)
            index = self.values.find(byte, index + 1)

    def hear(self, own: i64, enemy: i64, kings: i64, byte: i64) -> None:
        """Take back every step of `own` that may have led here; men came from below."""
        here = self.here
        empty = SQUARES ^ (own | enemy)
        own_kings = own & kings
        own_men = own ^ own_kings
        enemy_kings = enemy & kings
        enemy_men = enemy ^ enemy_kings
        if own_kings:
            men = here.index_of_men(own_men, enemy_men)
            free = SQUARES ^ own_men ^ enemy_men
            arrived = own_kings
            while arrived:
                to = arrived & -arrived
                arrived ^= to
                back = (to << 4 | to << 5 | to >> 4 | to >> 5) & empty
                while back:
                    start = back & -back
                    back ^= start
                    before = own_kings ^ to ^ start
                    index = here.index_of_kings(men, free, before, enemy_kings)
                    self._hear(index, byte, own_men | before, enemy, before | enemy_kings)
        arrived = own_men
        while arrived:
            to = arrived & -arrived
            arrived ^= to
            back = (to << 4 | to << 5) & empty
            while back:
                start = back & -back
                back ^= start
                before = own ^ to ^ start
                index = here.index(before, enemy, kings)
                self._hear(index, byte, before, enemy, kings)

    def _hear(self, index: i64, byte: i64, own: i64, enemy: i64, kings: i64) -> None:
        """One step leads from the position at `index` to one with that byte."""
        left: i64 = self.steps[index]
        if left == 0:
            return
        if byte & 1:
            self.steps[index] = 0
            value: i64 = self.values[index]
            if value == DRAWN or value > byte + 1:
                self._settle(index, byte + 1)
            return
        left -= 1
        self.steps[index] = left
        if left == 0 and self.values[index] == DRAWN:
            value = byte + 1
            if own & ~kings & BEFORE_CROWNING:
                crowned = self.finished.best(crownings(own, enemy, kings))
                if crowned > value:
                    value = crowned
            self._settle(index, value)

    def _settle(self, index: i64, value: i64) -> None:
        self.values[index] = value
        if value > self.longest:
            self.longest = value


def crownings(own: i64, enemy: i64, kings: i64) -> list[Board]:
    """The positions after each step that crowns a man."""
    found: list[Board] = []
    for child in Board(own, enemy, kings, 0).children():
        if count(child.kings) > count(kings):
            found.append(child)
    return found


def solve_pair(here: Slice, there: Slice, finished: Values, poll: Callable[[], object]) -> None:
    """Add a slice and its colour-reversed twin to `finished`.  `poll` is called now and then, so
    that compiled code can be interrupted."""
    one = Unsolved(here, finished, poll)
    two = one if here.number() == there.number() else Unsolved(there, finished, poll)
    byte: i64 = LOST_AT_ONCE
    while byte <= one.longest or byte <= two.longest:
        one.tell(two, byte)
        if two is not one:
            two.tell(one, byte)
        byte += 1
        poll()
    finished.add(here, bytes(one.values))
    finished.add(there, bytes(two.values))


def find_wrong(positions: Positions, values: Values, indices: Iterable[int]) -> list[Board]:
    """The positions whose value does not follow from those of the children."""
    stored = values.all_of(positions.here)
    wrong: list[Board] = []
    for index in indices:
        board = positions.board(index)
        if stored[index] != values.best(board.children()):
            wrong.append(board)
    return wrong
