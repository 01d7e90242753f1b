"""The window of a search at its root: where the value is expected, and wider if need be."""

from __future__ import annotations

from solver.score import INFINITY, UNKNOWN, is_decisive

REACH = 20  # to either side of what is expected
WIDER = 3  # times as far, whenever the value was not in there
WIDEST = 1000  # from here on a side is left open


class Window:
    """Between alpha and beta; around a guess, or open if there is none or if it is decisive."""

    def __init__(self, guess: int = UNKNOWN) -> None:
        known = guess != UNKNOWN and not is_decisive(guess)
        self.alpha = guess - REACH if known else -INFINITY
        self.beta = guess + REACH if known else INFINITY
        self.reach = REACH

    def holds(self, value: int) -> bool:
        """Whether that is the value and no bound of it.  If it is a bound, the window is made
        wider on that side."""
        self.reach = self.reach * WIDER if self.reach < WIDEST else 2 * INFINITY
        if value <= self.alpha > -INFINITY:
            self.alpha = max(value - self.reach, -INFINITY)
            return False
        if value >= self.beta < INFINITY:
            self.beta = min(value + self.reach, INFINITY)
            return False
        return True
