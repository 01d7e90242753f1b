"""The rungs of the ladder, and the ways to order and to remember that are tried beside them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from grader.variants.variant import Variant
from solver.effort import Effort
from solver.techniques import CACHES, ORDERINGS

MINIMAX, TABLES = "minimax", "+ tables"
ORDERING, CACHE = "ordering", "cache"
NONE = "none"
# What makes windows and the way to them smaller; each alone saves little.
WINDOWS = ("aspiration", "win_bounds", "transposition_cuts")


@dataclass(frozen=True)
class Way:
    """An ordering or a cache policy, in a search that is otherwise sound."""

    kind: str
    name: str
    variant: Variant

    def heuristic_calls(self, effort: Effort) -> int:
        """For leaves, and for children to be put in order."""
        calls = effort.evaluated
        if self.variant.ordering == "static":
            calls += effort.generated
        if self.variant.cache == "static-values":
            calls -= effort.hits
        return calls


def rungs(variant: Variant, depth: int) -> dict[str, Variant]:
    """From minimax, with the variant's heuristic, extension and value of a win, to everything the
    variant has; where it has no ordering or cache, the usual one."""
    usual = Variant("")
    no_windows: dict[str, Any] = dict.fromkeys(WINDOWS, False)
    minimax = replace(
        variant,
        alpha_beta=False,
        scouts=False,
        ordering=NONE,
        cache=NONE,
        deepening=False,
        tables=False,
        **no_windows,
        depth=depth,
        nodes=None,
        seconds=None,
    )
    added: dict[str, dict[str, object]] = {
        MINIMAX: {},
        "+ alpha-beta": {"alpha_beta": True},
        "+ ordering": {"ordering": _some(variant.ordering, usual.ordering)},
        "+ caching": {"cache": _some(variant.cache, usual.cache)},
        "+ deepening": {"deepening": True},
        "+ scouts": {"scouts": True},
        "+ windows": dict.fromkeys(WINDOWS, True),
        TABLES: {"tables": True},
    }
    found = {}
    here = minimax
    for name, change in added.items():
        here = replace(here, **change)  # type: ignore[arg-type]
        found[name] = here
    return found


def _some(name: str, usual: str) -> str:
    return usual if name == NONE else name


def ways(variant: Variant, depth: int) -> list[Way]:
    """Every ordering without a cache, and every cache with the usual ordering, at one depth at
    once and deepening."""
    bare = rungs(variant, depth)["+ alpha-beta"]
    ordered = replace(bare, ordering="learned")
    found = [Way(ORDERING, name, replace(bare, ordering=name)) for name in ORDERINGS]
    for deepening in (False, True):
        for name in (NONE, *(each for each in CACHES if each != NONE)):
            found.append(Way(CACHE, name, replace(ordered, cache=name, deepening=deepening)))
    return found
