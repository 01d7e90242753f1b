"""Scores: integers for the mover.  A win in n plies is `WIN - n`, a loss `n - WIN`; everything
below `DECISIVE` is an estimate, except for the 0 of a certain draw."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

WIN: Final = 1_000_000
INFINITY: Final = 1_000_001  # beyond every score: the open window
UNKNOWN: Final = 9_999_999  # no score
MAX_PLY: Final = 300  # the longest line a search can follow
MAX_DEPTH: Final = 200  # leaves room for the capture of all 64 pieces below `MAX_PLY`
DECISIVE: Final = 999_000  # scores from here on are proven wins, however long the line

# Aspiration windows: the first half-width, the growth factor, and the limit before a side opens.
REACH: Final = 20
WIDER: Final = 3
WIDEST: Final = 1000

# The value of a win by its distance from the root.
BY_DISTANCE: Final = [WIN - ply for ply in range(2 * MAX_PLY)]
BY_DEPTH_RATIO: Final = [100_000 // (ply + 1) for ply in range(2 * MAX_PLY)]


def win_in(plies: i64) -> i64:
    return WIN - plies


def loss_in(plies: i64) -> i64:
    return plies - WIN


def is_decisive(score: i64) -> bool:
    return score >= DECISIVE or score <= -DECISIVE


def distance(score: i64) -> i64:
    """The plies to the end of the game of a decisive score."""
    return WIN - score if score > 0 else WIN + score


def from_here(score: i64, ply: i64) -> i64:
    """Convert a score that counts plies from the root to one that counts from `ply`, as cached."""
    if score >= DECISIVE:
        return score + ply
    if score <= -DECISIVE:
        return score - ply
    return score


def worth(score: i64, ply: i64, wins: list[int]) -> i64:
    """A certain score, counted from `ply`, by a list of win values."""
    if score == 0:
        return 0
    value: i64 = wins[ply + distance(score)]
    return value if score > 0 else -value


def in_words(score: int, exactly: bool = True) -> str:
    """Like `describe`, but `draw` for a certain 0."""
    return describe(score, exactly) if score else "draw"


def describe(score: int, exactly: bool = True) -> str:
    """A score in words: `+12`, `win in 9`, `loss in 6`; `win in at most 9` if not exactly."""
    if not is_decisive(score):
        return f"{score:+d}" if score else "0"
    result = "win" if score > 0 else "loss"
    return f"{result} in {distance(score)}" if exactly else f"{result} in at most {distance(score)}"


class Window:
    """Alpha and beta at the root: around a guess, or open."""

    def __init__(self, guess: int = UNKNOWN) -> None:
        known = guess != UNKNOWN and not is_decisive(guess)
        self.alpha = guess - REACH if known else -INFINITY
        self.beta = guess + REACH if known else INFINITY
        self.reach = REACH

    def holds(self, value: int) -> bool:
        """Whether the value is exact; if it is a bound, the window is widened on that side."""
        self.reach = self.reach * WIDER if self.reach < WIDEST else 2 * INFINITY
        if value <= self.alpha > -INFINITY:
            self.alpha = max(value - self.reach, -INFINITY)
            return False
        if value >= self.beta < INFINITY:
            self.beta = min(value + self.reach, INFINITY)
            return False
        return True
