"""Positions in any form as drawings."""

from __future__ import annotations

from dataclasses import replace

from grader.report.grading.html.boards import Drawing, differing, drawings
from solver.errors import UserError
from solver.games import game_named


def drawing_of(game: str, text: str) -> Drawing | None:
    """Of a board, a FEN or a `Setup` line; nothing if it is none of them."""
    found = drawings(game, text)
    if found:
        return found[0]
    rules = game_named(game)
    try:
        position, _, _ = rules.read(text, "position", False)
    except UserError:
        return None
    found = drawings(game, rules.write(position, "board"))
    return replace(found[0], note=f"{position.mover()} to move") if found else None


def after_move(game: str, text: str, mover: str, move: str) -> str:
    """The board after a move that is known by its name; empty if there is none."""
    rules = game_named(game)
    try:
        position, _, _ = rules.read(text, "position", False)
    except UserError:
        return ""
    if position.mover() != mover:
        return ""
    for child in position.children():
        if move in (rules.move_name(position, child), rules.move_name(position, child, True)):
            return rules.write(child, "board")
    return ""


def marked(drawing: Drawing, before: Drawing | None) -> Drawing:
    """With the squares outlined that have changed."""
    return replace(drawing, changed=differing(drawing, before)) if before else drawing
