"""What the solver says about positions, asked once for each."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from grader.puzzles.evidence import tables_of
from grader.puzzles.truth import Value
from solver.games import game_named
from solver.proof.answer import prove
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.score import UNKNOWN, loss_in
from solver.search.techniques import Techniques

if TYPE_CHECKING:
    from solver.search.heuristic import Evaluate

PROOF_NODES = 400_000  # about two seconds in plain Python, for a position that cannot be proven
SEARCH_NODES = 40_000
MOST_POSITIONS = 100_000  # remembered; a grading of a whole class meets fewer


class Solutions:
    """Proofs and best moves of one game's positions, within a number of nodes for each.

    Every position is looked at by itself, so that an answer never depends on what was asked
    before: the same line gets the same judgement in every grading.
    """

    def __init__(self, game: str, nodes: int = PROOF_NODES) -> None:
        self.game = game_named(game)
        self.exact = tables_of(game)
        self.nodes = nodes
        self._values: dict[Any, Value | None] = {}
        self._best: dict[Any, Any] = {}

    def __len__(self) -> int:
        return len(self._values)

    def value(self, position: Any) -> Value | None:
        """The value of the mover, None if there is no proof within the nodes."""
        if position not in self._values:
            if len(self._values) >= MOST_POSITIONS:
                self._values.clear()
                self._best.clear()
            self._values[position] = self._prove(position)
        return self._values[position]

    def _prove(self, position: Any) -> Value | None:
        if not position.children():
            return Value(loss_in(0))
        known = self.exact.score(position)
        if known != UNKNOWN:
            return Value(known)
        limits = Limits(nodes=self.nodes)
        result = prove(position, self._evaluate(position), limits, self.exact).result
        if result is None:
            return None
        self._best[position] = result.best
        return Value(result.score)

    def best(self, position: Any) -> Any:
        """The best move: the shortest win, the longest defence, one that keeps a draw, or what
        a search prefers."""
        self.value(position)
        if position not in self._best:
            limits = Limits(nodes=min(SEARCH_NODES, self.nodes))
            search = Search(self._evaluate(position), Techniques(), self.exact)
            self._best[position] = search.run(position, limits).best
        return self._best[position]

    def _evaluate(self, position: Any) -> Evaluate:
        return self.game.evaluator(self.game.DEFAULT_HEURISTIC, position)


@lru_cache(maxsize=8)
def solutions_of(game: str) -> Solutions:
    """The solutions that all judgements of this process share."""
    return Solutions(game)
