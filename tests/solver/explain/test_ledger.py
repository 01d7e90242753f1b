"""What is taken and crowned along a line."""

from __future__ import annotations

from support.command import SHOT
from support.explaining import way

LINE = "19-23 30x21 23x14x5 21-17 7-10 17-14 10x17 13-9 5x14"


def test_a_shot_ply_by_ply() -> None:
    ledger = way(SHOT, LINE, 0).ledger
    assert [ledger.takes(ply) for ply in range(1, 10)] == [0, 1, 2, 0, 0, 0, 1, 0, 1]
    assert ledger.taken(3) == (2, 0)
    assert ledger.ahead == [0, 0, -2, 2, 2, 2, 2, 4, 4, 6]
    assert ledger.combination() == 3
    trade = ledger.trade(1, 3)
    assert (trade.taken, trade.lost, trade.crowned) == ((2, 0), (1, 0), 0)


def test_there_is_no_ply_beyond_the_line() -> None:
    ledger = way(SHOT, LINE, 0).ledger
    assert ledger.takes(0) == ledger.takes(10) == 0


def test_what_has_to_be_given_later_is_another_exchange() -> None:
    """Black's quiet step to g5 ends the shot; the men it must give after that are given."""
    assert way(SHOT, LINE, 0).ledger.exchanges() == [(1, 3), (6, 9)]


def test_from_where_on_something_is_won_or_lost() -> None:
    ledger = way(SHOT, LINE, 0).ledger
    assert ledger.stays_above(0) == 3
    assert ledger.stays_above(4) == 9
    assert ledger.stays_above(6) == 0
    assert ledger.stays_below(0) == 0
    assert way(SHOT, "7-10 30x21", 0).ledger.stays_below(0) == 2


def test_a_crowning_is_booked_for_who_is_crowned() -> None:
    ledger = way("B:W6:B24", "24-28 6-2 28-32", 0).ledger
    assert [ledger.crowns(ply) for ply in (1, 2, 3)] == [False, True, True]
    trade = ledger.trade(1, 3)
    assert (trade.crowned, trade.crowned_against) == (1, 1)
    assert ledger.ahead == [0, 0, -1, 0]


def test_a_pawn_that_lands_is_still_there() -> None:
    ledger = way("Setup Wa7 Bh5", "a7a8", 0).ledger
    assert ledger.ahead == [0, 0]
    assert not ledger.crowns(1)
