"""A recorded search: its visits, the principal variation, and selections of visits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from solver.games import Game
from solver.games.tree import Tree
from solver.search.position import Position
from solver.search.result import SearchResult
from solver.search.score import UNKNOWN
from solver.search.techniques import Techniques

MOST_VISITS = 200_000  # all are kept in memory
ONLY = ("pv", "cuts")


class Cause(Enum):
    CHILDREN = "children"
    HEURISTIC = "heuristic"
    LOST = "lost"  # the mover has no move
    TABLES = "tables"
    CACHE = "cache"
    CHILD_IN_CACHE = "transposition"  # by the cache, a child is good enough for a cutoff
    BOUND = "bound"  # no win can be soon enough to matter


@dataclass
class Visit:
    """A call of the search; window and value are for the mover.  `enter` and `leave` are step
    numbers."""

    number: int
    parent: int  # its number, -1 for a root
    position: Position
    depth: int
    alpha: int
    beta: int
    ply: int
    enter: int
    before: tuple[int, ...]  # the counters on entry
    leave: int = -1
    value: int = UNKNOWN
    cause: Cause = Cause.CHILDREN


class Subject:
    """The searched game, or None for a tree."""

    def __init__(self, game: Game | None = None, squares: bool = False) -> None:
        self.game = game
        self.squares = squares
        self.name = "tree" if game is None else game.NAME

    def move(self, parent: Position, child: Position) -> str:
        if self.game is not None:
            return self.game.move_name(parent, child, self.squares)
        assert isinstance(child, Tree)
        return child.name

    def spared(self, parent: Position, child: Position) -> str:
        """A move that was not searched; of a tree, its value or that there is more below."""
        if isinstance(child, Tree):
            return "(…)" if child.nodes else str(child)
        return self.move(parent, child)

    def place(self, line: Sequence[Position]) -> str:
        """Where the last position of a line is: `9-14 after 11-15 24-20`; in a tree, its name."""
        if isinstance(line[-1], Tree):
            return line[-1].name
        moves = [self.move(*pair) for pair in pairwise(line)]
        return f"{moves[-1]} after {' '.join(moves[:-1])}" if moves[:-1] else moves[-1]

    def rows(self, position: Position) -> tuple[str, ...] | None:
        return None if self.game is None else tuple(str(position).split("\n"))


@dataclass(eq=False)
class Trace:
    """The visits of one search and its result.  Values are for one side, the hero: the mover at the
    root, or Max in trees."""

    root: Position
    hero: str
    techniques: Techniques
    visits: list[Visit]
    result: SearchResult

    def __post_init__(self) -> None:
        score = self.result.score
        self.value = score if self.root.mover() == self.hero else -score
        self.below: dict[int, list[Visit]] = {}  # the visits of children, by the parent's number
        for visit in self.visits:
            self.below.setdefault(visit.parent, []).append(visit)
        self.line = frozenset(visit.number for visit in self._principal())

    def is_heros(self, visit: Visit) -> bool:
        return visit.position.mover() == self.hero

    def worth(self, visit: Visit) -> int:
        return visit.value if self.is_heros(visit) else -visit.value

    def window(self, visit: Visit) -> tuple[int, int]:
        return (visit.alpha, visit.beta) if self.is_heros(visit) else (-visit.beta, -visit.alpha)

    def above(self, visit: Visit) -> list[Visit]:
        """From the parent of a visit up to its root."""
        found = []
        while visit.parent >= 0:
            visit = self.visits[visit.parent]
            found.append(visit)
        return found

    def is_exact(self, visit: Visit) -> bool:
        if visit.cause in (Cause.HEURISTIC, Cause.LOST, Cause.TABLES):
            return True
        return visit.alpha < visit.value < visit.beta

    def is_cut(self, visit: Visit) -> bool:
        """Whether a cutoff left out children; at the root there are none."""
        return visit.cause is Cause.CHILDREN and visit.value >= visit.beta and visit.ply > 0

    def _principal(self) -> list[Visit]:
        """From the last root down the line of the result."""
        found = [self.below[-1][-1]]
        for position in self.result.line:
            children = self.below.get(found[-1].number, [])
            here = [visit for visit in children if visit.position == position]
            if not here:
                break
            found.append(here[-1])
        return found

    def select(self, only: str | None) -> list[Visit]:
        """All visits, or those of one kind."""
        if only == "pv":
            return [visit for visit in self.visits if visit.number in self.line]
        return [visit for visit in self.visits if only is None or self.is_cut(visit)]
