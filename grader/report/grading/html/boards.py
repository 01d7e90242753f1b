"""Boards as inline SVG.  Each is drawn once, as a symbol, however many answers show it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.report.grading.html.markup import escaped

ROWS = 8
SQUARE = 10  # units of the drawing
PIECES = {
    "checkers": {"r": "red man", "R": "red king", "b": "black man", "B": "black king"},
    "twoflags": {"w": "white pawn", "b": "black pawn"},
}
MOST_BOARDS = 100  # of one answer: a game that goes nowhere is longer than anybody reads


@dataclass(frozen=True)
class Drawing:
    """A board, the squares that it changed, and those that should be otherwise."""

    game: str
    rows: tuple[str, ...]
    note: str  # what is written below the board, such as the side to move
    changed: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


class Boards:
    """The symbols of a page."""

    def __init__(self) -> None:
        self._drawings: dict[Drawing, str] = {}

    def figure(self, title: str, drawing: Drawing) -> str:
        name = self._drawings.setdefault(drawing, f"b{len(self._drawings)}")
        note = f" <small>{escaped(drawing.note)}</small>" if drawing.note else ""
        return (
            f"<figure><figcaption>{escaped(title)}{note}</figcaption>"
            f'<svg viewBox="-7 -1 89 89" role="img" aria-labelledby="{name}t">'
            f'<use href="#{name}"/></svg></figure>'
        )

    def symbols(self) -> str:
        return "\n".join(_symbol(name, drawing) for drawing, name in self._drawings.items())


def drawings(game: str, text: str) -> list[Drawing]:
    """The boards of a text, which blank lines separate; none if something in it is no board."""
    found = []
    for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = [line.rstrip() for line in block.split("\n")]
        rows, notes = lines[:ROWS], lines[ROWS:]
        if len(rows) != ROWS or any(len(row) != ROWS for row in rows) or len(notes) > 2:
            return []
        found.append(Drawing(game, tuple(rows), _note(notes)))
    return found if len(found) <= MOST_BOARDS else []


def _note(lines: list[str]) -> str:
    text = " ".join(lines)
    return f"{text} to move" if text in ("white", "black") else text


def differing(one: Drawing, other: Drawing) -> tuple[str, ...]:
    """The names of the squares that two boards do not have in common."""
    return tuple(
        _square(row, column)
        for row in range(ROWS)
        for column in range(ROWS)
        if one.rows[row][column] != other.rows[row][column]
    )


def _square(row: int, column: int) -> str:
    return f"{'abcdefgh'[column]}{ROWS - row}"


def _symbol(name: str, drawing: Drawing) -> str:
    parts = ['<use href="#grid" x="-7" y="-1" width="89" height="89"/>']
    parts += [_placed("changed", square) for square in drawing.changed]
    parts += [
        _piece(drawing.game, piece, _square(row, column))
        for row, pieces in enumerate(drawing.rows)
        for column, piece in enumerate(pieces)
        if piece != "."
    ]
    parts += [_placed("wrong", square) for square in drawing.wrong]
    title = f'<title id="{name}t">{escaped(_described(drawing))}</title>'
    return f'<symbol id="{name}" overflow="visible">{title}{"".join(parts)}</symbol>'


def _placed(symbol: str, square: str) -> str:
    x, y = _corner(square)
    return f'<use href="#{symbol}" x="{x}" y="{y}"/>'


def _corner(square: str) -> tuple[int, int]:
    return "abcdefgh".index(square[0]) * SQUARE, (ROWS - int(square[1])) * SQUARE


def _piece(game: str, piece: str, square: str) -> str:
    if piece in PIECES.get(game, {}):
        return _placed(f"{game}-{piece}", square)
    x, y = _corner(square)
    return f'<text class="unknown" x="{x + 5}" y="{y + 7.5}">{escaped(piece)}</text>'


def _described(drawing: Drawing) -> str:
    """The board for those who cannot see it, and what lies under the pointer."""
    names = PIECES.get(drawing.game, {})
    places: dict[str, list[str]] = {}
    for row, pieces in enumerate(drawing.rows):
        for column, piece in enumerate(pieces):
            if piece != ".":
                places.setdefault(names.get(piece, piece), []).append(_square(row, column))
    parts = [f"{piece} {' '.join(squares)}" for piece, squares in sorted(places.items())]
    if drawing.changed:
        parts.append(f"changed: {' '.join(drawing.changed)}")
    if drawing.wrong:
        parts.append(f"not as expected: {' '.join(drawing.wrong)}")
    return "; ".join(parts) or "an empty board"
