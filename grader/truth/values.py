"""What a move is worth, as it is written: `win in 5`, `draw`, `loss in 4`; `win in at most 33`,
certain, but perhaps sooner; `+12 at depth 8`, the opinion of a search."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from solver.score import describe, distance, in_words, is_decisive, loss_in, win_in

DECIDED = re.compile(r"(win|loss) in (at most )?([0-9]{1,3})")
SEARCHED = re.compile(r"([+-]?[0-9]{1,6}) at depth ([0-9]{1,3})")


@dataclass(frozen=True)
class Value:
    """A score for the mover, in the solver's measure.

    With a depth it is the opinion of a search.  A bounded one is a win or loss for certain, but
    nobody has proven that it cannot come sooner.
    """

    score: int
    depth: int | None = None
    bounded: bool = False

    @property
    def result(self) -> int:
        """1 for a win, -1 for a loss, 0 for a draw or what nobody has proven."""
        return (self.score > 0) - (self.score < 0) if is_decisive(self.score) else 0

    @property
    def certain(self) -> bool:
        """Whether nothing can change the result."""
        return self.depth is None

    @property
    def proven(self) -> bool:
        """Whether nothing can change the value: neither the result nor how long it takes."""
        return self.certain and not self.bounded

    @property
    def plies(self) -> int | None:
        """How long the game lasts with best play, if that is known."""
        return None if self.bounded else self.most_plies

    @property
    def most_plies(self) -> int | None:
        """How long it lasts at the most, if somebody wins for certain."""
        return distance(self.score) if self.result else None

    def after_a_ply(self) -> Value:
        """What a position of this value, proven for whoever is to move there, is to the other
        side one ply before."""
        if not self.result:
            return self
        plies = distance(self.score) + 1
        return Value(loss_in(plies) if self.result > 0 else win_in(plies), None, self.bounded)

    def __str__(self) -> str:
        if self.depth is None:
            return in_words(self.score, exactly=not self.bounded)
        return f"{describe(self.score)} at depth {self.depth}"


@lru_cache(maxsize=4096)
def parse_value(words: str) -> Value:
    """The inverse of `str`; raises `ValueError` for anything else."""
    if words == "draw":
        return Value(0)
    if decided := DECIDED.fullmatch(words):
        plies = int(decided[3])
        won = decided[1] == "win"
        if plies % 2 != won:
            raise ValueError(f"{words!r}: a win takes an odd number of plies, a loss an even one")
        return Value(win_in(plies) if won else loss_in(plies), bounded=decided[2] is not None)
    if searched := SEARCHED.fullmatch(words):
        score = int(searched[1])
        if not is_decisive(score):
            return Value(score, int(searched[2]))
    raise ValueError(
        f"{words!r} is not like 'win in 5', 'draw', 'loss in 4', 'win in at most 33' or "
        "'+12 at depth 8'"
    )
