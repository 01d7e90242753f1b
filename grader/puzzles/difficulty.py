"""How hard a puzzle is: what a search needs to see which moves are best, measured, not guessed.

The yardstick is the solver's search, without its proofs, with the plainest heuristic of the game
and without the endgame tables, which no student has.  It has seen through a puzzle at the
smallest depth from which on, as far as `MOST` nodes reach, it gives every best move a higher value
than any other.  So no move is found by luck, in the order of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits
from solver.search.techniques import TECHNIQUES, Techniques

if TYPE_CHECKING:
    from solver.games import Game
    from solver.search.heuristic import Evaluate, Exact
    from solver.search.result import SearchResult

MOST = 100_000  # nodes for one measurement
DEEPEST = 60
ALL = Techniques("tables")
# These leave the value of a position and a depth as it is.
MEASURED = ("alpha-beta", "pvs", "ordering", "cache", "deepening")


@dataclass(frozen=True)
class Difficulty:
    """Nodes are those of all depths up to the one that is needed; None is more than `MOST`.

    `without` says what they are without a technique, `with_tables` what with the tables.
    """

    stars: int
    depth: int | None
    nodes: int | None
    without: dict[str, int | None]
    with_tables: int | None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        return "*" * self.stars


def measure(rules: Game, position: Any, best: Iterable[int], exact: Exact) -> Difficulty:
    """How hard it is to tell the best moves, known by their indexes, from all others."""
    trial = _Trial(position, best, rules.evaluator(rules.PLAINEST_HEURISTIC, position))
    depth, nodes = trial.seen_through(ALL)
    without = {
        TECHNIQUES[name].field: None
        if depth is None
        else trial.nodes_at(depth, ALL.changed(without=name))
        for name in MEASURED
    }
    without[TECHNIQUES["captures"].field] = trial.seen_through(ALL.changed(without="captures"))[1]
    with_tables = nodes if exact is NOTHING else trial.seen_through(Techniques(), exact)[1]
    return Difficulty(stars(nodes), depth, nodes, without, with_tables)


def stars(nodes: int | None) -> int:
    """1 for less than 100 nodes, 2 for less than 1000, and so on; 5 if `MOST` are not enough."""
    return 5 if nodes is None else max(1, len(str(nodes)) - 1)


@dataclass(frozen=True)
class _Step:
    """One depth, after so many nodes."""

    depth: int
    nodes: int
    is_right: bool


class _Trial:
    """One puzzle, given to several searches."""

    def __init__(self, position: Any, best: Iterable[int], evaluate: Evaluate) -> None:
        self.position = position
        self.best = frozenset(best)
        self.others = frozenset(range(len(position.children()))) - self.best
        self.evaluate = evaluate

    def seen_through(
        self, techniques: Techniques, exact: Exact = NOTHING
    ) -> tuple[int | None, int | None]:
        """The smallest depth from which on it is right, and the nodes up to there."""
        found = None
        for step in self._steps(techniques, exact, range(1, DEEPEST + 1)):
            if not step.is_right:
                found = None
            elif found is None:
                found = step
        return (None, None) if found is None else (found.depth, found.nodes)

    def nodes_at(self, depth: int, techniques: Techniques) -> int | None:
        """The nodes that it takes to finish that depth, if they are not too many."""
        depths = range(1, depth + 1) if techniques.has("deepening") else [depth]
        for step in self._steps(techniques, NOTHING, depths):
            if step.depth == depth:
                return step.nodes
        return None

    def _steps(
        self, techniques: Techniques, exact: Exact, depths: Iterable[int]
    ) -> Iterator[_Step]:
        """Depth by depth, the best moves and all others apart, until no greater depth can change
        anything."""
        if not self.others:
            yield _Step(0, 0, True)
            return
        search = Search(self.evaluate, techniques, exact)
        found: list[SearchResult | None] = [None, None]
        nodes = 0
        for depth in depths:
            for at, left_out in enumerate((self.others, self.best)):
                limits = Limits(depth=depth, nodes=MOST - nodes)
                result = search.run(self.position, limits, leave_out=left_out, known=found[at])
                nodes += int(search.counters.visited)
                if result.depth < depth and not result.proven:
                    return
                found[at] = result
            best, others = (result for result in found if result is not None)
            yield _Step(depth, nodes, best.score > others.score)
            if best.proven or others.proven:
                return
