"""A variant: one way to search, and its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from solver.games import game_named
from solver.limits import Limits
from solver.techniques import Techniques

if TYPE_CHECKING:
    from solver.games import Game


@dataclass(frozen=True)
class Variant:
    """The defaults are those of `solver.techniques`; a limit that is None is left to others."""

    name: str
    heuristic: str = ""  # the default of the game
    alpha_beta: bool = True
    scouts: bool = True
    aspiration: bool = True
    win_bounds: bool = True
    transposition_cuts: bool = True
    ordering: str = "learned"
    cache: str = "sound"
    deepening: bool = True
    extension: bool = True
    tables: bool = True
    terminal: str = "distance"
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def techniques(self) -> Techniques:
        return Techniques(
            alpha_beta=self.alpha_beta,
            scouts=self.scouts,
            aspiration=self.aspiration,
            win_bounds=self.win_bounds,
            transposition_cuts=self.transposition_cuts,
            ordering=self.ordering,
            cache=self.cache,
            deepening=self.deepening,
            extension=self.extension,
            tables=self.tables,
            terminal=self.terminal,
        )

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
