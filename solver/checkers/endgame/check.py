"""The forward check: every value follows from the values of the children, by the rules alone.

This proves the tables, however they were made.  A win in n has a child that is lost in n - 1,
and so on down to positions without a move.  In a drawn position no move leaves the opponent
lost and one keeps the draw, so both sides can hold it for ever.
"""

from __future__ import annotations

from solver.checkers.endgame.positions import Positions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from mypy_extensions import i64

    from solver.checkers.endgame.slices import Slice
    from solver.checkers.endgame.values import Values
    from solver.checkers.rules import Board


class ForwardCheck:
    """Counts the positions of one slice that were looked at, and those with a wrong value."""

    def __init__(self, here: Slice, values: Values) -> None:
        self.values: Final = values
        self.stored: Final = values.all_of(here)
        self.positions: Final = Positions(here)
        self.checked: i64 = 0
        self.wrong: i64 = 0
        self.first_wrong: Board | None = None

    def look_at(self, indices: Iterable[int]) -> None:
        for index in indices:
            board = self.positions.board(index)
            self.checked += 1
            if self.stored[index] != self.values.best(board.children()):
                self.wrong += 1
                if self.first_wrong is None:
                    self.first_wrong = board
