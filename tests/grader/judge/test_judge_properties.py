"""Whatever is on the board and whatever the answer is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import naive_twoflags as naive
from support.drawings import any_rows, text_of
from support.judging import judge_line, judge_move, made_up
from support.pawn_drawings import VARIANT, any_game

from grader.grading.records import Judgement, Verdict
from grader.judge.illegal import sidebyside
from grader.puzzles.truth import Truth

# From the best to the worst, and the verdict of the second when the first is best.
VALUES = ("win in 5", "win in 9", "draw", "loss in 4")
VERDICTS = (Verdict.EQUAL, Verdict.SLOWER, Verdict.WORSE, Verdict.WORSE)
LETTERS = {"checkers": ".rbRB", "twoflags": ".wb"}


@st.composite
def puzzles(draw: st.DrawFn) -> tuple[str, Truth]:
    """A position of either game, and values for its moves; the first one is the best."""
    values = ("win in 5", *draw(st.lists(st.sampled_from(VALUES), min_size=1, max_size=6)))
    if draw(st.booleans()):
        text = text_of(draw(any_rows()))
        return text, made_up(text, "checkers", values)
    game = draw(any_game())
    text = naive.text_of(game)
    return text, made_up(text, "twoflags", values, VARIANT[game.en_passant])


def check(judgement: Judgement, truth: Truth) -> None:
    """What holds for every judgement of an answer to a puzzle with moves."""
    assert judgement.reason
    assert judgement.best == truth.best
    assert judgement.expected == truth.board
    words = f"{judgement.reason} {judgement.cause}"
    for name in truth.best:
        assert name not in words or name in judgement.move
    assert truth.board not in words
    shown = sidebyside(truth.moves[0].board, None, judgement.given)
    assert "expected" not in shown


@given(puzzles())
def test_every_legal_answer_is_judged_by_its_value(puzzle: tuple[str, Truth]) -> None:
    text, truth = puzzle
    for number, move in enumerate(truth.moves):
        judgement = judge_move(text, move.board.encode(), truth)
        wanted = VERDICTS[VALUES.index(str(move.value))] if number else Verdict.EXACT
        assert judgement.verdict is wanted
        assert judgement.move == move.name
        check(judgement, truth)


def rows_of(board: str) -> str:
    return "\n".join(board.split("\n")[:8])


@settings(max_examples=60)
@given(puzzles(), st.data())
def test_what_no_move_leads_to_is_illegal(puzzle: tuple[str, Truth], data: st.DataObject) -> None:
    """Boards that are a few squares away from the input or from a legal answer."""
    text, truth = puzzle
    boards = [rows_of(move.board) for move in truth.moves]
    start = rows_of(text if not text.lower().startswith("setup") else "........\n" * 8)
    cells = list(data.draw(st.sampled_from([*boards, start])).replace("\n", ""))
    letters = st.sampled_from(LETTERS[truth.game])
    for square, letter in data.draw(st.lists(st.tuples(st.integers(0, 63), letters), max_size=6)):
        cells[square] = letter
    answer = "\n".join("".join(cells[at : at + 8]) for at in range(0, 64, 8))
    judgement = judge_move(text, answer.encode(), truth)
    if not truth.moves:
        assert judgement.verdict in (Verdict.EXACT, Verdict.ILLEGAL)
        return
    assert (judgement.verdict is Verdict.ILLEGAL) == (answer not in boards)
    check(judgement, truth)


@given(
    puzzles(),
    st.one_of(
        st.binary(max_size=200),
        st.text(".rbRBw \n\r\tWB:KSetup0123456789whiteblack", max_size=120).map(str.encode),
    ),
    st.booleans(),
)
def test_no_answer_whatever_makes_the_judge_stumble(
    puzzle: tuple[str, Truth], output: bytes, strict: bool
) -> None:
    text, truth = puzzle
    judgement = judge_move(text, output, truth, strict)
    assert not judgement.verdict.accepted or not truth.moves
    line = judge_line(text, output, truth, strict, optimum=5)
    assert not line.verdict.accepted or not truth.moves


@given(puzzles(), st.data())
def test_a_cut_answer_is_never_accepted(puzzle: tuple[str, Truth], data: st.DataObject) -> None:
    text, truth = puzzle
    if not truth.moves:
        return
    rows = rows_of(truth.board)
    length = data.draw(st.integers(0, len(rows) - 1))
    assert not judge_move(text, rows[:length].encode(), truth).verdict.accepted


@pytest.mark.parametrize("name", ["reason", "cause"])
def test_a_broken_duty_to_jump_does_not_name_the_only_jump(name: str) -> None:
    text = "........\n........\n........\n........\n.b......\n..r.....\n........\n........"
    step = "........\n........\n........\n........\n.b.r....\n........\n........\n........"
    truth = made_up(text)
    judgement = judge_move(text, step.encode(), truth)
    assert truth.best == ("c3xa5",)
    assert "c3xa5" in judgement.comparison
    assert "a5" not in getattr(judgement, name)
