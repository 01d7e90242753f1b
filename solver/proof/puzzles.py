"""New puzzles: random positions, tried until one has the solution that is wanted.

A puzzle leaves a choice: nothing has to be taken, there are several moves, and some of them are
worse than others.  What they are worth is proven, and proofs are bounded by nodes: the same
random numbers give the same puzzle on every machine and in every build.
"""

from __future__ import annotations

from solver.proof.prover import Prover
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits
from solver.search.position import QUIET
from solver.search.score import is_decisive

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
            if position.status() != QUIET or len(position.children()) < LEAST_MOVES:
                continue
            if position.key() in self.earlier:
                continue
            share = PROOF_SHARE if is_decisive(self.wanted) else DRAW_SHARE
            prover = Prover(Limits(nodes=max(1, int(self.nodes * share))), self.exact)
            best = prover.best_moves(position, self.wanted)
            spent += prover.visited
            if listener is not None:
                listener(tries, spent)
            if 0 < len(best) < (2 if self.unique else len(position.children())):
                self.earlier.add(position.key())
                return Found(position, best, tries, spent)
        return None
