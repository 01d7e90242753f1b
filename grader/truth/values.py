"""What a move is worth, as it is written: `win in 5`, `draw`, `loss in 4`, `+12 at depth 8`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from solver.score import describe, distance, is_decisive, loss_in, win_in

PROVEN = re.compile(r"(win|loss) in ([0-9]{1,3})")
SEARCHED = re.compile(r"([+-]?[0-9]{1,6}) at depth ([0-9]{1,3})")


@dataclass(frozen=True)
class Value:
    """A score for the mover, in the solver's measure; `depth` is None if it is proven."""

    score: int
    depth: int | None = None

    @property
    def result(self) -> int:
        """1 for a win, -1 for a loss, 0 for a draw or what nobody has proven."""
        return (self.score > 0) - (self.score < 0) if is_decisive(self.score) else 0

    @property
    def proven(self) -> bool:
        return self.depth is None

    @property
    def plies(self) -> int | None:
        """How long the game lasts with best play, if that is known."""
        return distance(self.score) if self.result else None

    def __str__(self) -> str:
        if self.result:
            return describe(self.score)
        return "draw" if self.depth is None else f"{describe(self.score)} at depth {self.depth}"


@lru_cache(maxsize=4096)
def parse_value(words: str) -> Value:
    """The inverse of `str`; raises `ValueError` for anything else."""
    if words == "draw":
        return Value(0)
    if proven := PROVEN.fullmatch(words):
        plies = int(proven[2])
        won = proven[1] == "win"
        if plies % 2 != won:
            raise ValueError(f"{words!r}: a win takes an odd number of plies, a loss an even one")
        return Value(win_in(plies) if won else loss_in(plies))
    if searched := SEARCHED.fullmatch(words):
        score = int(searched[1])
        if not is_decisive(score):
            return Value(score, int(searched[2]))
    raise ValueError(f"{words!r} is not like 'win in 5', 'draw', 'loss in 4' or '+12 at depth 8'")
