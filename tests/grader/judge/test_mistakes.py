"""One drawn board for each mistake that a program makes, in *-mistakes.txt; the answer is on the
right.  And the mistakes of a validator that was handed out with a course."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.judging import (
    judge_move,
    judged,
    made_up,
    of_drawing,
    of_pawns,
    read_mistakes,
)

from grader.grading.records import Verdict

HERE = Path(__file__).parent
CHECKERS = read_mistakes(HERE / "checkers-mistakes.txt")
PAWNS = read_mistakes(HERE / "pawn-mistakes.txt")


@pytest.mark.parametrize(("reason", "cause", "drawing"), CHECKERS + PAWNS)
def test_a_mistake_is_explained(reason: str, cause: str, drawing: str) -> None:
    is_pawns = "w" in drawing
    judgement = of_pawns(drawing) if is_pawns else of_drawing(drawing)
    assert judgement.verdict is Verdict.ILLEGAL
    assert reason in judgement.reason
    assert cause in judgement.cause
    assert is_pawns or bool(cause) == bool(judgement.cause)


def test_the_legal_jumps_are_named_for_those_who_may_see_them() -> None:
    drawing = next(drawing for reason, _, drawing in CHECKERS if "compulsory" in reason)
    judgement = of_drawing(drawing)
    assert judgement.move == "c3-d4"
    assert judgement.comparison == "a jump was available: c3xa5"
    assert "c3xa5" not in judgement.reason + judgement.cause


PASSED = """
    ........  ........
    .......b  .......b
    ........  ...w....
    ...bw...  ...b....
    ........  ........
    ........  ........
    ........  ........
    ........  ........
    """
BACKWARDS = """
    ........  ........
    ........  .b......
    .b......  ........
    ........  ........
    ....w...  ....w...
    ........  ........
    ........  ........
    ........  ........
    """
STEP = """
    ........  ........
    .b......  .b......
    ........  ........
    ........  ....w...
    ....w...  ........
    ........  ........
    ........  ........
    ........  ........
    """


@pytest.mark.parametrize(
    ("drawing", "options", "reason"),
    [
        (PASSED, {"passed": "d6"}, "the pawn taken en passant was left on d5"),
        (BACKWARDS, {"side": "black"}, "the black pawn on b6 moved backwards"),
        (
            STEP,
            {"named": "white"},
            "white is named as the side to move; after the move it is black",
        ),
        (STEP, {"named": "black e3"}, "e3 is named as the square of en passant, which is wrong"),
        (STEP, {"named": ""}, ""),
        (STEP, {"named": "BLACK"}, ""),
    ],
)
def test_pawns_and_the_side_line(drawing: str, options: dict[str, str], reason: str) -> None:
    """The line with the side may be left out."""
    judgement = of_pawns(drawing, **options)
    assert judgement.verdict is (Verdict.ILLEGAL if reason else Verdict.EXACT)
    assert not reason or judgement.reason == reason


@pytest.mark.parametrize("last", ["black", "black e3", ""])
def test_the_square_of_en_passant_may_be_left_out(last: str) -> None:
    rows = "........\n" * 4 + "...bw...\n" + "........\n" * 3 + last
    assert judged("Setup We2 Bd4", rows, "twoflags").verdict is Verdict.EXACT


def test_a_setup_line_is_an_answer_too() -> None:
    judgement = judged("Setup We4 Bb7", "Setup We5 Bb7 BLACK", "twoflags")
    assert judgement.verdict is Verdict.EXACT
    assert judgement.given_board.endswith("black")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Setup We5 Bx7 BLACK", "line 1, column 11: 'Bx7' is not a pawn"),
        ("Setup We5 Bb7 BLACK\nhello", "unexpected line 2: 'hello'"),
        ("........\n" * 8 + "grey", "line 9 should name the side to move, not 'grey'"),
        ("........\n" * 8 + "black z9", "line 9 should name the side to move, not 'black z9'"),
        ("........\n" * 8 + "black\nwhite", "line 10 is not part of the board: 'white'"),
        ("........\n" * 7 + ".....W..", "row 8, column 6: 'W' is not one of . w b"),
    ],
)
def test_a_malformed_answer(answer: str, reason: str) -> None:
    judgement = judged("Setup We4 Bb7", answer, "twoflags")
    assert judgement.verdict is Verdict.MALFORMED
    assert reason in judgement.reason


# A validator that never compared row 0, where red is crowned, and passed an empty or cut output.
CROWNING = "........\n.r......\n........\n........\n........\n......b.\n........\n........\n"
TRUTH = made_up(CROWNING)


def test_every_row_is_compared_and_nothing_cut_short_passes() -> None:
    assert judged(CROWNING, TRUTH.board).verdict is Verdict.EXACT
    assert judged(CROWNING, TRUTH.board.lower()).verdict is Verdict.ILLEGAL
    for row in range(8):
        lines = TRUTH.board.split("\n")
        lines[row] = lines[row][:-1] + ("r" if lines[row][-1] != "r" else ".")
        assert not judged(CROWNING, "\n".join(lines)).verdict.accepted
    for length in range(71):
        judgement = judge_move(CROWNING, TRUTH.board[:length].encode(), TRUTH)
        assert judgement.verdict in (Verdict.MISSING, Verdict.MALFORMED)
