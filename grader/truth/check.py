"""Whether what is said about a puzzle fits its input: files are edited one without the other."""

from __future__ import annotations

from grader.truth.canonical import canonical
from grader.truth.model import Truth
from solver.errors import UserError
from solver.games import game_named


def check_truth(truth: Truth, input_text: str, source: str) -> None:
    """Raises `UserError` unless the moves are the legal moves of the input, all of them, and the
    canonical board is that of a best move, or the input itself where the game is over."""
    game = game_named(truth.game)
    position = game.read(input_text, source, False, truth.variant).position
    if position.mover() != truth.mover:
        raise UserError(f"{source}: {position.mover()} is to move, the proof says {truth.mover}")
    over = game.outcome(position) is not None
    legal = [] if over else [str(child) for child in position.children()]
    listed = [
        str(game.read(move.board, source, False, truth.variant).position) for move in truth.moves
    ]
    if sorted(legal) != sorted(listed):
        raise UserError(
            f"{source}: the proof lists {len(listed)} moves that are not the {len(legal)} legal "
            "moves of the input. Was the input changed? Prove it again."
        )
    if over and not truth.board:
        return
    expected = str(canonical(game, position, truth.board, source, truth.variant))
    best = [
        board for move, board in zip(truth.moves, listed, strict=True) if move.name in truth.best
    ]
    if not over and expected not in best:
        raise UserError(f"{source}: the expected board is none of the best moves' boards")
