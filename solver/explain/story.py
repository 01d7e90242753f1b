"""A line told move by move."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from solver.explain.describe import traded
from solver.search.position import FORCED

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from solver.explain.describe import Describer
    from solver.search.heuristic import Exact
    from solver.search.position import Position
    from solver.search.result import SearchResult


TOLD_WHOLE = 20  # a line of so many plies is told without a gap
FIRST, LAST = 8, 4  # of a longer one, these are always told
SHORTEST_GAP = 4


class Row(NamedTuple):
    """One move in words; or the plies from `ply` to `until`, in which nothing happens."""

    ply: int
    until: int
    side: str
    name: str
    words: str


def story(way: Way, describer: Describer) -> list[Row]:
    rows: list[Row] = []
    ply = 1
    while ply <= way.plies:
        until = _gap(way, ply)
        if until:
            nothing = "taken or crowned" if len(describer.KINDS) > 1 else "taken"
            words = f"{until - ply + 1} plies in which nothing is {nothing}"
            rows.append(Row(ply, until, "", "", words))
            ply = until + 1
        else:
            side = way.positions[ply - 1].mover()
            rows.append(Row(ply, ply, side, way.names[ply - 1], _told(way, ply, describer)))
            ply += 1
    return rows


def _gap(way: Way, ply: int) -> int:
    """The last ply of a stretch worth no words that begins here; 0 if none does."""
    until = ply
    while FIRST < until <= way.plies - LAST and not way.ledger.is_eventful(until):
        until += 1
    return until - 1 if way.plies > TOLD_WHOLE and until - ply >= SHORTEST_GAP else 0


def _told(way: Way, ply: int, describer: Describer) -> str:
    parent, child = way.positions[ply - 1], way.positions[ply]
    deed = describer.deed(parent, child)
    # That a capture is compulsory was said one ply before.
    if len(parent.children()) == 1 and (ply == 1 or parent.status() != FORCED):
        deed += " (the only move)"
    outlook = describer.outlook(child)
    new = outlook and (ply == 1 or outlook != describer.outlook(parent))
    told = [deed, *_balance(way, ply), *describer.remarks(parent, child), outlook if new else ""]
    return "; ".join(words for words in told if words)


def _balance(way: Way, ply: int) -> list[str]:
    """After the last capture of an exchange in which both sides have taken: what for what."""
    ledger = way.ledger
    first = next((first for first, last in ledger.exchanges() if last == ply), 0)
    if not first:
        return []
    trade = ledger.trade(first, ply)
    if not sum(trade.taken) or not sum(trade.lost):
        return []
    gained, given = (trade.taken, trade.lost) if ply & 1 else (trade.lost, trade.taken)
    return ["that makes " + traded(ledger.kinds, gained, given)]


# What is taken and crowned along a line, ply by ply.


if TYPE_CHECKING:
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

    def __init__(self, positions: list[Position], describer: Describer) -> None:
        self.kinds = describer.KINDS
        self.points = describer.points
        mover = positions[0].mover()
        other = next(side for side in describer.SIDES if side != mover)
        self._own = [describer.count(position, mover) for position in positions]
        self._other = [describer.count(position, other) for position in positions]
        # What the mover is ahead, compared with the root, after every ply.
        self.ahead = [
            describer.points(own) - describer.points(others)
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


# One way the game may go on: a move, and the line that is expected after it.


if TYPE_CHECKING:
    Name = Callable[[Any, Any], str]


class Way:
    """The positions from the root on, and the names of the moves between them.

    The finding says what the way is worth to the mover of the root; the ledger, what is taken
    and crowned on it.
    """

    def __init__(
        self, result: SearchResult, positions: list[Position], names: list[str], ledger: Ledger
    ) -> None:
        self.result = result
        self.positions = positions
        self.names = names
        self.ledger = ledger

    @property
    def root(self) -> Position:
        return self.positions[0]

    @property
    def last(self) -> Position:
        return self.positions[-1]

    @property
    def mover(self) -> str:
        return self.root.mover()

    @property
    def other(self) -> str:
        return self.positions[1].mover()

    @property
    def plies(self) -> int:
        return len(self.names)


def way_of(
    root: Position, result: SearchResult, exact: Exact, describer: Describer, name: Name
) -> Way:
    """The way that a finding tells; `name` names a move by the positions before and after it."""
    positions = [root, *result.line]
    if result.is_fact:
        positions += forced_on(positions[-1], exact)
    names = [name(parent, child) for parent, child in pairwise(positions)]
    return Way(result, positions, names, Ledger(positions, describer))


def forced_on(position: Position, exact: Exact) -> list[Position]:
    """How a draw goes on that is told in the middle of an exchange: while somebody must take and
    has one way only, or one that holds by the tables."""
    line: list[Position] = []
    while position.status() == FORCED:
        replies = position.children()
        if len(replies) > 1 and exact.score(position) == 0:
            replies = [reply for reply in replies if exact.score(reply) == 0]
        if len(replies) != 1:
            break
        position = replies[0]
        line.append(position)
    return line
