"""Boards as they look: 64 characters, and the words for squares and sides.

An answer may be a board that no game allows, so the judge works on drawings and asks the
solver only about positions that are known to be legal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from grader.puzzles.find import read_board
from solver.games import game_named


@dataclass(frozen=True)
class Drawing:
    """A board, the top left square first.  `side` and `passed` are what the text names besides:
    the side to move and the square of en passant."""

    cells: str
    side: str = ""
    passed: str = ""

    @property
    def rows(self) -> list[str]:
        return [self.cells[at : at + 8] for at in range(0, 64, 8)]

    def __str__(self) -> str:
        last = [" ".join(filter(None, (self.side, self.passed)))]
        return "\n".join(self.rows + (last if self.side else []))


def opponent(game: str, side: str) -> str:
    return game_named(game).other(side)


def drawing_of(position: Any, game: str) -> Drawing:
    """What a position looks like; it always knows who is to move."""
    *rows, last = game_named(game).with_side(position).split("\n")
    return Drawing("".join(rows), *last.split())


@lru_cache(maxsize=4096)
def drawn(text: str, game: str, variant: str) -> Drawing:
    """What a text of ours shows."""
    read = read_board(game, text, variant)
    position, form = read.position, read.form
    drawing = drawing_of(position, game)
    if form == "board" and not game_named(game).BOARD_NAMES_SIDE:
        return Drawing(drawing.cells)  # the text does not say who is to move
    return drawing


def fits(given: Drawing, wanted: Drawing) -> bool:
    """Whether an answer is this board; what it leaves unsaid is not held against it."""
    return (
        given.cells == wanted.cells
        and given.side in ("", wanted.side)
        and given.passed in ("", wanted.passed)
    )
