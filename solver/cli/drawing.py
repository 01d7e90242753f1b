"""A position for people: the board with the names of its squares beside it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.games import Game

FILES = "abcdefgh"


def drawn(game: Game, position: Any) -> str:
    """Ranks to the left, files below, and to the right what the game writes beside its rows."""
    rows = zip(str(position).split("\n"), game.beside(position), strict=True)
    lines = [
        f"{8 - row}  {' '.join(pieces)}   {beside}".rstrip()
        for row, (pieces, beside) in enumerate(rows)
    ]
    return "\n".join([*lines, "", f"   {' '.join(FILES)}"])
