"""Truths made up for tests, and answers judged by them."""

from __future__ import annotations

from typing import Any

from grader.grading.records import Judgement
from grader.judge import judge_move
from grader.puzzles.truth import Move, Truth
from solver.games import game_named
from support.drawings import side_by_side


def position_of(text: str, game: str, variant: str = "") -> Any:
    return game_named(game).read(text, "test", False, variant).position


def made_up(
    text: str, game: str = "checkers", values: tuple[str, ...] = ("win in 3",), variant: str = ""
) -> Truth:
    """A truth with these values, the last one for all moves that are left; the first of the
    moves is canonical."""
    rules = game_named(game)
    position = position_of(text, game, variant)
    children = [] if rules.outcome(position) else position.children()
    moves = tuple(
        Move(
            rules.move_name(position, child, True),
            rules.write(child, "board"),
            values[min(index, len(values) - 1)],
        )
        for index, child in enumerate(children)
    )
    best = tuple(move.name for move in moves if move.value == values[0])
    value = values[0] if moves else ""
    board = moves[0].board if moves else ""
    return Truth(game, variant, position.mover(), value, "made up", best, moves, board)


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
