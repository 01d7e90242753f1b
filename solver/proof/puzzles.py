"""New puzzles: random positions, tried until one has the wanted proven value.  A puzzle has no
compulsory capture, several moves, and some worse ones.  Proofs are bounded by nodes, so the same
random numbers give the same puzzle everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from solver.proof.prover import Prover
from solver.search.heuristic import NOTHING, Exact
from solver.search.limits import Limits
from solver.search.position import QUIET, Position
from solver.search.score import is_decisive

LEAST_MOVES = 3
PLACING = 10  # the cost in nodes of a position that is rejected at once
WIN_NODES = 20_000  # for one position: more positions find more than longer proofs
DRAW_NODES = 1_000  # draws are proven near the tables or not at all


class Found(NamedTuple):
    position: Position
    best: list[Position]
    tries: int
    nodes: int


class Hunt:
    """Looks for puzzles worth `wanted` to the mover; `unique` requires a single best move."""

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
        self.earlier: set[int] = set()  # keys of the puzzles found so far

    def next(self, listener: Callable[[int, int], None] | None = None) -> Found | None:
        """The next puzzle, or None if the nodes run out; the listener gets tries and nodes."""
        tries = spent = 0
        while spent < self.nodes:
            position = self.place()
            tries += 1
            spent += PLACING
            if position.status() != QUIET or len(position.children()) < LEAST_MOVES:
                continue
            if position.key() in self.earlier:
                continue
            nodes = WIN_NODES if is_decisive(self.wanted) else DRAW_NODES
            prover = Prover(Limits(nodes=min(nodes, self.nodes - spent)), self.exact)
            best = prover.best_moves(position, self.wanted)
            spent += prover.visited
            if listener is not None:
                listener(tries, spent)
            if 0 < len(best) < (2 if self.unique else len(position.children())):
                self.earlier.add(position.key())
                return Found(position, best, tries, spent)
        return None
