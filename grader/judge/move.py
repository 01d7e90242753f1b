"""One move: the answer to a puzzle is the board after the best move."""

from __future__ import annotations

from functools import lru_cache

from grader.judge.boards import Drawing, drawn, fits
from grader.judge.causes import betrayed
from grader.judge.illegal import Asked, explain
from grader.judge.reading import Form, Unreadable, read_answer
from grader.judge.weighing import weighed
from grader.judgement import Judgement
from grader.truth import Move, Truth
from grader.verdicts import Verdict
from solver.games import game_named


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
    if not truth.moves:
        return _judge_finished(input_text, given, truth)
    given = _as_read(input_text, given, truth)
    for move, board in _boards(truth):
        if fits(given, board):
            return _judge_legal(input_text, move, given, truth)
    return _judge_illegal(input_text, given, truth)


@lru_cache(maxsize=256)
def _boards(truth: Truth) -> tuple[tuple[Move, Drawing], ...]:
    return tuple((move, drawn(move.board, truth.game, truth.variant)) for move in truth.moves)


def _as_read(input_text: str, given: Drawing, truth: Truth) -> Drawing:
    """A man on its crowning row in the input is read as a king; an answer may leave it so."""
    before = drawn(input_text, truth.game, truth.variant).cells
    raw = input_text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\n", "")
    if truth.game != "checkers" or raw[:64] == before or len(raw) < 64:
        return given
    mended = [
        king if man != king and letter == man else letter
        for man, king, letter in zip(raw, before, given.cells, strict=False)
    ]
    return Drawing("".join(mended), given.side, given.passed)


def _judge_finished(input_text: str, given: Drawing, truth: Truth) -> Judgement:
    """A puzzle in which the game is over: the answer is the input, unchanged."""
    text = truth.board or input_text
    wanted = drawn(text, truth.game, truth.variant)
    if given.cells == wanted.cells:
        reason = "the game was over already; the board is unchanged, as it should be"
        return Judgement(Verdict.EXACT, reason, given=str(given), expected=str(wanted))
    reason = "the game was over already, so nothing may be moved"
    return Judgement(Verdict.ILLEGAL, reason, given=str(given), expected=str(wanted))


def _judge_legal(input_text: str, move: Move, given: Drawing, truth: Truth) -> Judgement:
    canonical = fits(given, drawn(truth.board, truth.game, truth.variant))
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
    game = game_named(truth.game)
    position, _, _ = game.read(input_text, "the input", False, truth.variant)
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
