"""What the next best move loses, and where: one test for every kind of loss."""

from __future__ import annotations

import pytest
from support.command import SHOT
from support.explaining import way

from solver.explain.compare import (
    GameValue,
    compare_ways,
    describe_change,
    describe_fall,
    describe_gain,
)
from solver.explain.story import Way
from solver.search.score import loss_in, win_in

LINE = "19-23 30x21 23x14x5 21-17 7-10 17-14 10x17 13-9 5x14"


def shot(score: int, depth: int = 9, moves: str = LINE, **finding: bool) -> Way:
    return way(SHOT, moves, score, depth, **finding)


def other(score: int, depth: int = 9, **finding: bool) -> Way:
    return way(SHOT, "7-10 30x21 10-14 9-6", score, depth, **finding)


@pytest.mark.parametrize(
    ("best", "rival", "sentence"),
    [
        (
            shot(win_in(9)),
            other(win_in(13), 13),
            "It wins as well, but takes 4 plies longer: 13 instead of 9.",
        ),
        (
            shot(win_in(9)),
            other(win_in(13)),
            "It wins as well, in at most 13 plies; the shortest way is not proven.",
        ),
        (
            shot(win_in(9)),
            other(0, certain=True),
            "The win in 9 plies is thrown away: with best play nobody wins.",
        ),
        (
            shot(win_in(9)),
            other(loss_in(4)),
            "The win in 9 plies is thrown away: black wins in 4 plies.",
        ),
        (
            shot(win_in(9)),
            other(loss_in(14)),
            "The win in 9 plies is thrown away: black wins in at most 14 plies.",
        ),
        (
            shot(win_in(9)),
            other(0),
            "Instead of the proven win in 9 plies, it leads to a position that looks even "
            "(estimate).",
        ),
        (
            shot(win_in(21)),
            other(-5),
            "Instead of the proven win in at most 21 plies, it leads to a position that looks "
            "better for black (estimate).",
        ),
        (
            shot(0, certain=True),
            other(loss_in(8)),
            "The draw is thrown away: black wins in 8 plies.",
        ),
        (
            shot(0, certain=True),
            other(-40),
            "Whether it holds the draw is not proven; it looks better for black (estimate).",
        ),
        (
            shot(0, certain=True),
            other(40),
            "It looks better for red (estimate), but it cannot be better than a draw, and whether "
            "it holds the draw is not proven.",
        ),
        (shot(0, certain=True), other(0, certain=True), "It is a draw as well."),
        (
            shot(loss_in(8)),
            other(loss_in(4)),
            "It loses as well, and 4 plies sooner: after 4 instead of 8.",
        ),
        (
            shot(loss_in(8)),
            other(-99),
            "It loses as well, after 8 plies at the latest; how soon is not proven.",
        ),
        (
            shot(50),
            other(20),
            "It looks better for red (estimate), 30 points less than the best move.",
        ),
        (
            shot(50),
            other(49),
            "It looks better for red (estimate), 1 point less than the best move.",
        ),
        (
            shot(50),
            other(20, 7),
            "It was searched to depth 7 and not 9, so the two are hard to compare.",
        ),
        (
            shot(50),
            other(loss_in(4)),
            "This is proven: black wins in 4 plies.",
        ),
        (
            shot(-50),
            other(0, certain=True),
            "This is proven: with best play nobody wins.",
        ),
    ],
)
def test_what_becomes_of_the_result(best: Way, rival: Way, sentence: str) -> None:
    assert describe_change(best, rival, compare_ways(best, rival)) == sentence


def test_a_piece_lost_for_nothing() -> None:
    """Red gives the man on g7 without getting anything, and gets two for it on the best line."""
    best, rival = shot(80, moves="19-23 30x21 23x14x5 21-17"), other(-80)
    found = compare_ways(best, rival)
    assert found.before is found.after is GameValue.UNPROVEN
    assert found.points == 160
    assert found.falls is not None
    assert found.gains is not None
    assert describe_fall(rival, found.falls) == (
        "After 7-10 30x21 (ply 2) red has lost a man, and gets nothing for it."
    )
    assert describe_gain(best, found.gains) == (
        "On the best line, after 19-23 30x21 23x14x5 (ply 3) red has won two men for one."
    )


def test_a_bad_bargain_is_told_at_the_end_of_the_exchange() -> None:
    """Two men are taken first, and then three lost; the best line takes fewer at once."""
    fen = "B:W6,15,29,30:B1,5,11,26"
    best = way(fen, "11x18 30x23x14 1x10x17", 80)
    rival = way(fen, "1x10x19 30x23x16x7", -80)
    found = compare_ways(best, rival)
    assert found.falls is not None
    assert describe_fall(rival, found.falls) == (
        "After 1x10x19 30x23x16x7 (ply 2) red has given three men for two, and does not recover."
    )
    assert found.gains is None  # nothing that the other line does not have for a moment


def test_a_king_let_through() -> None:
    fen = "B:W8,K15:B1,7"
    best, rival = way(fen, "7-10 15x6 1x10", 0), way(fen, "7-11 15-19 1-6 8-3", -80)
    found = compare_ways(best, rival)
    assert found.falls is not None
    assert describe_fall(rival, found.falls) == (
        "After 7-11 15-19 1-6 8-3 (ply 4) red has let black get a king."
    )
    assert found.gains is not None
    assert describe_gain(best, found.gains).endswith("red has won a king for a man.")


def test_what_ends_a_game_is_no_reason() -> None:
    """The line is told to its end: that everything is taken there is no news."""
    best, rival = shot(0, certain=True, moves="19-23 30x21 23x14x5 21-17"), other(50)
    assert compare_ways(rival, best).falls is None
    assert compare_ways(shot(win_in(9)), rival).gains is not None
    lost = way("B:W18,27:B23", "23x32", loss_in(4))
    assert compare_ways(best, lost).falls is None


def test_no_piece_need_make_the_difference() -> None:
    fen = "B:W32:BK10"
    found = compare_ways(way(fen, "10-15", 9), way(fen, "10-14", 5))
    assert found.falls is None
    assert found.gains is None
    assert found.points == 4


def test_two_flags() -> None:
    text = "Setup Wf4 Wg4 Bf6 Bf7 Bh6 BLACK"
    best = way(text, "f6f5 g4g5 h6h5 g5g6 f7g6", win_in(5), 5)
    rival = way(text, "h6h5 g4h5 f6f5 h5h6 f7f6 h6h7", loss_in(6), 6)
    found = compare_ways(best, rival)
    assert found.falls is not None
    assert describe_change(best, rival, found) == (
        "The win in 5 plies is thrown away: white wins in 6 plies."
    )
    assert describe_fall(rival, found.falls) == (
        "After h6h5 g4h5 (ply 2) black has lost a pawn, and gets nothing for it."
    )
