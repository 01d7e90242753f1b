"""Shortest wins: the same tree searched for one question, "can the mover win in n plies?".

Yes or no needs no heuristic and no window, and an answer for one n says much about the
others: whoever cannot win in 9 plies cannot win in 7.  So the table keeps two numbers for a
position, the largest n with a proven *no* and the smallest with a proven *yes*; and, for the
side that tries not to lose, the child that held last, which mostly holds again.
"""

from __future__ import annotations

from solver.effort import Effort
from solver.finding import Finding
from solver.limits import Budget, Limits, Stop
from solver.score import loss_in, win_in
from solver.standing import LOST
from solver.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.position import Position

# An entry packs the child that held (from bit 16), the smallest yes and the largest no.
NOTHING_KNOWN: Final = 0xFF00
LONGEST: Final = 0xFE  # the largest n that an entry can hold
GENERATION: Final = 1 << 19  # entries; all in all a few hundred megabytes


class ShortestWin:
    """One proof attempt.  The tables serve every question asked about its tree."""

    def __init__(self, limits: Limits, generation: i64 = GENERATION) -> None:
        self.longest: i64 = min(limits.depth or LONGEST, LONGEST)
        self.budget = Budget(limits)
        self.check_at: i64 = 0
        self.effort = Effort()
        self.asked: i64 = 0  # it is known whether the root is won or lost in so many plies
        self.wins: Final = Table(generation)
        self.losses: Final = Table(generation)

    def run(self, root: Position) -> Finding | None:
        """The shortest win of the root's mover, or the longest defence of a lost root.

        The root must have a legal move.  None if neither could be proven within the limits;
        `asked` is then the last question with an answer.  Of equally short wins the first in
        the order of the rules is taken.
        """
        try:
            while self.asked < self.longest:
                plies = self.asked + 1
                proven = self.wins_in(root, plies) if plies & 1 else self.loses_in(root, plies)
                self.asked = plies
                if proven:
                    return self._finding(root, plies)
        except Stop:
            pass
        return None

    def best_children(self, root: Position, plies: i64) -> list[Position]:
        """All children that win, or lose, in as many plies as `run` has proven."""
        self.budget = Budget(Limits())
        children = root.children()
        if plies & 1:
            return [child for child in children if self._is_lost_in(child, plies - 1)]
        if plies == 2:
            return children
        return [child for child in children if not self.wins_in(child, plies - 3)]

    def _is_lost_in(self, position: Position, plies: i64) -> bool:
        return position.standing() == LOST or (plies > 0 and self.loses_in(position, plies))

    def wins_in(self, position: Position, plies: i64) -> bool:
        """Whether the mover can force a win in at most that many plies (an odd number)."""
        self._visit()
        key = position.key()
        entry = self.wins.get(key)
        if entry < 0:
            entry = NOTHING_KNOWN
        if plies >= entry >> 8 or plies <= entry & 0xFF:
            self.effort.hits += 1
            return plies >= entry >> 8
        for child in self._children(position):
            lost = child.standing() == LOST if plies == 1 else self.loses_in(child, plies - 1)
            if lost:
                self.wins.put(key, plies << 8 | entry & 0xFF)
                return True
        self.wins.put(key, entry & 0xFF00 | plies)
        return False

    def loses_in(self, position: Position, plies: i64) -> bool:
        """Whether the mover loses in at most that many plies (an even number) whatever it does."""
        self._visit()
        key = position.key()
        entry = self.losses.get(key)
        if entry < 0:
            entry = NOTHING_KNOWN
        if plies >= entry >> 8 & 0xFF or plies <= entry & 0xFF:
            self.effort.hits += 1
            return plies >= entry >> 8 & 0xFF
        children = self._children(position)
        held: i64 = entry >> 16
        if children and not self.wins_in(children[held], plies - 1):
            self.losses.put(key, entry & ~0xFF | plies)
            return False
        index: i64 = 0
        for child in children:
            if index != held and not self.wins_in(child, plies - 1):
                self.losses.put(key, index << 16 | entry & 0xFF00 | plies)
                return False
            index += 1
        self.losses.put(key, entry & ~0xFF00 | plies << 8)
        return True

    def _visit(self) -> None:
        effort = self.effort
        effort.visited += 1
        effort.probes += 1
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

    def _finding(self, root: Position, plies: i64) -> Finding:
        """The answer and its whole line; the tables hold nearly all that it asks for."""
        score = win_in(plies) if plies & 1 else loss_in(plies)
        effort = self.effort.so_far()
        self.budget = Budget(Limits())  # what is proven must be told
        line: list[Position] = []
        position = root
        for left in range(plies, 0, -1):
            if left & 1:
                position = self._winning_child(position, left)
            else:
                position = self._holding_child(position, left)
            line.append(position)
        return Finding(plies, score, line, effort)

    def _winning_child(self, position: Position, plies: i64) -> Position:
        for child in position.children():
            if self._is_lost_in(child, plies - 1):
                return child
        raise AssertionError("a proven win has a winning move")

    def _holding_child(self, position: Position, plies: i64) -> Position:
        """The child that loses no sooner: the one that held when two plies fewer were asked."""
        children = position.children()
        if plies == 2:
            return children[0]
        self.loses_in(position, plies - 2)
        return children[self.losses.get(position.key()) >> 16]
