"""What is taken and crowned along a line, ply by ply."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.explain.teller import Teller
    from solver.position import Position

    Counts = tuple[int, ...]


class Trade(NamedTuple):
    """What the root's mover has taken and lost by the end of some plies, by kind, and how many
    pieces each side has crowned."""

    taken: Counts
    lost: Counts
    crowned: int
    crowned_against: int


class Ledger:
    """The books of a line; plies count from 1, and ply 0 is the root."""

    def __init__(self, positions: list[Position], teller: Teller) -> None:
        self.kinds = teller.KINDS
        self.points = teller.points
        mover = positions[0].mover()
        other = next(side for side in teller.SIDES if side != mover)
        self._own = [teller.count(position, mover) for position in positions]
        self._other = [teller.count(position, other) for position in positions]
        # What the mover is ahead, compared with the root, after every ply.
        self.ahead = [
            teller.points(own) - teller.points(others)
            for own, others in zip(self._own, self._other, strict=True)
        ]
        self.ahead = [points - self.ahead[0] for points in self.ahead]

    @property
    def plies(self) -> int:
        return len(self.ahead) - 1

    def taken(self, ply: int) -> Counts:
        """What that ply takes, by kind."""
        of = self._other if ply & 1 else self._own
        return _less(of[ply - 1], of[ply])

    def takes(self, ply: int) -> int:
        """How many pieces that ply takes; none if there is no such ply."""
        return sum(self.taken(ply)) if 1 <= ply <= self.plies else 0

    def crowns(self, ply: int) -> bool:
        by = self._own if ply & 1 else self._other
        return len(self.kinds) > 1 and by[ply][-1] > by[ply - 1][-1]

    def is_eventful(self, ply: int) -> bool:
        """Something is taken or crowned, or is taken by the answer."""
        return self.takes(ply) > 0 or self.crowns(ply) or self.takes(ply + 1) > 0

    def trade(self, first: int, last: int) -> Trade:
        """What was won and lost in these plies."""
        taken = _less(self._other[first - 1], self._other[first - 1])
        lost = taken
        for ply in range(first, last + 1):
            if ply & 1:
                taken = _plus(taken, self.taken(ply))
            else:
                lost = _plus(lost, self.taken(ply))
        crowning = [ply for ply in range(first, last + 1) if self.crowns(ply)]
        against = sum(1 for ply in crowning if not ply & 1)
        return Trade(taken, lost, len(crowning) - against, against)

    def combination(self, first: int = 1) -> int:
        """The last capture of the exchange that begins with this ply, a capture or an offer; 0
        if it is neither.  Who begins it may offer again; a ply of the other side that takes
        nothing ends it."""
        ply, last = first, 0
        while self.takes(ply) or (self.takes(ply + 1) and not ply - first & 1):
            if self.takes(ply):
                last = ply
            ply += 1
        return last

    def exchanges(self) -> list[tuple[int, int]]:
        """The first and the last ply of every exchange."""
        found = []
        ply = 1
        while ply <= self.plies:
            last = self.combination(ply)
            if last:
                found.append((ply, last))
            ply = max(ply, last) + 1
        return found

    def stays_below(self, level: int) -> int:
        """The first ply from which on the mover is less than so much ahead; 0 if there is none."""
        return _lasting([points < level for points in self.ahead])

    def stays_above(self, level: int) -> int:
        """The same the other way round."""
        return _lasting([points > level for points in self.ahead])


def _lasting(states: list[bool]) -> int:
    """From where on all of them hold; 0 if the last one does not."""
    ply = len(states)
    while ply > 1 and states[ply - 1]:
        ply -= 1
    return ply if ply < len(states) else 0


def _less(one: Counts, two: Counts) -> Counts:
    return tuple(a - b for a, b in zip(one, two, strict=True))


def _plus(one: Counts, two: Counts) -> Counts:
    return tuple(a + b for a, b in zip(one, two, strict=True))
