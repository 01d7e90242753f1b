"""What is known for certain about a position, before any search.

A game with endgame tables offers a subclass; this one knows nothing, and serves the others.
"""

from __future__ import annotations

from solver.errors import contradiction
from solver.search.position import LOST
from solver.search.score import UNKNOWN, WIN, distance, from_here, is_decisive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import i64

    from solver.search.position import Position


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
    if score == UNKNOWN or not is_decisive(score):
        return line
    for _ in range(distance(score)):
        score = -from_here(score, 1)
        position = _child_worth(exact, position, score)
        line.append(position)
    return line


def _child_worth(exact: Exact, position: Position, score: i64) -> Position:
    """The first child with that score for its mover."""
    for child in position.children():
        if exact.score(child) == score or (score == -WIN and child.status() == LOST):
            return child
    raise contradiction()
