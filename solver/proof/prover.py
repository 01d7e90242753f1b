"""What a side can force within n plies: yes or no questions about one tree.

Yes or no needs no heuristic and no window, and an answer for one n says much about the
others: what cannot be forced in 9 plies cannot be forced in 7.  So the table keeps two numbers
for a position, the largest n with a proven *no* and the smallest with a proven *yes*; and, for
the side that defends itself, the child that held last, which mostly holds again.
"""

from __future__ import annotations

from solver.errors import contradiction
from solver.search.cache import MEGABYTES, Table, entries_in
from solver.search.heuristic import NOTHING, Exact
from solver.search.limits import Budget, Limits, Stop
from solver.search.position import LOST
from solver.search.result import Counters, SearchResult
from solver.search.score import UNKNOWN, distance, loss_in, win_in

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.search.heuristic import Evaluate
    from solver.search.position import Position


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
        self.counters = Counters()
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
        return child.status() == LOST

    def forces(self, position: Position, plies: i64) -> bool:
        """Whether the mover can force its aim in at most that many plies."""
        self._visit()
        if self.knowing:
            known = self.exact.score(position)
            if known != UNKNOWN:
                self.counters.known += 1
                return self.is_reached(known, plies)
        self.counters.probes += 1
        key: object = position.key()
        entry = self.forced.get(key)
        if entry < 0:
            entry = NOTHING_KNOWN
        if plies >= entry >> 8 or plies <= entry & 0xFF:
            self.counters.hits += 1
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
                self.counters.known += 1
                return self.is_reached(-known, plies)
        self.counters.probes += 1
        key: object = position.key()
        entry = self.yielded.get(key)
        if entry < 0:
            entry = NOTHING_KNOWN
        if plies >= entry >> 8 & 0xFF or plies <= entry & 0xFF:
            self.counters.hits += 1
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
        counters = self.counters
        counters.visited += 1
        if counters.visited >= self.check_at:
            self.check_at = self.budget.check(counters.visited)

    def _children(self, position: Position) -> list[Position]:
        """The children of a position about to be decided, and stored."""
        children = position.children()
        counters = self.counters
        counters.expanded += 1
        counters.stores += 1
        counters.generated += len(children)
        return children


# Shortest wins: "can the mover win in n plies?", asked for one n after the other.


class WinProof(Forcing):
    """The aim is a win within the plies that are asked for, and not just some day."""

    def is_reached(self, score: i64, plies: i64) -> bool:
        return score >= win_in(plies)

    def run(self, root: Position) -> SearchResult | None:
        """The shortest win of the root's mover, or the longest defence of a lost root.

        The root must have a legal move.  None if neither could be proven within the limits;
        `asked` is then the last question with an answer.  Of equally short wins the first in
        the order of the rules is taken.
        """
        known = self.exact.score(root)
        if known != UNKNOWN:
            self.counters.known += 1
            if known == 0:
                self.asked = self.longest
                return None
            self.asked = distance(known)
            return self._finding(root, self.asked)
        try:
            while self.asked < self.longest:
                plies = self.asked + 1
                proven = self.forces(root, plies) if plies & 1 else self.yields(root, plies)
                self.asked = plies
                if proven:
                    return self._finding(root, plies)
        except Stop:
            pass
        return None

    def best_children(self, root: Position, plies: i64) -> list[Position]:
        """All children that win, or lose, in as many plies as `run` has proven."""
        self.allow(Limits())
        return self.ending_in(root, plies)

    def ending_in(self, root: Position, plies: i64) -> list[Position]:
        """The children that do so, within the limits, if it is so many plies to the end."""
        children = root.children()
        if plies & 1:
            return [child for child in children if self._is_lost_in(child, plies - 1)]
        if plies == 2:
            return children
        return [child for child in children if not self.forces(child, plies - 3)]

    def _is_lost_in(self, position: Position, plies: i64) -> bool:
        return position.status() == LOST or (plies > 0 and self.yields(position, plies))

    def _finding(self, root: Position, plies: i64) -> SearchResult:
        """The answer and its whole line; nearly all that it asks for is remembered."""
        score = win_in(plies) if plies & 1 else loss_in(plies)
        counters = self.counters.so_far()
        self.allow(Limits())  # what is proven must be told
        line: list[Position] = []
        position = root
        for left in range(plies, 0, -1):
            if left & 1:
                position = self._winning_child(position, left)
            else:
                position = self._holding_child(position, left)
            line.append(position)
        return SearchResult(plies, score, line, counters)

    def _winning_child(self, position: Position, plies: i64) -> Position:
        for child in position.children():
            if self._is_lost_in(child, plies - 1):
                return child
        raise contradiction()

    def _holding_child(self, position: Position, plies: i64) -> Position:
        """The child that loses no sooner: the one that held when two plies fewer were asked."""
        children = position.children()
        if plies == 2:
            return children[0]
        if self.exact.score(position) == UNKNOWN:
            self.yields(position, plies - 2)
            return children[self.yielded.get(position.key()) >> 16]
        for child in children:
            if not self.forces(child, plies - 3):
                return child
        raise contradiction()


# Draws: a game is drawn if both sides can force at least a draw.
#
# Without tables nothing says that a game will never end; so what is aimed at is a position of the
# tables that is drawn, or better than that.


class DrawProof(Forcing):
    """The aim is at least a draw."""

    def is_reached(self, score: i64, plies: i64) -> bool:
        return score >= 0

    def is_reached_at_once(self, child: Position) -> bool:
        known = self.exact.score(child)
        return child.status() == LOST if known == UNKNOWN else known <= 0

    def run(self, root: Position, evaluate: Evaluate) -> SearchResult | None:
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

    def _finding(self, root: Position, plies: i64, evaluate: Evaluate) -> SearchResult:
        counters = self.counters.so_far()
        keeping = self.keeping(root, plies)
        if not keeping:
            raise contradiction()
        best = min(keeping, key=evaluate)
        return SearchResult(plies, 0, [best], counters, certain=True)
