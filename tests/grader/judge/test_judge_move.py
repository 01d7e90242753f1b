"""Verdicts by value, and answers that are not boards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.judging import judge_move, made_up

from grader.grading.records import Judgement, Verdict
from grader.puzzles.truth import parse_value

# Two red kings; no reply takes anything.
KINGS = "........\n........\n.....B..\n........\n........\n......R.\n........\n..R....."
TRUTH = made_up(KINGS)
RIGHT = TRUTH.board.encode()


def judge(output: bytes | None) -> Judgement:
    return judge_move(KINGS, output, TRUTH)


def second(*values: str) -> Judgement:
    """The judgement of the second move, with these values."""
    truth = made_up(KINGS, values=values)
    return judge_move(KINGS, truth.moves[1].board.encode(), truth)


def test_the_canonical_board_is_exact() -> None:
    judgement = judge(RIGHT)
    assert judgement.verdict is Verdict.EXACT
    assert judgement.move == TRUTH.best[0]
    assert judgement.comparison == ""


@pytest.mark.parametrize(
    ("best", "given", "verdict", "words"),
    [
        ("win in 5", "win in 5", Verdict.EQUAL, "as good as"),
        ("win in 5", "win in 7", Verdict.SLOWER, "wins in 7 plies"),
        ("win in 5", "draw", Verdict.WORSE, "the win was thrown away: now it is a draw"),
        ("win in 5", "loss in 2", Verdict.WORSE, "the win was thrown away: now it is a loss in 2"),
        ("win in 5", "+3 at depth 8", Verdict.SLOWER, "still ahead, but the win is no longer"),
        ("win in 5", "-3 at depth 8", Verdict.WORSE, "no win is proven after this move"),
        ("draw", "draw", Verdict.EQUAL, "as good as"),
        ("draw", "loss in 2", Verdict.WORSE, "the draw was thrown away"),
        ("loss in 8", "loss in 8", Verdict.EQUAL, "as good as"),
        ("loss in 8", "loss in 4", Verdict.SLOWER, "loses in 4 plies"),
        ("+9 at depth 8", "+9 at depth 8", Verdict.EQUAL, "(estimate)"),
        ("+9 at depth 8", "0 at depth 8", Verdict.WORSE, "(estimate)"),
        ("+9 at depth 8", "loss in 2", Verdict.WORSE, "the game was thrown away"),
        ("+9 at depth 8", "win in 3", Verdict.EQUAL, "better than the expected move"),
        ("+9 at depth 8", "draw", Verdict.WORSE, "a weaker move (estimate)"),
        ("-9 at depth 8", "draw", Verdict.EQUAL, "better than the expected move"),
        ("draw", "+3 at depth 8", Verdict.EQUAL, "as good as the expected move (estimate)"),
        ("draw", "-3 at depth 8", Verdict.WORSE, "a weaker move (estimate)"),
        ("draw", "win in at most 9", Verdict.EQUAL, "better than the expected move"),
        ("draw", "loss in at most 8", Verdict.WORSE, "the draw was thrown away: now it is a loss"),
        ("win in at most 9", "draw", Verdict.WORSE, "the win was thrown away: now it is a draw"),
        ("win in at most 9", "win in at most 9", Verdict.EQUAL, "which is shorter is not proven"),
        ("win in at most 9", "win in at most 11", Verdict.EQUAL, "which is shorter is not proven"),
        ("win in at most 9", "win in 5", Verdict.EQUAL, "which is shorter is not proven"),
        ("win in at most 9", "win in 11", Verdict.SLOWER, "wins in 11 plies"),
        ("win in 9", "win in at most 11", Verdict.SLOWER, "wins in at most 11 plies"),
        ("loss in 8", "loss in at most 6", Verdict.SLOWER, "loses in at most 6 plies"),
        ("loss in 8", "loss in at most 10", Verdict.EQUAL, "which lasts longer is not proven"),
        ("loss in at most 8", "loss in 2", Verdict.EQUAL, "which lasts longer is not proven"),
    ],
)
def test_another_move_is_judged_by_its_value(
    best: str, given: str, verdict: Verdict, words: str
) -> None:
    judgement = second(best, given, "loss in 2")
    assert judgement.verdict is verdict
    assert words in judgement.reason
    if verdict is Verdict.SLOWER:
        assert judgement.comparison == best.replace("win in", "could win in").replace(
            "loss in", "could hold out"
        )
    if verdict is Verdict.WORSE:
        compared = {"win in 5": "could win in 5", "draw": "could draw"}.get(best, "")
        certain = "depth" not in given + best
        assert judgement.comparison == (f"{given} instead of {best}" if certain else compared)
    if judgement.comparison:
        assert judgement.comparison not in judgement.reason + judgement.cause


def test_a_win_of_unproven_length_is_slower_only_if_no_other_may_be_sooner() -> None:
    """The expected move wins in nine, but whether that is the shortest is not known."""
    truth = replace(
        made_up(KINGS, values=("win in 9", "win in at most 11")),
        value=parse_value("win in at most 9"),
    )
    judgement = judge_move(KINGS, truth.moves[1].board.encode(), truth)
    assert judgement.verdict is Verdict.EQUAL
    assert judgement.comparison == "win in at most 11 instead of win in 9"


@pytest.mark.parametrize(
    ("output", "verdict", "words"),
    [
        (None, Verdict.MISSING, "there is no output file"),
        (b"", Verdict.MISSING, "the output file is empty"),
        (b" \r\n\n", Verdict.MISSING, "only blank space"),
        (RIGHT[:-9], Verdict.MALFORMED, "the board ends after 7 rows; it has 8"),
        (RIGHT[:-2], Verdict.MALFORMED, "row 8 has 6 characters, it should have 8"),
        (RIGHT.replace(b"........\n", b".......\n", 1), Verdict.MALFORMED, "row 1 has 7 char"),
        (b"\n" + RIGHT, Verdict.MALFORMED, "row 1 has 0 characters"),
        (RIGHT + b".", Verdict.MALFORMED, "row 8 has 9 characters"),
        (RIGHT + b"\n........", Verdict.MALFORMED, "the board has 9 rows; it should have 8"),
        (RIGHT + b"\n\n" + RIGHT, Verdict.MALFORMED, "the output holds 2 boards"),
        (RIGHT + b"\n9 moves", Verdict.MALFORMED, "line 9 is not part of the board: '9 moves'"),
        (b"Solution:\n" + RIGHT, Verdict.MALFORMED, "row 1, column 1: 'S' is not one of . r b R B"),
        (RIGHT.replace(b"B", b"\xff"), Verdict.MALFORMED, "line 3, column 6: byte 0xff is not UTF"),
        (RIGHT.replace(b"B", b"x"), Verdict.MALFORMED, "row 3, column 6: 'x' is not one of"),
        (RIGHT.replace(b"B", b"\0"), Verdict.MALFORMED, "row 3, column 6: '\\x00' is not one of"),
        (RIGHT.decode().encode("utf-16"), Verdict.MALFORMED, "UTF-16"),
        (b"hello", Verdict.MALFORMED, "row 1, column 1: 'h' is not one of"),
        (b"\n" * 20_000 + b"x", Verdict.MALFORMED, "the output has 20001 lines"),
    ],
)
def test_what_is_not_a_board_has_its_reason(
    output: bytes | None, verdict: Verdict, words: str
) -> None:
    judgement = judge(output)
    assert judgement.verdict is verdict
    assert words in judgement.reason
    assert judgement.given_board == ""


@pytest.mark.parametrize(
    "output",
    [
        *(RIGHT.replace(b"\n", b"\r\n"), RIGHT.replace(b"\n", b"  \n", 1)),
        *(RIGHT + b"\n", RIGHT + b"\n\n", b"\xef\xbb\xbf" + RIGHT),
    ],
)
def test_invisible_differences_are_ignored(output: bytes) -> None:
    assert judge(output).verdict is Verdict.EXACT
