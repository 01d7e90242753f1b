"""A variant: one way to search, and its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from solver.games import game_named
from solver.search.limits import Limits
from solver.search.techniques import Techniques

if TYPE_CHECKING:
    from solver.games import Game

USUAL = Techniques()


@dataclass(frozen=True)
class Variant:
    """A limit that is None is left to others."""

    name: str
    heuristic: str = ""  # the default of the game
    techniques: Techniques = USUAL
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def changed(self, *, with_: str = "", without: str = "", **choices: str) -> Variant:
        """With other techniques."""
        techniques = self.techniques.changed(with_=with_, without=without, megabytes=0, **choices)
        return replace(self, techniques=techniques)

    def as_dict(self) -> dict[str, Any]:
        """As in JSON records."""
        limits = {"depth": self.depth, "nodes": self.nodes, "seconds": self.seconds}
        about = {"name": self.name, "heuristic": self.heuristic}
        return {**about, **self.techniques.as_dict(), **limits}

    def limits(self) -> Limits:
        return Limits(self.depth, self.nodes, self.seconds)

    @property
    def is_limited(self) -> bool:
        return (self.depth, self.nodes, self.seconds) != (None, None, None)

    def limited(
        self, depth: int | None = None, nodes: int | None = None, seconds: float | None = None
    ) -> Variant:
        """With these limits, if it has none of its own."""
        if self.is_limited:
            return self
        return replace(self, depth=depth, nodes=nodes, seconds=seconds)

    def heuristic_for(self, game: Game) -> str:
        return self.heuristic or game.DEFAULT_HEURISTIC

    def plays(self, game_name: str) -> bool:
        """Whether it has a heuristic for the game; a user's own may have one for every game."""
        game = game_named(game_name)
        name = self.heuristic_for(game)
        return ":" in name or name in game.heuristics()


def told_apart(variants: Sequence[Variant]) -> list[Variant]:
    """The same variants; whoever has the name of an earlier one gets a number."""
    apart: dict[str, Variant] = {}
    for variant in variants:
        name, count = variant.name, 1
        while name in apart:
            count += 1
            name = f"{variant.name}#{count}"
        apart[name] = replace(variant, name=name)
    return list(apart.values())
