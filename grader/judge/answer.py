"""From the bytes that a submission wrote to a board, or the reason why there is none.  It may be a
board that no game allows, so boards are compared as they are written."""

from __future__ import annotations

import codecs
from collections.abc import Set
from dataclasses import dataclass, replace

from grader.grading.records import Verdict
from solver.errors import BoardError, UserError, counted, shown
from solver.games import Game
from solver.games.breach import square
from solver.search.position import Position

SQUARES = {square(index) for index in range(64)}
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
MARK = "\ufeff"
INVISIBLE = {"\r": "a carriage return", MARK: "a byte order mark"}
LONGEST = 1000  # characters of a position in one line; 32 pieces need 150
MOST_LINES = 10_000  # a longer answer is neither a board nor a line of boards
LEAST_ROW = 4  # characters that are pieces: a shorter line is a word or a number


@dataclass(frozen=True)
class WrittenBoard:
    """A board as a text shows it.  The side to move, and the square after it, may be missing."""

    cells: str  # 64 characters, the top left square first
    side: str = ""
    after_side: str = ""

    @property
    def rows(self) -> list[str]:
        return [self.cells[at : at + 8] for at in range(0, 64, 8)]

    def fits(self, wanted: WrittenBoard) -> bool:
        """Whether an answer is this board; what it leaves out is not counted against it."""
        return (
            self.cells == wanted.cells
            and self.side in ("", wanted.side)
            and self.after_side in ("", wanted.after_side)
        )

    def with_kings(self, before: str, men: Set[int]) -> WrittenBoard:
        """An answer with kings where it has left alone the men that are kings `before`, because
        the puzzle was read so."""
        cells = [
            before[index] if index in men and letter.upper() == before[index] else letter
            for index, letter in enumerate(self.cells)
        ]
        return replace(self, cells="".join(cells))

    def __str__(self) -> str:
        last = [" ".join(filter(None, (self.side, self.after_side)))]
        return "\n".join(self.rows + (last if self.side else []))


def write_board(rules: Game, position: Position) -> WrittenBoard:
    """What a position looks like; it always knows who is to move."""
    *rows, last = rules.with_side(position).split("\n")
    return WrittenBoard("".join(rows), *last.split())


class Unreadable(Exception):
    """An answer that is not a board; the reason is for the student."""

    def __init__(self, reason: str, verdict: Verdict = Verdict.MALFORMED) -> None:
        super().__init__(reason)
        self.reason = reason
        self.verdict = verdict


class AnswerReader:
    """Reads the answers to puzzles of one game; raises `Unreadable`."""

    def __init__(self, rules: Game, variant: str = "") -> None:
        self.rules = rules
        self.variant = variant
        self.letters = "." + "".join(rules.PIECES)
        self.most_words = 2 if rules.AFTER_SIDE else 1  # of the line with the side to move

    def read(self, output: bytes | None) -> WrittenBoard:
        """The only board of an answer."""
        lines = _split_lines(decode(output))
        if not self.rules.means_position(lines[0]):
            return self._read_rows(lines)
        if len(lines) > 1:
            raise Unreadable(f"unexpected line 2: {shown(lines[1])}")
        return self._read_position(lines[0])

    def read_all(self, output: bytes | None) -> list[WrittenBoard]:
        """Every board of an answer that is a whole line.  Headers, footers such as `9 moves` and
        empty lines are not counted against it; a board that is cut short is."""
        found: list[WrittenBoard] = []
        rows: list[str] = []
        for number, line in enumerate(map(str.strip, _split_lines(decode(output))), 1):
            if rows or (len(line) >= LEAST_ROW and set(line) <= set(self.letters)):
                self._check_board_row(line, number, len(found) + 1, len(rows) + 1)
                rows.append(line)
                if len(rows) == 8:
                    found.append(WrittenBoard("".join(rows)))
                    rows = []
            elif found and (side := self._side_of(line)):
                if not found[-1].side:
                    found[-1] = WrittenBoard(found[-1].cells, *side)
            elif self.rules.means_position(line):
                found.append(self._read_position(line))
        if rows:
            raise Unreadable(f"the output ends after {len(rows)} rows of board {len(found) + 1}")
        if not found:
            raise Unreadable("there is no board in the output")
        return found

    def _check_board_row(self, line: str, number: int, board: int, row: int) -> None:
        if not set(line) & set(self.letters):
            what = shown(line) if line else "an empty line"
            raise Unreadable(f"line {number}: board {board} ends after {row - 1} rows, with {what}")
        self._check_row(line, f"line {number}: row {row} of board {board}")

    def _read_position(self, line: str) -> WrittenBoard:
        """A position in one line."""
        if len(line) > LONGEST:
            raise Unreadable(f"a position in one line of {len(line)} characters")
        try:
            # Not strictly: men that the input has left uncrowned may stay so.
            read = self.rules.read(line, "the output", False, self.variant)
        except BoardError as error:
            raise Unreadable("; ".join(str(fault) for fault in error.faults[:3])) from None
        except UserError as error:
            raise Unreadable(str(error)) from None
        board = write_board(self.rules, read.position)
        # Men on their last row were read as kings, but the answer has not crowned them.
        cells = "".join(
            letter.lower() if index in read.crowned else letter
            for index, letter in enumerate(board.cells)
        )
        return replace(board, cells=cells) if self.rules.names_side(line) else WrittenBoard(cells)

    def _read_rows(self, lines: list[str]) -> WrittenBoard:
        """Eight rows and, if the game names it, the side to move."""
        for number, line in enumerate(lines[:8], 1):
            self._check_row(line, f"row {number}")
        if len(lines) < 8:
            raise Unreadable(f"the board ends after {counted(len(lines), 'row')}; it has 8")
        side, rest = list[str](), lines[8:]
        if rest and self.rules.BOARD_NAMES_SIDE:
            side = self._side_of(rest.pop(0))
            if not side:
                raise Unreadable(f"line 9 should name the side to move, not {shown(lines[8])}")
        if rest:
            raise Unreadable(self._too_long(lines, len(lines) - len(rest)))
        return WrittenBoard("".join(lines[:8]), *side)

    def _check_row(self, line: str, name: str) -> None:
        for column, letter in enumerate(line[:8], 1):
            if letter not in self.letters:
                known = " ".join(self.letters)
                what = INVISIBLE.get(letter, ascii(letter))
                raise Unreadable(f"{name}, column {column}: {what} is not one of {known}")
        if len(line) != 8:
            raise Unreadable(f"{name} has {counted(len(line), 'character')}, it should have 8")

    def _side_of(self, line: str) -> list[str]:
        """The side to move and the square after it, if there is one; nothing if it is a remark."""
        words = line.lower().split()
        is_side = (
            self.rules.BOARD_NAMES_SIDE
            and 1 <= len(words) <= self.most_words
            and words[0] in self.rules.SIDES
            and SQUARES.issuperset(words[1:])
        )
        return words if is_side else []

    def _too_long(self, lines: list[str], end: int) -> str:
        rows = [line for line in lines if len(line) == 8 and set(line) <= set(self.letters)]
        if len(rows) >= 16:
            number = len(rows) // 8
            return f"the output holds {number} boards; only the one after the move is wanted"
        if len(rows) == len(lines):
            return f"the board has {len(lines)} rows; it should have 8"
        extra = next(number for number in range(end, len(lines)) if lines[number])
        return f"line {extra + 1} is not part of the board: {shown(lines[extra])}"


def decode(output: bytes | None) -> str:
    if output is None:
        raise Unreadable("there is no output file", Verdict.MISSING)
    if not output:
        raise Unreadable("the output file is empty", Verdict.MISSING)
    if output.startswith(UTF16):
        raise Unreadable("the output is UTF-16; write it as plain text (UTF-8)")
    try:
        text = output.decode("utf-8")
    except UnicodeDecodeError as error:
        before = output[: error.start].decode("utf-8", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        place, byte = f"line {line}, column {column}", output[error.start]
        raise Unreadable(f"{place}: byte 0x{byte:02x} is not UTF-8 text") from None
    if not text.strip(" \t\r\n" + MARK):
        raise Unreadable("the output file holds only blank space", Verdict.MISSING)
    return text


def _split_lines(text: str) -> list[str]:
    """Without invisible characters at their ends, and without empty lines at the end."""
    lines = text.removeprefix(MARK).replace("\r\n", "\n").split("\n")
    lines = [line.rstrip(" \t") for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    if len(lines) > MOST_LINES:
        raise Unreadable(f"the output has {len(lines)} lines")
    return lines
