"""The other moves: which are as good as the best one, and which is the best of the rest."""

from __future__ import annotations

from solver.explain.result import is_as_good
from solver.limits import Limits
from solver.puzzles import Trial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.exact import Exact
    from solver.finding import Finding
    from solver.position import Position

    Ask = Callable[[frozenset[int]], Finding]

# To ask about every move costs a multiple of the proof that was about one.
TIMES_THE_PROOF = 8
LEAST_NODES = 2_000
# The share of the nodes for a look at the other moves: after a fact, any depth will do; after an
# opinion only the same depth says something, and that takes what it takes.
AFTER_FACT, AFTER_OPINION = 0.5, 2.0


class Rivals:
    """`equal` are the other moves that are as good as the best one; `next_best` is what was
    found about the best of those that are not, or None if there are none."""

    def __init__(self, equal: list[Position], next_best: Finding | None, moves: int) -> None:
        self.equal = equal
        self.next_best = next_best
        self.moves = moves  # legal ones, the best included


def rivals(root: Position, known: list[Finding], ask: Ask, exact: Exact) -> Rivals:
    """Compare the best move with the others.

    `known` are findings about the best moves, the best first; `ask` finds the best of the moves
    but for the children of these indexes.
    """
    best, children = known[0], root.children()
    equal = _proven_equal(root, best, exact) if best.proven else []
    found = [finding for finding in known[1:] if finding.best not in equal]
    while len(equal) + 1 < len(children):
        if not found:
            seen = [best.best, *equal]
            found = [ask(frozenset(children.index(child) for child in seen))]
        finding = found.pop(0)
        if not is_as_good(best, finding):
            return Rivals(equal, finding, len(children))
        equal.append(finding.best)
    return Rivals(equal, None, len(children))


def further(limits: Limits, best: Finding) -> Limits:
    """The limits of one more look, if these were those of the best move."""
    if best.is_fact:
        return Limits(limits.depth, limits.part(AFTER_FACT).nodes, limits.seconds)
    return Limits(max(1, best.depth), limits.part(AFTER_OPINION).nodes, limits.seconds)


def _proven_equal(root: Position, best: Finding, exact: Exact) -> list[Position]:
    """By a proof that asks for all best moves at once; none if it does not come to an end."""
    nodes = LEAST_NODES + TIMES_THE_PROOF * best.effort.visited
    moves = Trial(exact, nodes).best_moves(root, best.score)
    return [move for move in moves if move != best.best]
