"""Time for a whole game, shared out over its moves."""

from __future__ import annotations

import time

from solver.search.limits import Stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.search.result import SearchResult

MOVES_IN_A_GAME = 26  # of one side, about
FEWEST_LEFT = 8  # moves to keep time for, however long the game already is
LAG = 0.03  # seconds a move that pass outside of the search
LARGEST_RESERVE = 0.7  # of what is left, for that
NEARLY_UP = 0.3  # seconds; with less there is no thinking any more
LONGEST_MOVE = 300.0  # seconds, even if a server gives us days
LARGEST_PART = 0.2  # of what is left, for a single move
NEXT_DEPTH = 0.45  # a depth begun after this part of the time would hardly be finished

# An unclear position is one in which the best move keeps changing.
UNCLEAR = 1.5
MOST_UNCLEAR = 3.0
CLEAR = 0.88
MOST_CLEAR = 0.5


class MoveTime:
    """How long to think about one move: `target` seconds if it is neither clear nor unclear,
    and never more than `most`."""

    def __init__(self, target: float, most: float, patient: bool = False) -> None:
        self.target = target
        self.most = most
        self.patient = patient  # uses it all
        self.clearness = 1.0
        self.started = time.monotonic()
        self.best: object = None

    def used(self) -> float:
        return time.monotonic() - self.started

    def is_up(self) -> bool:
        if self.patient:
            return self.used() >= self.most
        return self.used() >= min(self.most, 2 * self.target * self.clearness)

    def listen(self, result: SearchResult) -> None:
        """Hears of every finished depth; stops the search if another is not worth it."""
        if self.best is not None:
            if result.best == self.best:
                self.clearness = max(self.clearness * CLEAR, MOST_CLEAR)
            else:
                self.clearness = min(max(self.clearness, 1.0) * UNCLEAR, MOST_UNCLEAR)
        self.best = result.best
        if not self.patient and self.used() >= NEXT_DEPTH * self.target * self.clearness:
            raise Stop


class Clock:
    """The time of one side, for the game or for each move; a second a move without either."""

    def __init__(self, game: float | None = None, move: float | None = None) -> None:
        self.left = game
        self.move = move
        self.moves = 0

    def move_time(self) -> MoveTime:
        """The share of the next move."""
        if self.left is None:
            move = self.move or 1.0
            return MoveTime(move, move, patient=True)
        moves = max(MOVES_IN_A_GAME - self.moves, FEWEST_LEFT)
        usable = self.left - min(moves * LAG, LARGEST_RESERVE * self.left)
        most = min(usable * LARGEST_PART, LONGEST_MOVE) if self.left > NEARLY_UP else 0.0
        target = min(usable / moves, most)
        if self.move is not None:
            target, most = min(target, self.move), min(most, self.move)
        return MoveTime(target, most)

    def spend(self, seconds: float) -> None:
        """What a move has taken in the end."""
        self.moves += 1
        if self.left is not None:
            self.left = max(0.0, self.left - seconds)
