"""The judge: from a puzzle, an answer and what is known about the puzzle to a verdict.  Pure: no
clock, no screen, and no file but the ones that `judge` is given."""

from __future__ import annotations

from pathlib import Path

from grader.grading.records import Judgement
from grader.judge.move import judge_move
from grader.puzzles.evidence import NODES, find_truth
from solver.games import check_variant, game_named, game_of


def judge(
    input: str | Path,  # noqa: A002
    answer: str | bytes | Path,
    expected: str | Path | None = None,
    *,
    game: str = "",
    variant: str = "",
    nodes: int = NODES,
) -> Judgement:
    """The judgement of one answer.  Boards are texts, or files if they are a `Path` or a name
    without a line break.  Without an expected board, every best move that the solver finds is
    right."""
    text = _read(input).decode("utf-8", "replace")
    rules = game_named(game) if game else game_of(text)
    check_variant(rules, variant)
    board = rules.read(text, "the puzzle", False, variant)
    wanted = None if expected is None else _read(expected).decode("utf-8", "replace")
    truth = find_truth(rules, board, wanted, variant=variant, nodes=nodes)
    return judge_move(board, _read(answer), truth)


def _read(board: str | bytes | Path) -> bytes:
    if isinstance(board, bytes):
        return board
    if isinstance(board, Path) or ("\n" not in board and Path(board).is_file()):
        return Path(board).read_bytes()
    return board.encode()
