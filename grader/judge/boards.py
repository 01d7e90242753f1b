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

FILES = "abcdefgh"
ALPHABET = {"checkers": ".rbRB", "twoflags": ".wb"}


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
    first, second = game_named(game).SIDES
    return second if side == first else first


def square(index: int) -> str:
    """The name of a square: its file's letter and its rank, rank 8 on top."""
    return FILES[index % 8] + str(8 - index // 8)


def squares(indexes: list[int]) -> str:
    """`b6`, `b6 and d4`, `b6, d4 and f2`."""
    names = [square(index) for index in indexes]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def row(index: int) -> int:
    """The row of a square as people count them: row 1 is the first line of the text."""
    return index // 8 + 1


def drawing_of(position: Any, game: str) -> Drawing:
    """What a position looks like; it always knows who is to move."""
    cells = str(position).replace("\n", "")
    passed = ""
    if game == "twoflags":
        words = game_named(game).write(position, "board").rpartition("\n")[2].split()
        passed = words[1] if len(words) > 1 else ""
    return Drawing(cells, position.mover(), passed)


@lru_cache(maxsize=4096)
def drawn(text: str, game: str, variant: str) -> Drawing:
    """What a text of ours shows."""
    position, form, _ = read_board(game, text, variant)
    drawing = drawing_of(position, game)
    if game == "checkers" and form == "board":
        return Drawing(drawing.cells)  # the text does not say who is to move
    return drawing


def fits(given: Drawing, wanted: Drawing) -> bool:
    """Whether an answer is this board; what it leaves unsaid is not held against it."""
    return (
        given.cells == wanted.cells
        and given.side in ("", wanted.side)
        and given.passed in ("", wanted.passed)
    )
