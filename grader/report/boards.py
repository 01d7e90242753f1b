"""Boards as inline SVG.  Each is drawn once per page, as a symbol, however often it is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from grader.report.text import breakable, escape
from solver.games import GAMES, game_named
from solver.games.breach import FILES, square

ROWS = 8
SQUARE = 10  # units of the drawing
SHAPES = ("man", "king", "pawn")  # symbols of pieces.svg; other pieces are drawn as letters
PAGE = "http://127.0.0.1:8017/"  # where `solver serve` is by default
MOST_BOARDS = 100  # of one answer: a longer game is not worth reading


@dataclass(frozen=True)
class Drawing:
    """A board, the squares that it changed, and those that should be otherwise."""

    game: str
    rows: tuple[str, ...]
    note: str  # written below the board, such as the side to move
    changed: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    side: str = field(default="", compare=False)  # to move (and what follows), else the first

    def pieces(self) -> list[tuple[str, str]]:
        """Letters and the names of their squares."""
        letters = enumerate("".join(self.rows))
        return [(piece, square(index)) for index, piece in letters if piece != "."]

    @property
    def address(self) -> str:
        """In the page of `solver serve`."""
        text = "/".join([*self.rows, self.side]).rstrip("/")
        return f"game={quote(self.game)}&text={quote(text)}"

    def since(self, before: Drawing | None) -> Drawing:
        """After a move: with the squares outlined that have changed."""
        if before is None:
            return self
        sides = game_named(self.game).SIDES if self.game in GAMES else ("", "")
        side = self.side or sides[before.side.partition(" ")[0] != sides[1]]
        return replace(self, changed=differing(self, before), side=side)

    def __str__(self) -> str:
        """For people who cannot see it, and under the pointer."""
        names = _names(self.game)
        places: dict[str, list[str]] = {}
        for piece, place in self.pieces():
            places.setdefault(names.get(piece, piece), []).append(place)
        parts = [f"{piece} {' '.join(squares)}" for piece, squares in sorted(places.items())]
        if self.changed:
            parts.append(f"changed: {' '.join(self.changed)}")
        if self.wrong:
            parts.append(f"not as expected: {' '.join(self.wrong)}")
        return "; ".join(parts) or "empty board"


class Boards:
    """The symbols of a page."""

    def __init__(self) -> None:
        self._drawings: dict[Drawing, str] = {}

    def figure(self, title: str, drawing: Drawing) -> str:
        name = self._drawings.setdefault(drawing, f"b{len(self._drawings)}")
        note = f" <small>{escape(drawing.note)}</small>" if drawing.note else ""
        return (
            f"<figure><figcaption>{breakable(title)}{note}</figcaption>"
            f'<a href="{PAGE}#{escape(drawing.address)}" title="Open in solver serve">'
            f'<svg viewBox="-7 -1 89 89" role="img" aria-labelledby="{name}t">'
            f'<use href="#{name}"/></svg></a></figure>'
        )

    def symbols(self) -> str:
        return "\n".join(_symbol(name, drawing) for drawing, name in self._drawings.items())


def read_boards(game: str, text: str) -> list[Drawing]:
    """The boards of a text, separated by blank lines; none if something in it is not a board."""
    found = []
    for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = [line.rstrip() for line in block.split("\n")]
        rows, notes = lines[:ROWS], lines[ROWS:]
        if len(rows) != ROWS or any(len(row) != ROWS for row in rows) or len(notes) > 2:
            return []
        note = " ".join(notes)
        side = note if game in GAMES and note.partition(" ")[0] in game_named(game).SIDES else ""
        about = f"{note} to move" if side and " " not in side else note
        found.append(Drawing(game, tuple(rows), about, side=side))
    return found if len(found) <= MOST_BOARDS else []


def differing(one: Drawing, other: Drawing) -> tuple[str, ...]:
    """The names of the squares on which two boards differ."""
    letters = enumerate(zip("".join(one.rows), "".join(other.rows), strict=True))
    return tuple(square(index) for index, (before, after) in letters if before != after)


def _names(game: str) -> Mapping[str, str]:
    return game_named(game).PIECES if game in GAMES else {}


def _symbol(name: str, drawing: Drawing) -> str:
    names = _names(drawing.game)
    parts = ['<use href="#grid" x="-7" y="-1" width="89" height="89"/>']
    parts += [_place("changed", each) for each in drawing.changed]
    parts += [_piece(piece, names.get(piece, ""), place) for piece, place in drawing.pieces()]
    parts += [_place("wrong", each) for each in drawing.wrong]
    title = f'<title id="{name}t">{escape(str(drawing))}</title>'
    return f'<symbol id="{name}" overflow="visible">{title}{"".join(parts)}</symbol>'


def _piece(letter: str, name: str, place: str) -> str:
    colour, _, shape = name.partition(" ")
    if shape in SHAPES:
        return _place(shape, place, colour)
    x, y = _corner(place)
    return f'<text class="unknown" x="{x + 5}" y="{y + 7.5}">{escape(letter)}</text>'


def _place(symbol: str, place: str, kind: str = "") -> str:
    x, y = _corner(place)
    colour = f' class="{kind}"' if kind else ""
    return f'<use{colour} href="#{symbol}" x="{x}" y="{y}"/>'


def _corner(place: str) -> tuple[int, int]:
    return FILES.index(place[0]) * SQUARE, (ROWS - int(place[1])) * SQUARE
