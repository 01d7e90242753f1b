"""The four mistakes of a validator that was handed out with a course.

It never compared row 0, where red is crowned; it passed an empty or cut output; it swapped the
words expected and encountered; and it always ended as if all were well.
"""

from __future__ import annotations

import pytest
from support.judging import judge_move, judged, made_up

from grader.grading.records import Verdict
from grader.judge import sidebyside

CROWNING = """\
........
.r......
........
........
........
......b.
........
........
"""
TRUTH = made_up(CROWNING)


@pytest.mark.parametrize("row", range(8))
def test_every_row_is_compared(row: int) -> None:
    lines = TRUTH.board.split("\n")
    lines[row] = lines[row][:-1] + ("r" if lines[row][-1] != "r" else ".")
    assert not judged(CROWNING, "\n".join(lines)).verdict.accepted


def test_the_first_row_is_compared_by_crown_and_man() -> None:
    assert judged(CROWNING, TRUTH.board).verdict is Verdict.EXACT
    assert judged(CROWNING, TRUTH.board.lower()).verdict is Verdict.ILLEGAL


@pytest.mark.parametrize("length", range(71))
def test_an_empty_or_cut_output_never_passes(length: int) -> None:
    judgement = judge_move(CROWNING, TRUTH.board[:length].encode(), TRUTH)
    assert judgement.verdict in (Verdict.MISSING, Verdict.MALFORMED)


def test_expected_and_given_are_what_their_names_say() -> None:
    given = made_up(CROWNING).moves[1].board
    judgement = judge_move(CROWNING, given.encode(), TRUTH)
    assert (judgement.expected, judgement.given) == (TRUTH.board, given)
    lines = sidebyside(CROWNING, judgement.expected, judgement.given).split("\n")
    assert [board[:3] for board in (TRUTH.board, given)] == ["R..", "..R"]
    assert lines[0].split() == ["input", "expected", "given"]
    assert "8[R]. ." in lines[2].split("    ")[1]
    assert "8 . .[R]" in lines[2].split("    ")[2]


@pytest.mark.parametrize("verdict", Verdict)
def test_nothing_is_accepted_but_what_was_judged_good(verdict: Verdict) -> None:
    assert verdict.accepted == (verdict in (Verdict.EXACT, Verdict.EQUAL))
