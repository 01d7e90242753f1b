"""The rows of a board as people write them.  A plain board is eight rows of eight letters, and
perhaps a line that names the side to move.  Where the meaning is plain, this is read too, with a
warning: a byte order mark, empty lines, blanks between squares, `-` or `_` for empty squares,
coordinates around the board, `red to move`."""

from __future__ import annotations

from solver.errors import BYTE_ORDER_MARK, Fault, counted, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    Cell = tuple[str, int]  # a letter or word, and its column
    Row = tuple[int, list[Cell]]  # and the number of its line

BLANKS = " \t"
EMPTY = "-_"
FILES = ("abcdefgh", "12345678", "01234567")
RANKS = ("87654321", "01234567")  # from the top; 1 to 8 may mean a board that is upside down
PHRASES = ("", "to move", "to play", "move", "turn")  # after `red` or `red's`


class BoardRows:
    """The rows, and the words of the line after them; lines and columns count from 1.  `warnings`
    has at most one entry.  `strict` takes the text as it is."""

    def __init__(self, text: str, sides: tuple[str, ...], strict: bool) -> None:
        lines = [line.rstrip(BLANKS) for line in text.replace("\r\n", "\n").split("\n")]
        while lines and not lines[-1]:
            lines.pop()
        self.rows: list[Row] = [
            (number, list(zip(line, range(1, len(line) + 1), strict=True)))
            for number, line in enumerate(lines, 1)
        ]
        self.words: list[Cell] = []
        self.words_line = 9
        self.warnings: list[Fault] = []
        first = lines[-1].lower().split()[:1] if lines else []
        if first and (first[0] if strict else first[0].removesuffix("'s")) in sides:
            self.take_words()
        if not strict:
            self._repair()

    def take_words(self) -> None:
        """The last row names the side to move."""
        self.words_line, cells = self.rows.pop()
        self.words = words_in(_text(cells))

    @property
    def texts(self) -> list[str]:
        return [_text(cells) for _, cells in self.rows]

    def _repair(self) -> None:
        """Unless the result is not eight rows of eight."""
        written = "".join(self.texts)
        marks = {
            "a byte order mark": written.startswith(BYTE_ORDER_MARK),
            "blanks between squares": bool(set(BLANKS) & set(written)),
            "empty squares that are not '.'": bool(set(EMPTY) & set(written)),
        }
        found = [kind for kind, is_there in marks.items() if is_there]
        rest = " ".join(word for word, _ in self.words[1:]).lower().rstrip(".")
        words = self.words
        if words and rest in PHRASES:
            words = [(words[0][0].lower().removesuffix("'s"), words[0][1])]
            found += ["a side in more than one word"] if rest else []
        rows = []
        for line, cells in self.rows:
            kept = [cell for cell in cells if cell[0] not in BLANKS]
            if line == 1 and kept[:1] == [(BYTE_ORDER_MARK, 1)]:
                kept.pop(0)
            if kept and _text(kept).lower() not in FILES:
                rows.append((line, kept))
            else:
                found.append("coordinates" if kept else "empty lines")
        for place in (slice(0, 1), slice(-1, None)):
            if "".join(_text(cells[place]) for _, cells in rows) in RANKS:
                found.append("coordinates")
                for _, cells in rows:
                    del cells[place]
        if [len(cells) for _, cells in rows] != [8] * 8:
            return
        self.words = words
        self.rows = [
            (line, [("." if letter in EMPTY else letter, column) for letter, column in cells])
            for line, cells in rows
        ]
        if found:
            kinds = ", ".join(dict.fromkeys(found))
            self.warnings.append(Fault(1, 1, f"not a plain board, but it can be read: {kinds}"))

    def find_faults(self, letters: str) -> list[Fault]:
        """One for each kind, at its first place."""
        faults = []
        lengths: dict[int, list[int]] = {}
        aliens: dict[str, list[tuple[int, int]]] = {}
        for line, cells in self.rows[:8]:
            if len(cells) != 8:
                lengths.setdefault(len(cells), []).append(line)
            for letter, column in cells[:8]:
                if letter not in letters:
                    aliens.setdefault(letter, []).append((line, column))
        for length, lines in lengths.items():
            rows = f"{len(lines)} rows of " if len(lines) > 1 else ""
            rule = f"{rows}{counted(length, 'character')}, a row has 8"
            faults.append(Fault(lines[0], min(length, 8) + 1, rule))
        for line, cells in self.rows[:8]:
            if "\r" in _text(cells[8:]):
                rule = "a carriage return without a line feed after it"
                faults.append(Fault(line, _text(cells).index("\r") + 1, rule))
        for letter, places in aliens.items():
            rule = f"{shown(letter)} is not one of {' '.join(letters)}"
            if len(places) > 1:
                known = "empty squares are '.'" if letter in EMPTY else rule.partition(" is ")[2]
                rule = f"{len(places)} × {shown(letter)}: {known}"
            faults.append(Fault(*places[0], rule))
        if len(self.rows) < 8:
            end = f"the board ends after {counted(len(self.rows), 'row')}, it has 8"
            faults.append(Fault(len(self.rows) + 1, 1, end))
        elif len(self.rows) > 8:
            faults.append(Fault(9, 1, f"{len(self.rows)} rows, a board has 8"))
        return faults


def words_in(line: str) -> list[Cell]:
    found, end = [], 0
    for word in line.split():
        start = line.index(word, end)
        found.append((word, start + 1))
        end = start + len(word)
    return found


def _text(cells: list[Cell]) -> str:
    return "".join(letter for letter, _ in cells)


def drop_mark(text: str, strict: bool) -> tuple[str, list[Fault]]:
    """For positions in one line: the text without a byte order mark, and a warning about it."""
    if strict or not text.startswith(BYTE_ORDER_MARK):
        return text, []
    return text[1:], [Fault(1, 1, f"{shown(BYTE_ORDER_MARK)} before the position")]
