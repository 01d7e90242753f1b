"""What a search cost, as counts that are the same on every machine."""

from __future__ import annotations


class Effort:
    """Counters of one search, from its start.

    visited     positions the search looked at
    expanded    positions whose children were generated
    evaluated   positions the heuristic was asked about as leaves
    generated   children generated
    alpha_cuts  positions of the root's opponent done with at once: the root has better
    beta_cuts   positions of the root's mover done with at once: the opponent has better
    probes, hits, stores   look-ups in the cache, answers taken from it, entries written
    """

    __slots__ = (
        "alpha_cuts",
        "beta_cuts",
        "evaluated",
        "expanded",
        "generated",
        "hits",
        "probes",
        "stores",
        "visited",
    )

    def __init__(self) -> None:
        self.visited = 0
        self.expanded = 0
        self.evaluated = 0
        self.generated = 0
        self.alpha_cuts = 0
        self.beta_cuts = 0
        self.probes = 0
        self.hits = 0
        self.stores = 0

    def as_dict(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __add__(self, other: Effort) -> Effort:
        total = Effort()
        for name in self.__slots__:
            setattr(total, name, getattr(self, name) + getattr(other, name))
        return total

    def __repr__(self) -> str:
        return "Effort({})".format(", ".join(f"{k}={v}" for k, v in self.as_dict().items()))


def branching_factor(visited: int, depth: int) -> float:
    """The effective branching factor: how wide an even tree of that depth and size would be.

    Solves visited = 1 + b + b**2 + ... + b**depth for b by bisection.
    """
    if depth < 1 or visited <= depth + 1:
        return 1.0
    low, high = 1.0, float(visited)
    for _ in range(60):
        middle = (low + high) / 2
        if (middle ** (depth + 1) - 1) / (middle - 1) < visited:
            low = middle
        else:
            high = middle
    return (low + high) / 2
