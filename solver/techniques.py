"""Which techniques a search uses, each by name, so that each can be measured alone."""

from __future__ import annotations

from solver.cache import (
    BoardCache,
    BoardDepthCache,
    Cache,
    DeeperCache,
    SoundCache,
    StaticValues,
    WindowCache,
)
from solver.ordering import LearnedOrdering, Ordering, StaticOrdering
from solver.score import BY_DEPTH_RATIO, BY_DISTANCE, INFINITY
from solver.table import MEGABYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.heuristic import Heuristic

ORDERINGS = {
    "none": "the order of the rules",
    "static": "by heuristic value",
    "learned": "cached move, captures, killers, moves that force a capture, history",
    "killers": "the same without preference for moves that force a capture",
}
CACHES = {
    "none": "nothing is remembered",
    "sound": "value by position, depth and bound",
    "static-values": "heuristic values only, negated for the other turn; "
    "unsound for heuristics that favour the mover",
    "unsound-board": "value by board alone",
    "unsound-board-depth": "value by board and depth, bounds taken for values",
    "unsound-deeper": "value by position, of any search as deep or deeper, bounds taken for values",
    "unsound-window": "value by position and window, whatever the depth",
}
TERMINALS = {
    "distance": BY_DISTANCE,  # win in n: 1000000 - n
    "depth-ratio": BY_DEPTH_RATIO,  # win at ply n: 100000 // (n + 1)
}


def plain(**others: Any) -> Techniques:
    """Alpha-beta and nothing else, but for what is said."""
    bare: dict[str, Any] = {"ordering": "none", "cache": "none"}
    techniques = [name for name in Techniques.TECHNIQUES if name not in ("alpha_beta", "terminal")]
    return Techniques(**{**dict.fromkeys(techniques, False), **bare, **others})


class Techniques:
    """The techniques of one search.  The default is everything that is sound.

    `megabytes` is how much memory its cache may take; no value depends on it.
    """

    TECHNIQUES = (
        *("alpha_beta", "aspiration", "cache", "deepening", "extension", "ordering"),
        *("scouts", "tables", "terminal", "transposition_cuts", "win_bounds"),
    )
    __slots__ = (*TECHNIQUES, "megabytes")

    def __init__(
        self,
        *,
        alpha_beta: bool = True,
        scouts: bool = True,
        aspiration: bool = True,
        win_bounds: bool = True,
        transposition_cuts: bool = True,
        ordering: str = "learned",
        cache: str = "sound",
        deepening: bool = True,
        extension: bool = True,
        tables: bool = True,
        terminal: str = "distance",
        megabytes: int = MEGABYTES,
    ) -> None:
        for name, known in ((ordering, ORDERINGS), (cache, CACHES), (terminal, TERMINALS)):
            if name not in known:
                raise ValueError(f"{name!r} is not one of {', '.join(known)}")
        self.alpha_beta = alpha_beta
        self.scouts = scouts
        self.aspiration = aspiration
        self.win_bounds = win_bounds
        self.transposition_cuts = transposition_cuts
        self.ordering = ordering
        self.cache = cache
        self.deepening = deepening
        self.extension = extension
        self.tables = tables
        self.terminal = terminal
        self.megabytes = megabytes

    def as_dict(self) -> dict[str, str | bool]:
        return {name: getattr(self, name) for name in self.TECHNIQUES}

    def __repr__(self) -> str:
        return "Techniques({})".format(", ".join(f"{k}={v!r}" for k, v in self.as_dict().items()))

    @property
    def wins(self) -> list[int]:
        """What a win is worth, by its distance from the root."""
        return TERMINALS[self.terminal]

    @property
    def caches_searches(self) -> bool:
        """Whether the search itself is remembered, and not nothing or only static values."""
        return self.cache not in ("none", "static-values")

    @property
    def remembers_soundly(self) -> bool:
        """Whether the cache never takes one value for another."""
        return not self.cache.startswith("unsound")

    def make_ordering(self, heuristic: Heuristic) -> Ordering:
        if self.ordering in ("learned", "killers"):
            return LearnedOrdering(forcing=self.ordering == "learned")
        return StaticOrdering(heuristic) if self.ordering == "static" else Ordering()

    def make_cache(self) -> Cache:
        if self.cache == "sound":
            unstorable = INFINITY + 1 if self.terminal == "distance" else self.wins[-1]
            return SoundCache(unstorable, self.megabytes)
        if self.cache == "unsound-board":
            return BoardCache(self.megabytes)
        if self.cache == "unsound-board-depth":
            return BoardDepthCache(self.megabytes)
        if self.cache == "unsound-deeper":
            return DeeperCache(self.megabytes)
        if self.cache == "unsound-window":
            return WindowCache(self.megabytes)
        return Cache()

    def make_static_values(self, heuristic: Heuristic) -> StaticValues | None:
        return StaticValues(heuristic, self.megabytes) if self.cache == "static-values" else None
