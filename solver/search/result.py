"""Search results and counters."""

from __future__ import annotations

from solver.search.score import distance, is_decisive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import i64

    from solver.search.position import Position

COUNTERS = (
    *("visited", "expanded", "evaluated", "generated", "alpha_cuts", "beta_cuts"),
    *("probes", "hits", "stores", "known"),
)


class SearchResult:
    """The result of one finished depth; depth 0 is a choice by heuristic alone.  `certain`: no leaf
    was an estimate.  `sound`: the cache made no mistakes.  `bound`: proven, but the win or loss may
    come sooner than the score says."""

    def __init__(
        self,
        depth: int,
        score: int,
        line: list[Position],
        counters: Counters,
        certain: bool = False,
        sound: bool = True,
        bound: bool = False,
    ) -> None:
        self.depth = depth
        self.score = score
        self.line = line
        self.counters = counters
        self.certain = certain
        self.sound = sound
        self.bound = bound

    @property
    def best(self) -> Position:
        return self.line[0]

    @property
    def decided(self) -> bool:
        """Whether one side wins by force."""
        return is_decisive(self.score)

    @property
    def settled(self) -> bool:
        """Whether a deeper search cannot change the result."""
        reached = self.decided and distance(self.score) <= self.depth
        return self.certain or self.bound or reached

    @property
    def proven(self) -> bool:
        """Whether the value is exact.  A decisive score that is not proven is an upper bound for
        the length of a win or loss."""
        return self.certain or (self.sound and self.settled and not self.bound)

    @property
    def is_fact(self) -> bool:
        """Whether the score is not an estimate; a win may still be faster than it says."""
        return self.proven or (self.decided and self.sound)


class Counters:
    """Counters of one search.  evaluated: leaves valued by the heuristic; generated: children;
    alpha_cuts and beta_cuts: cutoffs at nodes of the root's opponent and of its mover; known: table
    hits."""

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
        return {name: getattr(self, name) for name in COUNTERS}

    def plus(self, other: Counters) -> Counters:
        total = Counters()
        for name, count in other.as_dict().items():
            setattr(total, name, count + getattr(self, name))
        return total

    def copy(self) -> Counters:
        return self.plus(Counters())


def branching_factor(visited: int, depth: int) -> float:
    """The effective branching factor: solves visited = 1 + b + ... + b**depth by bisection."""
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
