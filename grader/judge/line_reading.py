"""The boards of a line: from the first board to the end of the game, an empty line after each.

People add headers and footers such as `9 moves`, and more or fewer empty lines; none of that is
held against a line.  A board that is cut or bent is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from grader.judge.boards import Drawing
from grader.judge.reading import (
    Form,
    Unreadable,
    check_row,
    lines_of,
    means_position,
    quoted,
    read_answer,
    side_line,
    text_of,
)

SIDE = re.compile(r"(white|black)(\s+[a-h][1-8])?", re.IGNORECASE)
LEAST_ROW = 4  # characters that are pieces: a shorter line is a word or a number


@dataclass
class _Boards:
    form: Form
    found: list[Drawing] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)

    def add(self, line: str, number: int) -> None:
        """Take the next line of the text."""
        if self.rows or self._is_row(line):
            self._add_row(line, number)
        elif self.form.names_the_side and self._is_side(line):
            self._name_side(*side_line(line, number))
        elif means_position(line):
            self.found.append(read_answer(line.encode(), self.form))

    def _is_row(self, line: str) -> bool:
        return len(line) >= LEAST_ROW and set(line) <= set(self.form.letters)

    def _add_row(self, line: str, number: int) -> None:
        board, row = len(self.found) + 1, len(self.rows) + 1
        if not line or not set(line) & set(self.form.letters):
            what = quoted(line) if line else "an empty line"
            raise Unreadable(f"line {number}: board {board} ends after {row - 1} rows, with {what}")
        check_row(line, number, f"line {number}: row {row} of board {board}", self.form)
        self.rows.append(line)
        if len(self.rows) == 8:
            self.found.append(Drawing("".join(self.rows)))
            self.rows = []

    def _is_side(self, line: str) -> bool:
        return SIDE.fullmatch(line) is not None and bool(self.found)

    def _name_side(self, side: str, passed: str) -> None:
        last = self.found[-1]
        if not last.side:
            self.found[-1] = Drawing(last.cells, side, passed)

    def end(self) -> list[Drawing]:
        if self.rows:
            board = len(self.found) + 1
            raise Unreadable(f"the output ends after {len(self.rows)} rows of board {board}")
        if not self.found:
            raise Unreadable("there is no board in the output")
        return self.found


def read_line(output: bytes | None, form: Form) -> list[Drawing]:
    """Every board of the answer; raises `Unreadable`."""
    boards = _Boards(form)
    for number, line in enumerate(lines_of(text_of(output), form.strict), 1):
        boards.add(line.strip() if not form.strict else line, number)
    return boards.end()
