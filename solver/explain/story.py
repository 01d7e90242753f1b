"""A line told move by move."""

from __future__ import annotations

from typing import NamedTuple

from solver.explain.words import traded
from solver.standing import FORCED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.explain.teller import Teller
    from solver.explain.way import Way

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


def story(way: Way, teller: Teller) -> list[Row]:
    rows: list[Row] = []
    ply = 1
    while ply <= way.plies:
        until = _gap(way, ply)
        if until:
            nothing = "taken or crowned" if len(teller.KINDS) > 1 else "taken"
            words = f"{until - ply + 1} plies in which nothing is {nothing}"
            rows.append(Row(ply, until, "", "", words))
            ply = until + 1
        else:
            side = way.positions[ply - 1].mover()
            rows.append(Row(ply, ply, side, way.names[ply - 1], _told(way, ply, teller)))
            ply += 1
    return rows


def _gap(way: Way, ply: int) -> int:
    """The last ply of a stretch worth no words that begins here; 0 if none does."""
    until = ply
    while FIRST < until <= way.plies - LAST and not way.ledger.is_eventful(until):
        until += 1
    return until - 1 if way.plies > TOLD_WHOLE and until - ply >= SHORTEST_GAP else 0


def _told(way: Way, ply: int, teller: Teller) -> str:
    parent, child = way.positions[ply - 1], way.positions[ply]
    deed = teller.deed(parent, child)
    # That a capture is compulsory was said one ply before.
    if len(parent.children()) == 1 and (ply == 1 or parent.standing() != FORCED):
        deed += " (the only move)"
    outlook = teller.outlook(child)
    new = outlook and (ply == 1 or outlook != teller.outlook(parent))
    told = [deed, *_balance(way, ply), *teller.remarks(parent, child), outlook if new else ""]
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
