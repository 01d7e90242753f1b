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
from grader.judge.illegal import sidebyside

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


def test_two_mistakes_in_one_move_are_both_told() -> None:
    judgement = of_drawing(
        """
        .b......  .br.....
        .r......  ........
        ........  ........
        ........  ........
        ....b...  ....b...
        ...r....  ...r....
        ........  ........
        ........  ........
        """
    )
    assert "jumps are compulsory" in judgement.reason
    assert "was not crowned" in judgement.reason


WAYS_ROUND = """
    ........  ...R....
    ..b.b...  ....b...
    ........  ........
    ..b.b...  ..b.b...
    ...R....  ........
    ........  ........
    ........  ........
    ........  ........
    """


@pytest.mark.parametrize(
    ("vanished", "left", "move"), [("c7", "c5", "d4xb6xd8"), ("e7", "e5", "d4xf6xd8")]
)
def test_of_several_chains_the_one_with_the_fewest_mistakes_is_meant(
    vanished: str, left: str, move: str
) -> None:
    """Two ways lead from d4 to d8, and the piece that vanished tells which one was taken."""
    drawing = WAYS_ROUND
    if vanished == "e7":
        drawing = drawing.replace("..b.b...  ....b...", "..b.b...  ..b.....")
    judgement = of_drawing(drawing)
    assert judgement.reason == f"the jumped piece on {left} was left on the board"
    assert judgement.move == move


def test_a_jump_that_ends_on_the_last_row_is_not_said_to_go_on() -> None:
    judgement = of_drawing(
        """
        ........  ...R....
        ..b.....  ..b.....
        .r......  ........
        ........  ........
        ........  ........
        ........  ........
        ........  ........
        ........  ........
        """
    )
    assert judgement.reason == "the jumped piece on c7 was left on the board"


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


def test_a_pawn_taken_en_passant_must_go() -> None:
    judgement = of_pawns(PASSED, passed="d6")
    assert judgement.reason == "the pawn taken en passant was left on d5"
    assert judgement.move == "e5d6"


def test_black_pawns_go_down() -> None:
    judgement = of_pawns(
        """
        ........  ........
        ........  .b......
        .b......  ........
        ........  ........
        ....w...  ....w...
        ........  ........
        ........  ........
        ........  ........
        """,
        side="black",
    )
    assert judgement.reason == "the black pawn on b6 moved backwards"


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


@pytest.mark.parametrize("named", ["", "black", "BLACK"])
def test_the_side_line_may_be_left_out(named: str) -> None:
    assert of_pawns(STEP, named=named).verdict is Verdict.EXACT


def test_the_side_line_must_be_switched() -> None:
    judgement = of_pawns(STEP, named="white")
    assert judgement.verdict is Verdict.ILLEGAL
    assert judgement.reason == "white is named as the side to move; after the move it is black"
    assert judgement.move == "e4e5"


def test_a_wrong_square_of_en_passant_is_told() -> None:
    judgement = of_pawns(STEP, named="black e3")
    assert judgement.verdict is Verdict.ILLEGAL
    assert "e3 is named as the square of en passant" in judgement.reason


@pytest.mark.parametrize("last", ["black", "black e3", ""])
def test_the_square_of_en_passant_may_be_left_out(last: str) -> None:
    text = "Setup We2 Bd4"
    rows = "........\n" * 4 + "...bw...\n" + "........\n" * 3 + last
    assert judged(text, rows, "twoflags").verdict is Verdict.EXACT


def test_a_setup_line_is_an_answer_too() -> None:
    judgement = judged("Setup We4 Bb7", "Setup We5 Bb7 BLACK", "twoflags")
    assert judgement.verdict is Verdict.EXACT
    assert judgement.given.endswith("black")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Setup We5 Bx7 BLACK", "line 1, column 11: 'Bx7' is not a pawn"),
        ("Setup We5 Bb7 BLACK\nhello", "unexpected line 2: 'hello'"),
        ("........\n" * 8 + "grey", "line 9 should name the side to move, not 'grey'"),
        ("........\n" * 8 + "black z9", "line 9: 'z9' is not a square"),
        ("........\n" * 8 + "black\nwhite", "line 10 is not part of the board: 'white'"),
        ("........\n" * 7 + ".....W..", "row 8, column 6: 'W' is not one of . w b"),
    ],
)
def test_a_malformed_answer(answer: str, reason: str) -> None:
    judgement = judged("Setup We4 Bb7", answer, "twoflags")
    assert judgement.verdict is Verdict.MALFORMED
    assert reason in judgement.reason


# A validator that never compared row 0, where red is crowned, passed an empty or cut output, and
# swapped the words expected and encountered.
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
