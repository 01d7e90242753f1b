"""Shortest wins: "can the mover win in n plies?", asked for one n after the other."""

from __future__ import annotations

from solver.errors import contradiction
from solver.finding import Finding
from solver.forcing import Forcing
from solver.limits import Limits, Stop
from solver.score import UNKNOWN, distance, loss_in, win_in
from solver.standing import LOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import i64

    from solver.position import Position


class ShortestWin(Forcing):
    """The aim is a win within the plies that are asked for, and not just some day."""

    def is_reached(self, score: i64, plies: i64) -> bool:
        return score >= win_in(plies)

    def run(self, root: Position) -> Finding | None:
        """The shortest win of the root's mover, or the longest defence of a lost root.

        The root must have a legal move.  None if neither could be proven within the limits;
        `asked` is then the last question with an answer.  Of equally short wins the first in
        the order of the rules is taken.
        """
        known = self.exact.score(root)
        if known != UNKNOWN:
            self.effort.known += 1
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
        return position.standing() == LOST or (plies > 0 and self.yields(position, plies))

    def _finding(self, root: Position, plies: i64) -> Finding:
        """The answer and its whole line; nearly all that it asks for is remembered."""
        score = win_in(plies) if plies & 1 else loss_in(plies)
        effort = self.effort.so_far()
        self.allow(Limits())  # what is proven must be told
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
