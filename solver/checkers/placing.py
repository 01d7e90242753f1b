"""Random positions of checkers, red to move, for new puzzles to be found among them."""

from __future__ import annotations

from solver.checkers.mixed import TwoBoards
from solver.checkers.rules import BOTTOM_ROW, LIGHT, SQUARES, TOP_ROW, Board, each_bit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Chance = Callable[[], float]

STYLES = {
    "any": "every fourth piece is a king",
    "men": "men only",
    "kings": "kings only",
    "light": "as any, on light squares",
    "both-colours": "as any, on dark and light squares",
}
KINGS = {"men": 0.0, "kings": 1.0}  # how often a piece is one; else:
USUAL_KINGS = 0.25
BITS = each_bit(SQUARES)


class Half:
    """The pieces on one colour of squares."""

    def __init__(self) -> None:
        self.red = self.black = self.kings = 0

    def place(self, chance: Chance, red: bool, king: bool) -> None:
        """Put a piece on a free square; no man stands on its crowning row."""
        barred = self.red | self.black
        if not king:
            barred |= TOP_ROW if red else BOTTOM_ROW
        bit = BITS[int(chance() * len(BITS))]
        while bit & barred:
            bit = BITS[int(chance() * len(BITS))]
        if king:
            self.kings |= bit
        if red:
            self.red |= bit
        else:
            self.black |= bit

    def board(self, side: int) -> Board:
        return Board(self.red, self.black, self.kings, side)


def random_position(chance: Chance, own: int, other: int, style: str) -> Board | TwoBoards:
    """So many red and black pieces; on both colours they are dealt out in turn."""
    halves = [Half(), Half()]
    kings = KINGS.get(style, USUAL_KINGS)
    for number in range(own + other):
        king = chance() < kings
        half = halves[number % 2 if style == "both-colours" else 0]
        half.place(chance, number < own, king)
    if style == "both-colours":
        return TwoBoards(halves[0].board(0), halves[1].board(LIGHT))
    return halves[0].board(LIGHT if style == "light" else 0)
