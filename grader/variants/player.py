"""A variant at work on one game: the same position always gets the same answer.

It searches and does nothing else: no proof comes first, and nothing is remembered from one
position to the next, so that what is measured is the variant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grader.variants.variant import Variant
from solver.cli.console import own_heuristic
from solver.search.alphabeta import Search
from solver.search.exact import NOTHING
from solver.search.heuristic import is_own

if TYPE_CHECKING:
    from solver.games import Game
    from solver.search.evaluate import Evaluate
    from solver.search.result import Finding


class Player:
    def __init__(self, variant: Variant, game: Game) -> None:
        self.variant = variant
        self.game = game
        self._exact = game.tables() if variant.techniques.has("tables") else NOTHING
        self._own = own_heuristic(variant.heuristic) if is_own(variant.heuristic) else None

    def look(self, position: Any, leave_out: frozenset[int] = frozenset()) -> Finding:
        """What it makes of a position that has a legal move besides those to be left out."""
        search = Search(self._evaluate(position), self.variant.techniques, self._exact)
        return search.run(position, self.variant.limits(), leave_out=leave_out)

    def _evaluate(self, position: Any) -> Evaluate:
        if self._own is not None:
            return self._own
        return self.game.evaluator(self.variant.heuristic_for(self.game), position)
