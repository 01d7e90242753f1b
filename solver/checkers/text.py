"""Board files: eight rows of eight characters, row 0 first.

A ninth line may name the side to move; without it that is red.
"""

from __future__ import annotations

from solver.checkers.rules import BLACK, BOTTOM_ROW, LIGHT, TOP_ROW, Board
from solver.checkers.squares import bit_at, is_light
from solver.errors import BoardError, Fault, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.checkers.mixed import TwoBoards

PIECES = ". r b R B"
SIDES = ("red", "black")
ADVICE = f"A board is 8 rows of 8 characters, each one of {PIECES}; red is to move, upwards."


def parse(text: str, source: str, strict: bool) -> tuple[Board | TwoBoards, list[Fault]]:
    """The position and the warnings; raises `BoardError` with every fault of the text.

    A man on its crowning row is a king that nobody crowned: read as one, with a warning, or
    refused when strict.
    """
    rows = text.replace("\r\n", "\n").split("\n")
    rows = [row.rstrip(" \t") for row in rows]
    while rows and not rows[-1]:
        rows.pop()
    side = rows.pop().lower() if rows and rows[-1].lower() in SIDES else "red"
    warnings = _uncrowned(rows)
    faults = _shape_faults(rows) + _piece_faults(rows) + (warnings if strict else [])
    if faults:
        faults.sort(key=lambda fault: (fault.line, fault.column))
        raise BoardError(source, faults, ADVICE)
    return _position(rows, side == "black"), warnings


def _shape_faults(rows: list[str]) -> list[Fault]:
    faults = []
    for line, row in enumerate(rows[:8], 1):
        if len(row) != 8:
            found = counted(len(row), "character")
            faults.append(Fault(line, min(len(row), 8) + 1, f"{found}, a row has 8"))
    if len(rows) < 8:
        found = counted(len(rows), "row")
        faults.append(Fault(len(rows) + 1, 1, f"the board ends after {found}, it has 8"))
    if len(rows) > 8:
        faults.append(Fault(9, 1, f"{len(rows)} rows, a board has 8"))
    return faults


def _piece_faults(rows: list[str]) -> list[Fault]:
    """Characters that are no pieces; a lone carriage return wherever it is."""
    return [
        Fault(line, row.index("\r") + 1, "a carriage return without a line feed after it")
        for line, row in enumerate(rows[:8], 1)
        if "\r" in row[8:]
    ] + [
        Fault(line, column, f"{_shown(piece)} is not one of {PIECES}")
        for line, row in enumerate(rows[:8], 1)
        for column, piece in enumerate(row[:8], 1)
        if piece not in ".rbRB"
    ]


def _shown(piece: str) -> str:
    """A character as people can see it; a byte that is no text by its number."""
    if "\udc80" <= piece <= "\udcff":
        return f"byte {ord(piece) - 0xDC00:#x}"
    return "a byte order mark" if piece == "\ufeff" else ascii(piece)


def _uncrowned(rows: list[str]) -> list[Fault]:
    return [
        Fault(
            line,
            column,
            f"a {colour} man on its crowning row would be a king",
            (line - 1) * 8 + column - 1,
        )
        for line, man, colour in ((1, "r", "red"), (8, "b", "black"))
        for row in rows[line - 1 : line]
        for column, piece in enumerate(row[:8], 1)
        if piece == man
    ]


def _position(rows: list[str], black_moves: bool) -> Board | TwoBoards:
    boards = [_half(rows, light, black_moves) for light in (False, True)]
    dark, light = boards
    if not light.own | light.enemy:
        return dark
    if not dark.own | dark.enemy:
        return light
    from solver.checkers.mixed import TwoBoards

    return TwoBoards(dark, light)


def _half(rows: list[str], light: bool, black_moves: bool) -> Board:
    """The pieces on one colour of squares."""
    red = black = kings = 0
    for row, pieces in enumerate(rows):
        for column, piece in enumerate(pieces):
            if piece == "." or is_light(row, column) != light:
                continue
            bit = bit_at(row, column)
            if piece in "rR":
                red |= bit
            else:
                black |= bit
            if piece in "RB":
                kings |= bit
    kings |= red & TOP_ROW | black & BOTTOM_ROW
    side = LIGHT if light else 0
    return Board(black, red, kings, side | BLACK) if black_moves else Board(red, black, kings, side)
