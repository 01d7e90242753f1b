"""A line move by move: captures, crownings, and every move in words."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from solver.explain.describe import Describer, describe_trade
from solver.search.heuristic import Exact
from solver.search.position import FORCED, Position
from solver.search.result import SearchResult

Counts = tuple[int, ...]
NameMove = Callable[[Position, Position], str]
LONGEST_WHOLE = 20  # plies of a line that is described without a gap
FIRST, LAST = 8, 4  # plies of a longer one that are always described
SHORTEST_GAP = 4


class Trade(NamedTuple):
    """What the root's mover has taken and lost, by kind."""

    taken: Counts
    lost: Counts


class Ledger:
    """The material balance of a line; plies count from 1, ply 0 is the root."""

    def __init__(self, positions: list[Position], describer: Describer[Position]) -> None:
        self.kinds = describer.KINDS
        self.points = describer.points
        mover = positions[0].mover()
        other = next(side for side in describer.SIDES if side != mover)
        self._own = [describer.count(position, mover) for position in positions]
        self._other = [describer.count(position, other) for position in positions]
        pairs = zip(self._own, self._other, strict=True)
        balance = [self.points(own) - self.points(others) for own, others in pairs]
        self.ahead = [points - balance[0] for points in balance]  # the mover's gain after each ply

    @property
    def plies(self) -> int:
        return len(self.ahead) - 1

    def taken(self, ply: int) -> Counts:
        side = self._other if ply & 1 else self._own
        return tuple(a - b for a, b in zip(side[ply - 1], side[ply], strict=True))

    def takes(self, ply: int) -> int:
        """How many pieces this ply takes; 0 beyond the end."""
        return sum(self.taken(ply)) if 1 <= ply <= self.plies else 0

    def crowns(self, ply: int) -> bool:
        side = self._own if ply & 1 else self._other
        return len(self.kinds) > 1 and side[ply][-1] > side[ply - 1][-1]

    def is_eventful(self, ply: int) -> bool:
        """Something is taken or crowned here, or taken by the reply."""
        return self.takes(ply) > 0 or self.crowns(ply) or self.takes(ply + 1) > 0

    def trade(self, first: int, last: int) -> Trade:
        sums = [[0] * len(self.kinds), [0] * len(self.kinds)]  # of the other side, of the mover
        for ply in range(first, last + 1):
            for kind, count in enumerate(self.taken(ply)):
                sums[ply & 1][kind] += count
        return Trade(tuple(sums[1]), tuple(sums[0]))

    def combination(self, first: int = 1) -> int:
        """The last capture of the exchange that begins with this ply, a capture or an offer; else
        0.  A quiet ply of the other side ends it."""
        ply, last = first, 0
        while self.takes(ply) or (self.takes(ply + 1) and not ply - first & 1):
            if self.takes(ply):
                last = ply
            ply += 1
        return last

    def exchanges(self) -> list[tuple[int, int]]:
        """The first and last ply of every exchange."""
        found = []
        ply = 1
        while ply <= self.plies:
            last = self.combination(ply)
            if last:
                found.append((ply, last))
            ply = max(ply, last) + 1
        return found

    def first_lasting(self, holds: Callable[[int], bool]) -> int:
        """The first ply after which this holds for the mover's gain to the end, or 0."""
        ply = self.plies + 1
        while ply > 1 and holds(self.ahead[ply - 1]):
            ply -= 1
        return ply if ply <= self.plies else 0


class Way:
    """A line with the names of its moves; `result` is for the mover at the root.  A line that ends
    with a fact includes the replies that are forced."""

    def __init__(
        self,
        root: Position,
        result: SearchResult,
        exact: Exact,
        describer: Describer[Position],
        name_move: NameMove,
    ) -> None:
        positions = [root, *result.line]
        if result.is_fact:
            positions += forced_replies(positions[-1], exact)
        self.result = result
        self.positions = positions
        self.names = [name_move(parent, child) for parent, child in pairwise(positions)]
        self.ledger = Ledger(positions, describer)
        self.root = root
        self.last = positions[-1]
        self.mover = root.mover()
        self.other = positions[1].mover()
        self.plies = len(self.names)


def forced_replies(position: Position, exact: Exact) -> list[Position]:
    """The rest of an exchange, as long as the mover has only one capture, or only one that draws by
    the tables."""
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


class StoryRow(NamedTuple):
    """One move in words; or an uneventful stretch from `ply` to `until`."""

    ply: int
    until: int
    side: str
    name: str
    words: str


def describe_way(way: Way, describer: Describer[Position]) -> list[StoryRow]:
    rows: list[StoryRow] = []
    ply = 1
    while ply <= way.plies:
        until = _end_of_gap(way, ply)
        if until:
            nothing = "taken or crowned" if len(describer.KINDS) > 1 else "taken"
            words = f"{until - ply + 1} plies in which nothing is {nothing}"
            rows.append(StoryRow(ply, until, "", "", words))
            ply = until + 1
        else:
            words = _describe_ply(way, ply, describer)
            side = way.positions[ply - 1].mover()
            rows.append(StoryRow(ply, ply, side, way.names[ply - 1], words))
            ply += 1
    return rows


def _end_of_gap(way: Way, ply: int) -> int:
    """The last ply of an uneventful stretch that begins here, or 0."""
    until = ply
    while FIRST < until <= way.plies - LAST and not way.ledger.is_eventful(until):
        until += 1
    return until - 1 if way.plies > LONGEST_WHOLE and until - ply >= SHORTEST_GAP else 0


def _describe_ply(way: Way, ply: int, describer: Describer[Position]) -> str:
    parent, child = way.positions[ply - 1], way.positions[ply]
    move = describer.describe_move(parent, child)
    # Compulsory captures are mentioned with the ply before.
    if len(parent.children()) == 1 and (ply == 1 or parent.status() != FORCED):
        move += " (the only move)"
    outlook = describer.outlook(child)
    if ply > 1 and outlook == describer.outlook(parent):
        outlook = ""
    parts = [move, _describe_balance(way, ply), *describer.remarks(parent, child), outlook]
    return "; ".join(part for part in parts if part)


def _describe_balance(way: Way, ply: int) -> str:
    """After the last capture of an exchange: what for what."""
    ledger = way.ledger
    first = next((first for first, last in ledger.exchanges() if last == ply), 0)
    if not first:
        return ""
    trade = ledger.trade(first, ply)
    if not sum(trade.taken) or not sum(trade.lost):
        return ""
    gained, given = (trade.taken, trade.lost) if ply & 1 else (trade.lost, trade.taken)
    return f"that makes {describe_trade(ledger.kinds, gained, given)}"
