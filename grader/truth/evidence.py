"""What can be proven about each move of a position: questions with a yes or a no, no opinion.

All moves are treated alike: every question "is it over in n plies?" is asked about each of
them before the next n.  Counts of nodes bound it all, so that the same puzzle has the same
truth on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grader.truth.model import Source
from grader.truth.values import Value
from solver.forcing import LONGEST
from solver.holding import Holding
from solver.limits import Limits, Stop
from solver.score import UNKNOWN, loss_in, win_in
from solver.shortest import ShortestWin
from solver.standing import LOST

if TYPE_CHECKING:
    from solver.exact import Exact

FIRST_SHARE = 0.25  # of the nodes, for wins and losses that are near
DRAW_SHARE = 0.25  # for draws, where the tables were met; the rest is for wins and losses again


class Evidence:
    """What is known about one move, for the side that makes it."""

    def __init__(self, child: Any, exact: Exact) -> None:
        self.child = child
        self.value: Value | None = None
        self.source = Source.NONE
        self.asked = 1  # it is neither won nor lost in so many plies, unless `value` says so
        self.holds = False  # the mover has at least a draw after it
        self.is_held = False  # so has the other side
        known = exact.score(child)
        if known != UNKNOWN:
            self._know(Value(known).after_a_ply(), Source.TABLES)
        elif child.standing() == LOST:
            self._know(Value(win_in(1)), Source.SEARCH)

    def _know(self, value: Value, source: Source) -> None:
        self.value = value
        self.source = source

    @property
    def can_win(self) -> bool:
        """As far as anybody knows."""
        return not self.is_held if self.value is None else self.value.result > 0

    def ask_for_an_end(self, proof: ShortestWin) -> None:
        """Whether it is over in one ply more than was asked before."""
        plies = self.asked + 1
        child, after = self.child, self.asked
        if plies & 1:
            if not self.is_held and proof.yields(child, after):
                self._know(Value(win_in(plies)), Source.SEARCH)
        elif not self.holds and proof.forces(child, after):
            self._know(Value(loss_in(plies)), Source.SEARCH)
        self.asked = plies

    def ask_for_a_draw(self, proof: Holding, plies: int) -> None:
        self.is_held = self.is_held or proof.forces(self.child, plies)
        self.holds = self.holds or proof.yields(self.child, plies)
        if self.is_held and self.holds:
            self._know(Value(0), Source.SEARCH)


class Inquiry:
    """All questions about the moves of one position."""

    def __init__(self, children: list[Any], exact: Exact, nodes: int) -> None:
        self.moves = [Evidence(child, exact) for child in children]
        self.ends = ShortestWin(Limits(nodes=nodes), exact)
        self.draws = Holding(Limits(nodes=nodes), exact)
        self.nodes = nodes

    @property
    def visited(self) -> int:
        return int(self.ends.effort.visited + self.draws.effort.visited)

    @property
    def open(self) -> list[Evidence]:
        return [move for move in self.moves if move.value is None]

    @property
    def asked(self) -> int:
        """Whoever wins or loses in so many plies, it is proven."""
        return min((move.asked for move in self.open), default=0)

    def ask(self) -> None:
        """Everything that the nodes suffice for."""
        self._ask_for_ends(int(self.nodes * FIRST_SHARE))
        if self.ends.effort.known:
            self._ask_for_draws(int(self.nodes * DRAW_SHARE))
        self._ask_for_ends(self.nodes - int(self.draws.effort.visited))

    def _ask_for_ends(self, nodes: int) -> None:
        self.ends.allow(Limits(nodes=nodes))
        try:
            while self.open and self.asked < LONGEST:
                asked = self.asked
                for move in self.open:
                    if move.asked == asked:
                        move.ask_for_an_end(self.ends)
        except Stop:
            pass

    def _ask_for_draws(self, nodes: int) -> None:
        self.draws.allow(Limits(nodes=nodes))
        try:
            for plies in range(1, LONGEST + 1):
                for move in self.open:
                    move.ask_for_a_draw(self.draws, plies)
        except Stop:
            pass
