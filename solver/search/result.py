"""What a search has found and what it cost, in counts that are the same on every machine."""

from __future__ import annotations

from solver.search.score import distance, is_decisive

TYPE_CHECKING = False

if TYPE_CHECKING:
    from mypy_extensions import i64

    from solver.search.position import Position


class SearchResult:
    """The result of one finished depth: the best child, its value and the line behind it.

    Depth 0 means that nothing was searched and the heuristic alone has chosen.  `certain` says
    that the score is the true value, however deep the search was: no leaf was an opinion.
    `sound` says that nothing was remembered wrongly; else only what is certain is a fact.
    """

    def __init__(
        self,
        depth: int,
        score: int,
        line: list[Position],
        counters: Counters,
        certain: bool = False,
        sound: bool = True,
    ) -> None:
        self.depth = depth
        self.score = score
        self.line = line
        self.counters = counters
        self.certain = certain
        self.sound = sound

    @property
    def best(self) -> Position:
        return self.line[0]

    @property
    def decided(self) -> bool:
        """Whether a side wins, whatever the other does, as far as the search can be trusted."""
        return is_decisive(self.score)

    @property
    def settled(self) -> bool:
        """Whether a deeper search would find nothing else."""
        return self.certain or (self.decided and distance(self.score) <= self.depth)

    @property
    def proven(self) -> bool:
        """Whether nothing can change the value.

        A decisive score that is not proven is still no opinion: the game is won or lost in that
        many plies at most, and the search has not seen whether it can be sooner.
        """
        return self.certain or (self.sound and self.settled)

    @property
    def is_fact(self) -> bool:
        """Whether the score is no opinion, even if a win may be sooner than it says."""
        return self.proven or (self.decided and self.sound)


class Counters:
    """Counters of one search, from its start.

    visited     positions the search looked at
    expanded    positions whose children were generated
    evaluated   positions the heuristic was asked about as leaves
    generated   children generated
    alpha_cuts  positions of the root's opponent done with at once: the root has better
    beta_cuts   positions of the root's mover done with at once: the opponent has better
    probes, hits, stores   look-ups in the cache, answers taken from it, entries written
    known       answers taken from endgame tables
    """

    def __init__(self) -> None:
        self.visited: i64 = 0
        self.expanded: i64 = 0
        self.evaluated: i64 = 0
        self.generated: i64 = 0
        self.alpha_cuts: i64 = 0
        self.beta_cuts: i64 = 0
        self.probes: i64 = 0
        self.hits: i64 = 0
        self.stores: i64 = 0
        self.known: i64 = 0

    def count_cut(self, ply: i64) -> None:
        if ply & 1:
            self.alpha_cuts += 1
        else:
            self.beta_cuts += 1

    def as_dict(self) -> dict[str, int]:
        return {
            "visited": self.visited,
            "expanded": self.expanded,
            "evaluated": self.evaluated,
            "generated": self.generated,
            "alpha_cuts": self.alpha_cuts,
            "beta_cuts": self.beta_cuts,
            "probes": self.probes,
            "hits": self.hits,
            "stores": self.stores,
            "known": self.known,
        }

    def plus(self, other: Counters) -> Counters:
        total = Counters()
        for name, count in other.as_dict().items():
            setattr(total, name, count + getattr(self, name))
        return total

    def copy(self) -> Counters:
        """It stays as it is while the search goes on."""
        return self.plus(Counters())


def branching_factor(visited: int, depth: int) -> float:
    """The effective branching factor: how wide an even tree of that depth and size would be.

    Solves visited = 1 + b + b**2 + ... + b**depth for b by bisection.
    """
    if depth < 1 or visited <= depth + 1:
        return 1.0
    low, high = 1.0, float(visited)
    for _ in range(60):
        middle = (low + high) / 2
        size = level = 1.0
        for _ in range(depth):
            level *= middle
            size += level
            if size > visited:
                break
        if size < visited:
            low = middle
        else:
            high = middle
    return (low + high) / 2
