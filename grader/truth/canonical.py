"""The position that a puzzle's expected text means: the input after a legal move, or the input
itself where the game is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.errors import UserError

if TYPE_CHECKING:
    from solver.games import Game

BLANK = "\ufeff\r\n \t"


def plain(text: str) -> str:
    """A text of ours without what no reader sees."""
    lines = text.strip(BLANK).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip(" \t") for line in lines)


def names_side(text: str, form: str, rules: Game) -> bool:
    """Whether a text says who is to move; a reader has to take one side for granted if not."""
    return form == "fen" or any(word.lower() in rules.SIDES for word in text.split())


def canonical(rules: Game, position: Any, text: str, source: str, variant: str) -> Any:
    """The expected position, found by its looks; raises `UserError` if it cannot be reached."""
    text = plain(text)
    read = rules.read(text, f"{source}, expected", False, variant)
    expected, form = read.position, read.form
    if rules.outcome(position) is not None:
        if str(expected) != str(position):
            raise UserError(
                f"{source}: the game is over in the input, so the expected board must be the "
                "same; it is another one."
            )
        return position
    for child in position.children():
        if str(child) == str(expected):
            if names_side(text, form, rules) and expected.mover() != child.mover():
                raise UserError(
                    f"{source}: the expected board names {expected.mover()} as the side to move; "
                    f"after a move of {position.mover()} it is {child.mover()}."
                )
            return child
    raise UserError(
        f"{source}: the expected board is not the input after a legal move of {position.mover()}."
    )
