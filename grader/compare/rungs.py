"""The rungs of the ladder, and the ways to order and to remember that are tried beside them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader.variants.variant import Variant
from solver.search.result import Counters
from solver.search.techniques import CACHES, ORDERINGS, TECHNIQUES

MINIMAX, TABLES = "minimax", "+ tables"
ORDERING, CACHE = "ordering", "cache"


@dataclass(frozen=True)
class Way:
    """An ordering or a cache policy, in a search that is otherwise sound."""

    kind: str
    name: str
    variant: Variant

    def heuristic_calls(self, counters: Counters) -> int:
        """For leaves, and for children to be put in order."""
        calls = counters.evaluated
        if self.variant.techniques.ordering == "static":
            calls += counters.generated
        if self.variant.techniques.cache == "static-values":
            calls -= counters.hits
        return calls


def rungs(variant: Variant, depth: int) -> dict[str, Variant]:
    """From minimax, with the variant's heuristic and its value of a win, to everything that does
    not change a value, one technique at a time, and then the tables.  Ordering and cache are
    those of the variant; where it has none, the usual ones."""
    names = [technique.name for technique in TECHNIQUES.values() if technique.sound]
    own = variant.techniques
    here = replace(variant, depth=depth, nodes=None, seconds=None)
    here = here.changed(without=",".join([*names, "tables"]))
    found = {MINIMAX: here}
    for name in [*names, "tables"]:
        chosen = own.values[name] if own.has(name) else TECHNIQUES[name].default
        choice = {name: str(chosen)} if TECHNIQUES[name].choices else {}
        here = here.changed(with_=name, **choice)
        found[f"+ {name}"] = here
    return found


def ways(variant: Variant, depth: int) -> list[Way]:
    """Every ordering without a cache, and every cache with the usual ordering, at one depth at
    once and deepening."""
    bare = rungs(variant, depth)["+ alpha-beta"]
    ordered = bare.changed(with_="ordering")
    found = [Way(ORDERING, name, bare.changed(ordering=name)) for name in ORDERINGS]
    for searched in (ordered, ordered.changed(with_="deepening")):
        found += [Way(CACHE, name, searched.changed(cache=name)) for name in CACHES]
    return found
