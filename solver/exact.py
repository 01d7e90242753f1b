"""What is known for certain about a position, before any search.

A game with endgame tables offers a subclass; this one knows nothing, and serves the others.
"""

from __future__ import annotations

from solver.score import UNKNOWN, from_here, is_decisive
from solver.standing import LOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import i64

    from solver.position import Position


class Exact:
    """Answers at once, for some positions.

    What it says agrees: of a known position that is not lost already, every child is known or
    lost already, and the best of them has the value that follows.
    """

    def score(self, position: Position) -> i64:
        """The exact score for the mover, counted from here: a win or loss in so many plies, 0
        for a draw; `UNKNOWN` where nothing is known."""
        return UNKNOWN


NOTHING = Exact()  # for games without tables


def known_line(exact: Exact, position: Position) -> list[Position]:
    """From a known win or loss to the end of the game: the shortest way of the winner and the
    longest of the loser, the first in the order of the rules where there are several."""
    line: list[Position] = []
    score = exact.score(position)
    while score != UNKNOWN and is_decisive(score) and position.standing() != LOST:
        following = -from_here(score, 1)
        for child in position.children():
            if child.standing() == LOST or exact.score(child) == following:
                break
        line.append(child)
        position = child
        score = following
    return line
