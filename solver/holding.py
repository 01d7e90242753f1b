"""Draws: a game is drawn if both sides can force at least a draw.

Without tables nothing says that a game will never end; so what is aimed at is a position of the
tables that is drawn, or better than that.
"""

from __future__ import annotations

from solver.errors import contradiction
from solver.finding import Finding
from solver.forcing import Forcing
from solver.limits import Limits, Stop
from solver.score import UNKNOWN
from solver.standing import LOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import i64

    from solver.evaluate import Evaluate
    from solver.position import Position


class Holding(Forcing):
    """The aim is at least a draw."""

    def is_reached(self, score: i64, plies: i64) -> bool:
        return score >= 0

    def is_reached_at_once(self, child: Position) -> bool:
        known = self.exact.score(child)
        return child.standing() == LOST if known == UNKNOWN else known <= 0

    def run(self, root: Position, evaluate: Evaluate) -> Finding | None:
        """The draw that both sides can force, by the move that the heuristic likes best of
        those that keep it; None if a draw could not be proven within the limits."""
        known = self.exact.score(root)
        if known != UNKNOWN:
            return self._finding(root, 1, evaluate) if known == 0 else None
        held = yielded = False
        try:
            while self.asked < self.longest:
                plies = self.asked + 1
                held = held or self.forces(root, plies)
                yielded = yielded or self.yields(root, plies)
                self.asked = plies
                if held and yielded:
                    return self._finding(root, plies, evaluate)
        except Stop:
            pass
        return None

    def keeping(self, root: Position, plies: i64) -> list[Position]:
        """The children after which the root's mover still holds the draw, within that many
        plies; perhaps not all there are."""
        self.allow(Limits())
        if plies == 1:
            return [child for child in root.children() if self.is_reached_at_once(child)]
        return [child for child in root.children() if self.yields(child, plies - 1)]

    def _finding(self, root: Position, plies: i64, evaluate: Evaluate) -> Finding:
        effort = self.effort.so_far()
        keeping = self.keeping(root, plies)
        if not keeping:
            raise contradiction()
        best = min(keeping, key=evaluate)
        return Finding(plies, 0, [best], effort, certain=True)
