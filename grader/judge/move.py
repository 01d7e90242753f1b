"""One move: the answer to a puzzle is the board after the best move."""

from __future__ import annotations

from functools import lru_cache

from grader.grading.records import Judgement, Verdict
from grader.judge.illegal import Asked, betrayed, explain
from grader.judge.reading import (
    Drawing,
    Form,
    Unreadable,
    as_read,
    drawing_of,
    drawn,
    fits,
    read_answer,
    uncrowned,
)
from grader.judge.weighing import weighed
from grader.puzzles.find import read_board
from grader.puzzles.truth import Move, Truth, children_of


def judge_move(
    input_text: str, output: bytes | None, truth: Truth, strict: bool = False
) -> Judgement:
    """Judges by value, never by text: any move as good as the canonical one is as good."""
    try:
        given = read_answer(output, Form(truth.game, truth.variant, strict))
    except Unreadable as unreadable:
        return Judgement(
            unreadable.verdict, unreadable.reason, best=truth.best, expected=truth.board
        )
    return judge_board(input_text, given, truth)


def judge_board(input_text: str, given: Drawing, truth: Truth) -> Judgement:
    """The judgement of an answer that is a board."""
    before = drawn(input_text, truth.game, truth.variant)
    given = as_read(given, before.cells, uncrowned(input_text, truth.game, truth.variant))
    if not truth.moves:
        return _judge_finished(before, given)
    for move, board in _boards(input_text, truth):
        if fits(given, board):
            return _judge_legal(input_text, move, given, truth)
    return _judge_illegal(input_text, given, truth)


@lru_cache(maxsize=256)
def _boards(input_text: str, truth: Truth) -> tuple[tuple[Move, Drawing], ...]:
    """Every move with the board after it.  The rules draw it: what is listed may be a text that
    does not say who is to move."""
    children = children_of(truth, read_board(truth.game, input_text, truth.variant).position)
    boards = [drawing_of(child, truth.game) for child in children]
    return tuple(zip(truth.moves, boards, strict=True))


def _judge_finished(before: Drawing, given: Drawing) -> Judgement:
    """A puzzle in which the game is over: the answer is the input, unchanged."""
    if given.cells == before.cells:
        reason = "the game was over already; the board is unchanged, as it should be"
        return Judgement(Verdict.EXACT, reason, given=str(given), expected=str(before))
    reason = "the game was over already, so nothing may be moved"
    return Judgement(Verdict.ILLEGAL, reason, given=str(given), expected=str(before))


def _judge_legal(input_text: str, move: Move, given: Drawing, truth: Truth) -> Judgement:
    canonical = given.cells == drawn(truth.board, truth.game, truth.variant).cells
    verdict, reason, comparison = weighed(move, truth, canonical)
    cause = ""
    if verdict in (Verdict.SLOWER, Verdict.WORSE):
        cause = betrayed(input_text, move, truth)
    return Judgement(
        verdict,
        reason,
        cause,
        comparison,
        move=move.name,
        best=truth.best,
        given=str(given),
        expected=truth.board,
    )


def _judge_illegal(input_text: str, given: Drawing, truth: Truth) -> Judgement:
    position = read_board(truth.game, input_text, truth.variant).position
    breach = explain(Asked(truth.game, truth.variant, position), given)
    return Judgement(
        Verdict.ILLEGAL,
        breach.reason,
        breach.cause,
        breach.hint,
        move=breach.move,
        best=truth.best,
        given=str(given),
        expected=truth.board,
    )
