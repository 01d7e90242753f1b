"""Truths made up for tests, and answers to puzzles that are given as texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grader.grading.records import Judgement
from grader.judge import line, move
from grader.puzzles import evidence
from grader.puzzles import truth as truths
from grader.puzzles.truth import JudgedMove, Truth, parse_value
from solver.games import ReadBoard, game_named
from support.drawings import side_by_side


def board_of(text: str, game: str, variant: str = "") -> ReadBoard[Any]:
    return game_named(game).read(text, "test", False, variant)


def position_of(text: str, game: str, variant: str = "") -> Any:
    return board_of(text, game, variant).position


def find_truth(game: str, text: str, expected: str, **options: Any) -> Truth:
    board = board_of(text, game, options.get("variant", ""))
    return evidence.find_truth(game_named(game), board, expected, **options)


def read_truth(proof: str, game: str, text: str, expected: str = "", source: str = "") -> Truth:
    """What a JSON text says about an input."""
    variant = "no-en-passant" if "no-en-passant" in proof else ""
    return truths.read_truth(
        proof, game_named(game), position_of(text, game, variant), expected, source
    )


def judge_move(text: str, output: bytes | None, truth: Truth) -> Judgement:
    return move.judge_move(board_of(text, truth.game, truth.variant), output, truth)


def judge_line(text: str, output: bytes | None, truth: Truth, **options: Any) -> Judgement:
    board = board_of(text, truth.game, truth.variant)
    return line.judge_line(board, output, truth, **options)


def made_up(
    text: str, game: str = "checkers", values: tuple[str, ...] = ("win in 3",), variant: str = ""
) -> Truth:
    """A truth with these values, the last one for all moves that are left; the first of the
    moves is canonical."""
    rules = game_named(game)
    position = position_of(text, game, variant)
    children = [] if rules.outcome(position) else position.children()
    parsed = [parse_value(value) for value in values]
    moves = tuple(
        JudgedMove(
            rules.move_name(position, child, True),
            rules.write(child, "board"),
            parsed[min(index, len(values) - 1)],
        )
        for index, child in enumerate(children)
    )
    return Truth(
        game=game,
        variant=variant,
        mover=position.mover(),
        proof="made up",
        value=parsed[0] if moves else None,
        best=tuple(move.name for move in moves if move.value == parsed[0]),
        moves=moves,
        board=moves[0].board if moves else rules.write(position, "board"),
        canonical=moves[0].name if moves else "",
    )


def judged(text: str, answer: str, game: str = "checkers", *values: str) -> Judgement:
    return judge_move(text, answer.encode(), made_up(text, game, values or ("win in 3",)))


def of_drawing(drawing: str) -> Judgement:
    """The judgement of a checkers answer: two boards side by side, the input on the left."""
    before, after = side_by_side(drawing)
    return judged("\n".join(before), "\n".join(after))


def of_pawns(drawing: str, side: str = "white", named: str = "", passed: str = "") -> Judgement:
    """The judgement of a Two Flags answer; `named` is the side that the answer names."""
    before, after = side_by_side(drawing)
    last = f"{side} {passed}".strip()
    return judged(
        "\n".join([*before, last]), "\n".join([*after, *filter(None, [named])]), "twoflags"
    )


def read_mistakes(path: Path) -> list[tuple[str, str, str]]:
    """Reason, cause and drawing of each mistake in a file; the cause is in brackets, if any."""
    mistakes = []
    for block in path.read_text().split("\n\n"):
        words, drawing = block.strip().split("\n")[:-8], block.strip().split("\n")[-8:]
        cause = words[1].strip("()") if len(words) > 1 else ""
        mistakes.append((words[0], cause, "\n".join(drawing)))
    return mistakes
