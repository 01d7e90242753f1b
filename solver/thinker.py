"""A player that thinks on its own time and on the opponent's."""

from __future__ import annotations

from solver.limits import Limits
from solver.search import Search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.finding import Finding
    from solver.position import Evaluate, Position
    from solver.switches import Switches
    from solver.timing import MoveTime

GLANCE = 1000  # nodes for an only move, to expect a reply
AHEAD = 2  # plies deeper than the last move, until pondering turns to the other replies


class Thinker:
    """One search object for a whole game: what it has learned stays."""

    def __init__(self, evaluate: Evaluate, switches: Switches) -> None:
        self.search = Search(evaluate, switches)
        self.last: Finding | None = None
        self.nodes = 0  # of the last move
        self.ponder_nodes = 0  # since then

    @property
    def guess(self) -> Position | None:
        """The position that we expect after the opponent's reply to our last move."""
        return None if self.last is None or len(self.last.line) < 2 else self.last.line[1]

    def think(
        self, position: Position, move_time: MoveTime, interrupted: Callable[[], bool]
    ) -> Finding:
        """The best move within the time; an only move is played at once."""
        limits = Limits(poll=lambda visited: move_time.is_up() or interrupted())
        if len(position.children()) == 1:
            limits = Limits(nodes=GLANCE)
        self.last = self.search.run(position, limits, move_time.listen)
        self.nodes = self.search.effort.visited
        self.ponder_nodes = 0
        return self.last

    def ponder(self, position: Position, interrupted: Callable[[], bool]) -> None:
        """Think while the opponent is to move, until interrupted: first about our answer to
        the reply that we expect, then about all replies."""

        def poll(visited: int) -> bool:
            return interrupted()

        if self.last is not None and self.guess is not None and self.guess.children():
            self._ponder(self.guess, Limits(depth=self.last.depth + AHEAD, poll=poll))
        if position.children() and not interrupted():
            self._ponder(position, Limits(poll=poll))

    def _ponder(self, position: Position, limits: Limits) -> None:
        self.search.run(position, limits)
        self.ponder_nodes += self.search.effort.visited
