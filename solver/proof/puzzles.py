"""New puzzles: random positions, looked at until one has the solution that is wanted.

A puzzle leaves a choice: nothing has to be taken, there are several moves, and some of them are
worse than others.  What they are worth is proven, and proofs are bounded by nodes: the same
random numbers give the same puzzle on every machine and in every build.
"""

from __future__ import annotations

from solver.proof.prover import DrawProof, WinProof
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits, Stop
from solver.search.position import QUIET
from solver.search.score import UNKNOWN, distance, is_decisive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.search.heuristic import Exact
    from solver.search.position import Position

LEAST_MOVES = 3
PLACING = 10  # a position that is rejected at sight costs as much as so many nodes of a proof
PROOF_SHARE = 0.01  # of all nodes, for one position
DRAW_SHARE = 0.00005  # draws are proven soon or not at all: in the tables, or close to them


class Found:
    """A puzzle, the moves that solve it, and what it took to find it."""

    def __init__(self, position: Position, best: list[Position], tries: int, nodes: int) -> None:
        self.position = position
        self.best = best
        self.tries = tries
        self.nodes = nodes


class Hunt:
    """Looks for puzzles of one kind: those worth `wanted` to the mover, a win or loss in so many
    plies or 0 for a draw; with one best move only, if they are to be unique."""

    def __init__(
        self,
        place: Callable[[], Position],
        wanted: int,
        *,
        unique: bool = False,
        exact: Exact = NOTHING,
        nodes: int,
    ) -> None:
        self.place = place
        self.wanted = wanted
        self.unique = unique
        self.exact = exact
        self.nodes = nodes
        self.earlier: set[int] = set()  # the keys of the puzzles found already

    def next(self, listener: Callable[[int, int], None] | None = None) -> Found | None:
        """The next puzzle, or None if the nodes do not suffice; the listener hears, every now
        and then, how many positions were tried and how many nodes that took."""
        tries = spent = 0
        while spent < self.nodes:
            position = self.place()
            tries += 1
            spent += PLACING
            if not has_choice(position) or position.key() in self.earlier:
                continue
            share = PROOF_SHARE if is_decisive(self.wanted) else DRAW_SHARE
            trial = Trial(self.exact, max(1, int(self.nodes * share)))
            best = trial.best_moves(position, self.wanted)
            spent += trial.visited
            if listener is not None:
                listener(tries, spent)
            if 0 < len(best) < (2 if self.unique else len(position.children())):
                self.earlier.add(position.key())
                return Found(position, best, tries, spent)
        return None


def has_choice(position: Position) -> bool:
    return position.status() == QUIET and len(position.children()) >= LEAST_MOVES


class Trial:
    """What can be proven about one position, within the nodes."""

    def __init__(self, exact: Exact, nodes: int) -> None:
        self.exact = exact
        self.win = WinProof(Limits(nodes=nodes), exact)
        self.hold = DrawProof(Limits(nodes=nodes), exact)

    @property
    def visited(self) -> int:
        return self.win.counters.visited + self.hold.counters.visited

    def best_moves(self, position: Position, wanted: int) -> list[Position]:
        """The children that are best for the mover, if that is proven to be worth exactly
        `wanted`; else none."""
        try:
            if not is_decisive(wanted):
                return self._drawing(position)
            if wanted > 0:
                return self._winning(position, distance(wanted))
            return self._lasting(position, distance(wanted))
        except Stop:
            return []

    def _winning(self, position: Position, plies: int) -> list[Position]:
        """The moves that win in that many plies, if no move wins sooner."""
        # Many positions are not won at all, and many of the others are won soon.
        soon = plies // 2 | 1
        if soon < plies and self.win.forces(position, soon):
            return []
        if not self.win.forces(position, plies):
            return []
        if plies > 1 and self.win.forces(position, plies - 2):
            return []
        return self.win.ending_in(position, plies)

    def _lasting(self, position: Position, plies: int) -> list[Position]:
        """The moves that lose in that many plies, if all lose and none lasts longer."""
        if not self.win.yields(position, plies):
            return []
        if plies > 2 and self.win.yields(position, plies - 2):
            return []
        return self.win.ending_in(position, plies)

    def _drawing(self, position: Position) -> list[Position]:
        """The moves that draw, if no move wins and all others lose."""
        known = self.exact.score(position)
        if known == UNKNOWN:
            return self._drawing_by_search(position)
        if known != 0:
            return []
        return [child for child in position.children() if self.exact.score(child) == 0]

    def _drawing_by_search(self, position: Position) -> list[Position]:
        """Asks about every move whether it holds or loses, and whether the opponent holds too,
        for one number of plies after the other until all have an answer."""
        unknown = position.children()
        kept: list[Position] = []
        held = False
        for plies in range(1, self.win.longest):
            if plies & 1 and self.win.forces(position, plies):
                return []
            held = held or self.hold.yields(position, plies)
            undecided = []
            for child in unknown:
                if self.hold.yields(child, plies):
                    kept.append(child)
                elif not (plies & 1 and self.win.forces(child, plies)):
                    undecided.append(child)
            unknown = undecided
            if not unknown and (held or not kept):
                return kept
        return []
