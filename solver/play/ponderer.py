"""A player that searches on its own time and ponders on the opponent's."""

from __future__ import annotations

from solver.proof.wins import WinProof
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.play.clock import MoveTime
    from solver.search.heuristic import Evaluate, Exact
    from solver.search.position import Position
    from solver.search.result import SearchResult
    from solver.search.techniques import Techniques

GLANCE = 1000  # nodes for an only move, to predict the reply
LEAST = 200  # nodes before the clock is checked
AHEAD = 2  # extra plies on the expected reply, before the others
PROOF_SHARE = 0.5  # of the time for a move, while a win is known


class Ponderer:
    """One search object for a whole game, so its cache stays warm."""

    def __init__(self, evaluate: Evaluate, techniques: Techniques, exact: Exact = NOTHING) -> None:
        self.search = Search(evaluate, techniques, exact)
        self.last: SearchResult | None = None
        self.pondered: SearchResult | None = None  # about the guess
        self.nodes = 0  # of the last move

    @property
    def guess(self) -> Position | None:
        """The position after the expected reply to our last move."""
        return None if self.last is None or len(self.last.line) < 2 else self.last.line[1]

    def think(
        self, position: Position, move_time: MoveTime, interrupted: Callable[[], bool]
    ) -> SearchResult:
        """The best move within the time; an only move is played at once.  If pondering has guessed
        the position, its result is the starting point."""

        def poll(visited: int) -> bool:
            return visited >= LEAST and (move_time.is_up() or interrupted())

        only = len(position.children()) == 1
        limits = Limits(nodes=GLANCE) if only else Limits(poll=poll)
        known = self.pondered if self.guess == position else None
        self.pondered = None
        proven = None if only else self._prove(position, move_time, interrupted)
        self.last = proven or self.search.run(position, limits, move_time.listen, known=known)
        self.nodes = (proven or self.search).counters.visited
        return self.last

    def _prove(
        self, position: Position, move_time: MoveTime, interrupted: Callable[[], bool]
    ) -> SearchResult | None:
        """What was proven before, or can be proven now.  Later in a game that is not known to be
        won, the time is better spent on the search."""

        def poll(visited: int) -> bool:
            spent = move_time.used() >= PROOF_SHARE * min(move_time.target, move_time.most)
            return visited >= LEAST and (spent or interrupted())

        exact = self.search.exact
        known = exact.solution(position)
        wins = self.last is None or (self.last.decided and self.last.score > 0)
        if known is not None or not wins or not exact.game_ends():
            return known
        return WinProof(Limits(poll=poll), exact).run(position)

    def ponder(self, position: Position, interrupted: Callable[[], bool]) -> None:
        """On the opponent's time: think about the expected reply, then about all replies."""

        def poll(visited: int) -> bool:
            return interrupted()

        if self.last is not None and self.guess is not None and self.guess.children():
            limits = Limits(depth=self.last.depth + AHEAD, poll=poll)
            found = self.search.run(self.guess, limits, known=self.pondered)
            self.pondered = found if found.depth else None
        if position.children() and not interrupted():
            self.search.run(position, Limits(poll=poll))
