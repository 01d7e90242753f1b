"""Time for a whole game, shared among its moves."""

from __future__ import annotations

import time

from solver.search.limits import Stop
from solver.search.result import SearchResult

MOVES_IN_A_GAME = 26  # of one side, on average
FEWEST_LEFT = 8  # moves to reserve time for, even in a long game
LAG = 0.03  # seconds per move outside the search
LARGEST_RESERVE = 0.7  # share of the time left for lag
NEARLY_UP = 0.3  # seconds; with less, move at once
LONGEST_MOVE = 300.0  # seconds, even with days on the clock
LARGEST_PART = 0.2  # share of the time left for one move
NEXT_DEPTH = 0.45  # after this share of the time, no new depth is started

# An unclear position is one in which the best move keeps changing.
UNCLEAR = 1.5
MOST_UNCLEAR = 3.0
CLEAR = 0.88
MOST_CLEAR = 0.5


class MoveTime:
    """How long to think about one move: about `target` seconds, longer if the best move keeps
    changing, never more than `most`."""

    def __init__(self, target: float, most: float, patient: bool = False) -> None:
        self.target = target
        self.most = most
        self.patient = patient  # use all of it
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
        """Called after each depth; stops the search if another one is unlikely to finish."""
        if self.best is not None:
            if result.best == self.best:
                self.clearness = max(self.clearness * CLEAR, MOST_CLEAR)
            else:
                self.clearness = min(max(self.clearness, 1.0) * UNCLEAR, MOST_UNCLEAR)
        self.best = result.best
        if not self.patient and self.used() >= NEXT_DEPTH * self.target * self.clearness:
            raise Stop


class Clock:
    """The time of one side, for the game or per move; by default one second per move."""

    def __init__(self, game: float | None = None, move: float | None = None) -> None:
        self.left = game
        self.move = move
        self.moves = 0

    def move_time(self) -> MoveTime:
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
        self.moves += 1
        if self.left is not None:
            self.left = max(0.0, self.left - seconds)
