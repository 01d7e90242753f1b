"""From the bytes that a submission wrote to a board, or to the words why there is none."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from grader.grading.records import Verdict
from grader.puzzles.find import read_board
from grader.puzzles.truth import names_side
from solver.errors import BoardError, UserError, counted
from solver.games import game_named

# Boards as they look: 64 characters, and the words for squares and sides.
#
# An answer may be a board that no game allows, so the judge works on drawings and asks the
# solver only about positions that are known to be legal.


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


# Men on their crowning row: every reader takes them for kings, and warns.
#
# A puzzle may hold such a man, and then an answer may leave it as it was.  An answer that makes
# one has forgotten to crown it, so what the answer says must not be lost in reading.


@lru_cache(maxsize=4096)
def uncrowned(text: str, game: str, variant: str) -> frozenset[int]:
    """The squares of the men that were crowned in reading this puzzle."""
    return frozenset(read_board(game, text, variant).crowned)


def as_written(drawing: Drawing, men: Collection[int]) -> Drawing:
    """A board that was read, with the men that its text has on these squares."""
    cells = [
        letter.lower() if index in men else letter for index, letter in enumerate(drawing.cells)
    ]
    return Drawing("".join(cells), drawing.side, drawing.passed)


def as_read(given: Drawing, before: str, men: frozenset[int]) -> Drawing:
    """An answer with kings where it has left the puzzle's uncrowned men alone."""
    cells = [
        before[index] if index in men and letter.upper() == before[index] else letter
        for index, letter in enumerate(given.cells)
    ]
    return Drawing("".join(cells), given.side, given.passed)


def still_uncrowned(before: str, after: str, men: frozenset[int]) -> frozenset[int]:
    """Those of the men that have not moved, and have not been taken."""
    return frozenset(index for index in men if before[index] == after[index])


UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
MARK = "\ufeff"
SQUARES = r"[BW][K\d,\s-]*"
POSITIONS = (
    re.compile(rf"[BW]:\s*{SQUARES}:\s*{SQUARES}(:[HF]\d+)*\.?$", re.IGNORECASE),
    re.compile(r"[BW]:\s*[BW]\s*K?\d", re.IGNORECASE),  # a FEN that breaks off or is misspelt
    re.compile(r"setup\s+[BW]?[a-h][1-8]\b", re.IGNORECASE),
)
LONGEST = 1000  # characters of a FEN or a setup; 32 pieces need 150
MOST_LINES = 10_000  # a longer answer is no board and no line either


class Unreadable(Exception):
    """An answer that is no board; the words are for the student."""

    def __init__(self, reason: str, verdict: Verdict = Verdict.MALFORMED) -> None:
        super().__init__(reason)
        self.reason = reason
        self.verdict = verdict


@dataclass(frozen=True)
class Form:
    """How a game writes its boards."""

    game: str
    variant: str
    strict: bool = False

    @property
    def letters(self) -> str:
        return "." + "".join(game_named(self.game).PIECES)

    @property
    def names_the_side(self) -> bool:
        return game_named(self.game).BOARD_NAMES_SIDE


def text_of(output: bytes | None) -> str:
    """The answer as text."""
    if output is None:
        raise Unreadable("there is no output file", Verdict.MISSING)
    if not output:
        raise Unreadable("the output file is empty", Verdict.MISSING)
    if output.startswith(UTF16):
        raise Unreadable("the output is UTF-16; write it as plain text (UTF-8)")
    try:
        text = output.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _place(output[: error.start].decode("utf-8", "replace"))
        byte = output[error.start]
        raise Unreadable(
            f"line {line}, column {column}: byte 0x{byte:02x} is no UTF-8 text"
        ) from None
    if not text.strip(" \t\r\n" + MARK):
        raise Unreadable("the output file holds only blank space", Verdict.MISSING)
    return text


def _place(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def lines_of(text: str, strict: bool) -> list[str]:
    """The lines without what no reader sees; strict refuses what would have to be mended."""
    if strict:
        _refuse_blanks(text)
    lines = text.removeprefix(MARK).replace("\r\n", "\n").split("\n")
    lines = [line.rstrip(" \t") for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    if len(lines) > MOST_LINES:
        raise Unreadable(f"the output has {len(lines)} lines")
    return lines


def _refuse_blanks(text: str) -> None:
    if text.startswith(MARK):
        raise Unreadable("line 1, column 1: a byte order mark before the board")
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if line.endswith("\r"):
            raise Unreadable(f"line {number}, column {len(line)}: a carriage return")
        if line != line.rstrip(" \t"):
            column = len(line.rstrip(" \t")) + 1
            raise Unreadable(f"line {number}, column {column}: blank space at the end of the line")


def read_answer(output: bytes | None, form: Form) -> Drawing:
    """The one board of an answer; raises `Unreadable`."""
    text = text_of(output)
    lines = lines_of(text, form.strict)
    if form.strict and text.endswith("\n\n"):
        raise Unreadable(f"line {len(lines) + 1}, column 1: an empty line after the board")
    if is_one_line(lines[0]):
        return _read_one_line(lines, form)
    return read_rows(lines, form)


def is_one_line(line: str) -> bool:
    """Whether a line is a whole position: a FEN or a setup."""
    return line[:6].lower() == "setup " or line[:2].upper() in ("B:", "W:")


def means_position(line: str) -> bool:
    """Whether such a line, among others, is a position, perhaps a faulty one, or only a remark."""
    return any(pattern.match(line) for pattern in POSITIONS)


def _read_one_line(lines: list[str], form: Form) -> Drawing:
    if len(lines) > 1:
        raise Unreadable(f"line 2 is one too many: {quoted(lines[1])}")
    if len(lines[0]) > LONGEST:
        raise Unreadable(f"a position in one line of {len(lines[0])} characters")
    game = game_named(form.game)
    try:
        read = game.read(lines[0], "the output", form.strict, form.variant)
    except BoardError as error:
        raise Unreadable("; ".join(str(fault) for fault in error.faults[:3])) from None
    except UserError as error:
        raise Unreadable(str(error)) from None
    drawing = as_written(drawing_of(read.position, form.game), read.crowned)
    if form.strict or names_side(lines[0], read.form, game):
        return drawing
    return Drawing(drawing.cells)


def read_rows(lines: list[str], form: Form) -> Drawing:
    """A board of eight rows, followed in Two Flags by the side to move."""
    for number, line in enumerate(lines[:8], 1):
        check_row(line, number, f"row {number}", form)
    if len(lines) < 8:
        raise Unreadable(f"the board ends after {counted(len(lines), 'row')}; it has 8")
    side, passed = "", ""
    rest = lines[8:]
    if rest and form.names_the_side:
        side, passed = side_line(rest.pop(0), 9)
    elif form.names_the_side and form.strict:
        raise Unreadable("line 9, column 1: the line that names the side to move is missing")
    if rest:
        raise Unreadable(_too_long(lines, len(lines) - len(rest), form))
    return Drawing("".join(lines[:8]), side, passed)


def check_row(line: str, number: int, name: str, form: Form) -> None:
    """A row has eight characters of the game's alphabet; `number` is that of its line."""
    for column, letter in enumerate(line[:8], 1):
        if letter not in form.letters:
            raise Unreadable(
                f"{name}, column {column}: {letter_shown(letter)} is not one of "
                f"{' '.join(form.letters)}"
            )
    if len(line) != 8:
        raise Unreadable(f"{name} has {counted(len(line), 'character')}, it should have 8")


def side_line(line: str, number: int) -> tuple[str, str]:
    """The side to move and the square of en passant, if one is named."""
    words = line.lower().split()
    if not 1 <= len(words) <= 2 or words[0] not in ("white", "black"):
        raise Unreadable(f"line {number} should name the side to move, not {quoted(line)}")
    passed = words[1] if len(words) == 2 else ""
    if passed and not (len(passed) == 2 and passed[0] in "abcdefgh" and passed[1] in "36"):
        raise Unreadable(f"line {number}: {quoted(passed)} is no square of en passant")
    return words[0], passed


def _too_long(lines: list[str], end: int, form: Form) -> str:
    rows = [line for line in lines if len(line) == 8 and set(line) <= set(form.letters)]
    if len(rows) >= 16:
        return f"the output holds {len(rows) // 8} boards; only the one after the move is wanted"
    if len(rows) == len(lines):
        return f"the board has {len(lines)} rows; it should have 8"
    extra = next(number for number in range(end, len(lines)) if lines[number])
    return f"line {extra + 1} is no part of the board: {quoted(lines[extra])}"


def quoted(text: str) -> str:
    """A student's text as people can see it, not too long."""
    return ascii(text if len(text) <= 30 else text[:30] + "...")


def letter_shown(letter: str) -> str:
    if letter == "\r":
        return "a carriage return"
    return "a byte order mark" if letter == MARK else ascii(letter)
