"""What a legal but weak move betrays about the program that chose it.

Only what the board shows: how many pieces are left after the move, and after the reply that
takes the most.
"""

from __future__ import annotations

from typing import Any

from grader.judge.boards import opponent
from grader.puzzles.find import read_board
from grader.puzzles.truth import Move, Truth, children_of, parse_value
from solver.games import game_named

FEW_MOVES = 3  # with fewer, the worst move is chosen too easily to mean anything


def betrayed(input_text: str, move: Move, truth: Truth) -> str:
    """The likely cause, or an empty string."""
    position = read_board(truth.game, input_text, truth.variant).position
    children = dict(zip(truth.moves, children_of(truth, position), strict=True))
    given = children[move]
    best = [child for listed, child in children.items() if listed.name in truth.best]
    own, ours = _balance(given, truth), [_balance(child, truth) for child in best]
    if own > max(ours):
        return "the program takes what it can, whatever comes after"
    if own >= max(ours) and _after_reply(given, truth) < min(_after_reply(c, truth) for c in best):
        return "the program does not look at the reply, which takes something"
    return _from_values(move, truth)


def _from_values(move: Move, truth: Truth) -> str:
    value = parse_value(move.value)
    values = [parse_value(listed.value).score for listed in truth.moves]
    if value.result > 0:
        return "the program sees no end of the game, or does not prefer the sooner win"
    lowest = min(values)
    if len(values) >= FEW_MOVES and value.score == lowest and values.count(lowest) == 1:
        return f"this is the worst of all moves: the program may play for {_enemy(truth)}"
    return ""


def _enemy(truth: Truth) -> str:
    return opponent(truth.game, truth.mover)


def _balance(position: Any, truth: Truth) -> int:
    """The mover's pieces less the enemy's; a king counts for two men."""
    game = game_named(truth.game)
    balance = 0
    for letter in str(position).replace("\n", "").replace(".", ""):
        worth = 2 if letter.isupper() else 1
        balance += worth if game.colour(letter) == truth.mover else -worth
    return balance


def _after_reply(position: Any, truth: Truth) -> int:
    replies = [_balance(reply, truth) for reply in position.children()]
    return min(replies, default=_balance(position, truth) + 1)
