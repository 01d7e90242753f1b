"""What a side can force within n plies: yes or no questions about one tree.

Yes or no needs no heuristic and no window, and an answer for one n says much about the
others: what cannot be forced in 9 plies cannot be forced in 7.  So the table keeps two numbers
for a position, the largest n with a proven *no* and the smallest with a proven *yes*; and, for
the side that defends itself, the child that held last, which mostly holds again.
"""

from __future__ import annotations

from solver.effort import Effort
from solver.exact import NOTHING, Exact
from solver.limits import Budget, Limits
from solver.score import UNKNOWN
from solver.standing import LOST
from solver.table import MEGABYTES, Table, entries_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.position import Position

# An entry packs the child that held (from bit 16), the smallest yes and the largest no.
NOTHING_KNOWN: Final = 0xFF00
LONGEST: Final = 0xFE  # the largest n that an entry can hold
GENERATIONS: Final = 4  # in two tables


def generation_of_two(megabytes: i64) -> i64:
    """The generation of the two tables of a proof that stays within so much memory."""
    return max(1, entries_in(megabytes) // GENERATIONS)


GENERATION: Final = generation_of_two(MEGABYTES)


class Forcing:
    """One attempt to prove something.  A subclass says what is aimed at; what is remembered
    serves every question asked about the tree, whichever side it is about."""

    def __init__(
        self, limits: Limits, exact: Exact = NOTHING, *, generation: i64 = GENERATION
    ) -> None:
        self.longest: i64 = min(limits.depth or LONGEST, LONGEST)
        self.budget = Budget(limits)
        self.check_at: i64 = 0
        self.effort = Effort()
        self.exact: Final = exact
        self.knowing: Final = exact is not NOTHING
        self.asked: i64 = 0  # all questions about the root up to so many plies have an answer
        self.forced: Final = Table(generation)
        self.yielded: Final = Table(generation)

    def allow(self, limits: Limits) -> None:
        """Go on within other limits; nodes are counted from the beginning."""
        self.budget = Budget(limits)
        self.check_at = 0

    def is_reached(self, score: i64, plies: i64) -> bool:
        """Whether a known score, for the side that aims, is what it aims at within the plies."""
        raise NotImplementedError

    def is_reached_at_once(self, child: Position) -> bool:
        """Whether the move to this child, the last that was left, has reached the aim."""
        return child.standing() == LOST

    def forces(self, position: Position, plies: i64) -> bool:
        """Whether the mover can force its aim in at most that many plies."""
        self._visit()
        if self.knowing:
            known = self.exact.score(position)
            if known != UNKNOWN:
                self.effort.known += 1
                return self.is_reached(known, plies)
        self.effort.probes += 1
        key: object = position.key()
        entry = self.forced.get(key)
        if entry < 0:
            entry = NOTHING_KNOWN
        if plies >= entry >> 8 or plies <= entry & 0xFF:
            self.effort.hits += 1
            return plies >= entry >> 8
        for child in self._children(position):
            if self.is_reached_at_once(child) if plies == 1 else self.yields(child, plies - 1):
                self.forced.put(key, plies << 8 | entry & 0xFF)
                return True
        self.forced.put(key, entry & 0xFF00 | plies)
        return False

    def yields(self, position: Position, plies: i64) -> bool:
        """Whether the other side reaches its aim in at most that many plies, whatever the
        mover does."""
        self._visit()
        if self.knowing:
            known = self.exact.score(position)
            if known != UNKNOWN:
                self.effort.known += 1
                return self.is_reached(-known, plies)
        self.effort.probes += 1
        key: object = position.key()
        entry = self.yielded.get(key)
        if entry < 0:
            entry = NOTHING_KNOWN
        if plies >= entry >> 8 & 0xFF or plies <= entry & 0xFF:
            self.effort.hits += 1
            return plies >= entry >> 8 & 0xFF
        children = self._children(position)
        held: i64 = entry >> 16
        if children and not self.forces(children[held], plies - 1):
            self.yielded.put(key, entry & ~0xFF | plies)
            return False
        index: i64 = 0
        for child in children:
            if index != held and not self.forces(child, plies - 1):
                self.yielded.put(key, index << 16 | entry & 0xFF00 | plies)
                return False
            index += 1
        self.yielded.put(key, entry & ~0xFF00 | plies << 8)
        return True

    def _visit(self) -> None:
        effort = self.effort
        effort.visited += 1
        if effort.visited >= self.check_at:
            self.check_at = self.budget.check(effort.visited)

    def _children(self, position: Position) -> list[Position]:
        """The children of a position about to be decided, and stored."""
        children = position.children()
        effort = self.effort
        effort.expanded += 1
        effort.stores += 1
        effort.generated += len(children)
        return children
