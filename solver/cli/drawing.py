"""A position for people: the board with the names of its squares beside it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.games import Game

FILES = "abcdefgh"


def drawn(game: Game, position: Any) -> str:
    """Ranks to the left, files below, and where squares have numbers, those to the right."""
    rows = str(position).split("\n")
    numbers = _numbers(position) if game.NAME == "checkers" else []
    lines = [f"{8 - row}  {' '.join(pieces)}" for row, pieces in enumerate(rows)]
    if numbers:
        lines = [f"{line}   {beside}" for line, beside in zip(lines, numbers, strict=True)]
    return "\n".join([*lines, "", f"   {' '.join(FILES)}"])


def _numbers(position: Any) -> list[str]:
    """The PDN numbers of each row from left to right; none for pieces on both colours."""
    from solver.checkers.rules import LIGHT, Board
    from solver.checkers.squares import bit_at, is_light, number_of

    if not isinstance(position, Board):
        return []
    light = position.side & LIGHT != 0
    return [
        " ".join(
            f"{number_of(bit_at(row, column)):2}"
            for column in range(8)
            if is_light(row, column) == light
        )
        for row in range(8)
    ]
