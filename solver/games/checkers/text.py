"""Checkers as text: eight rows of `. r b R B`, or a PDN FEN such as `B:W18,24,K30:B1,K5`.  A ninth
line may name the side to move, by default red.  Our red is PDN's Black, which moves first; our
black is its White."""

from __future__ import annotations

from solver.errors import BoardError, Fault, counted, shown
from solver.games import ReadBoard
from solver.games.checkers.rules import (
    BLACK,
    BOTTOM_ROW,
    LIGHT,
    TOP_ROW,
    Board,
    bit_at,
    bit_of_number,
    each_bit,
    is_light,
    number_of,
    place_of,
)
from solver.games.rows import BoardRows, drop_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.games.checkers.mixed import TwoBoards

    Checkers = Board | TwoBoards

LETTERS = ".rbRB"
SIDES = ("red", "black")
BOARD_ADVICE = (
    f"A board is 8 rows of 8 characters, each one of {' '.join(LETTERS)}; red is to move, upwards."
)
FEN_ADVICE = "A FEN looks like B:W18,24,K30:B1,K5 - side to move, White's squares, Black's squares."


def looks_like_fen(content: str) -> bool:
    start = content.lstrip('\ufeff \t\r\n"').upper()
    return "[FEN " in start or (start[:1] in "BW" and start[1:].lstrip().startswith(":"))


def parse_board(text: str, source: str, strict: bool) -> ReadBoard[Checkers]:
    """Raises `BoardError` with every fault.  A man on its crowning row is read as a king, with a
    warning, or refused if `strict`."""
    board = BoardRows(text, SIDES, strict)
    side = board.words[0][0].lower() if board.words else "red"
    uncrowned = _uncrowned(board)
    faults = board.find_faults(LETTERS) + (list(uncrowned.values()) if strict else [])
    for word, column in board.words[1:]:
        faults.append(Fault(board.words_line, column, f"{shown(word)} after the side to move"))
    if faults:
        raise BoardError(source, faults, BOARD_ADVICE)
    read: ReadBoard[Checkers] = ReadBoard(_position(board.texts, side == "black"), "board")
    read.warnings = [*board.warnings, *uncrowned.values()]
    read.crowned = set(uncrowned)
    return read


def _uncrowned(board: BoardRows) -> dict[int, Fault]:
    """By square."""
    return {
        row * 8 + file: Fault(line, column, f"a {colour} man on its crowning row would be a king")
        for row, man, colour in ((0, "r", "red"), (7, "b", "black"))
        for line, cells in board.rows[row : row + 1]
        for file, (piece, column) in enumerate(cells[:8])
        if piece == man
    }


def _position(rows: list[str], black_moves: bool) -> Checkers:
    """On the colour of squares that has pieces, or on both."""
    red, black, kings = [0, 0], [0, 0], [0, 0]  # on dark and on light squares
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            half, bit = is_light(row, column), bit_at(row, column)
            if letter in "rR":
                red[half] |= bit
            if letter in "bB":
                black[half] |= bit
            if letter in "RB":
                kings[half] |= bit
    dark = _board(red[0], black[0], kings[0], 0, black_moves)
    light = _board(red[1], black[1], kings[1], LIGHT, black_moves)
    if not light.own | light.enemy:
        return dark
    if not dark.own | dark.enemy:
        return light
    from solver.games.checkers.mixed import TwoBoards

    return TwoBoards(dark, light)


def _board(red: int, black: int, kings: int, side: int, black_moves: bool) -> Board:
    """Men on their crowning row become kings."""
    board = Board(red, black, kings | red & TOP_ROW | black & BOTTOM_ROW, side)
    return board.passed() if black_moves else board


def parse_fen(text: str, source: str, strict: bool) -> ReadBoard[Checkers]:
    """With the same faults and warnings as for boards."""
    text, warnings = drop_mark(text, strict)
    reader = FenReader(text)
    faults = reader.faults + (reader.warnings if strict else [])
    if faults:
        raise BoardError(source, faults, FEN_ADVICE)
    red, black = reader.pieces["B"], reader.pieces["W"]
    board = _board(red, black, reader.kings, 0, reader.turn == "W")
    read: ReadBoard[Checkers] = ReadBoard(board, "fen")
    read.warnings = warnings + reader.warnings
    read.crowned = reader.crowned
    return read


class FenReader:
    """Reads one FEN and collects its faults."""

    def __init__(self, text: str) -> None:
        lines = text.replace("\r\n", "\n").split("\n")
        written = [number for number, line in enumerate(lines, 1) if line.strip()]
        tagged = [n for n in written if lines[n - 1].lstrip().upper().startswith("[FEN ")]
        self.line = (tagged or written)[0]
        self.turn = ""
        self.pieces = {"W": 0, "B": 0}
        self.kings = 0
        self.faults = [Fault(number, 1, "a second FEN") for number in tagged[1:]]
        self.warnings: list[Fault] = []
        self.crowned: set[int] = set()
        for number in written:
            # Other PDN tags are ignored.
            if number != self.line and not lines[number - 1].lstrip().startswith("["):
                self.faults.append(Fault(number, 1, "text beside the FEN"))
        self._read(*_inner_text(lines[self.line - 1]))

    def _read(self, text: str, column: int) -> None:
        parts = _split(text, ":", column)
        self.turn = parts[0][0].upper()
        if self.turn not in self.pieces:
            self._fault(column, f"{parts[0][0]!r} is not a side to move, W or B")
        # Some programs add move counters.
        while len(parts) > 3 and parts[-1][0][:1] in ("H", "F") and parts[-1][0][1:].isdigit():
            parts.pop()
        if len(parts) != 3:
            self._fault(column, f"{counted(len(parts), 'part')} between colons, a FEN has 3")
        seen = set()
        for word, place in parts[1:3]:
            colour = word[:1].upper()
            if colour not in self.pieces:
                self._fault(place, f"{word[:1]!r} is not a colour, W or B")
            elif colour in seen:
                self._fault(place, f"{colour} a second time")
            else:
                seen.add(colour)
                for squares in _split(word[1:], ",", place + 1) if word[1:] else []:
                    self._place(colour, *squares)

    def _place(self, colour: str, word: str, column: int) -> None:
        """A square or a range of squares, as 18, K18 or 1-4."""
        king = word[:1].upper() == "K"
        ends = word[king:].split("-")
        if len(ends) > 2 or not all(end.isascii() and end.isdigit() for end in ends):
            self._fault(column, f"{word!r} is not a square, as 18, K18 or 1-4")
            return
        # At most nine digits: enough to see that a number is too large.
        first, last = (int(end.lstrip("0")[:9] or "0") for end in (ends[0], ends[-1]))
        if not 1 <= first <= last <= 32:
            self._fault(column, f"{'-'.join(ends)} is not within the squares 1 to 32")
            return
        for number in range(first, last + 1):
            bit = bit_of_number(number)
            if bit & (self.pieces["W"] | self.pieces["B"]):
                self._fault(column, f"square {number} a second time")
            self.pieces[colour] |= bit
            if king:
                self.kings |= bit
            elif bit & (TOP_ROW if colour == "B" else BOTTOM_ROW):
                rule = f"the man on {number}, its crowning row, would be a king"
                self.warnings.append(Fault(self.line, column + 1, rule))
                row, file = place_of(bit, False)
                self.crowned.add(row * 8 + file)

    def _fault(self, column: int, rule: str) -> None:
        self.faults.append(Fault(self.line, column + 1, rule))


def _inner_text(line: str) -> tuple[str, int]:
    """The FEN without tag, quotes and final dot, and the column where it begins."""
    start, end = len(line) - len(line.lstrip()), len(line.rstrip())
    if line[start:].upper().startswith("[FEN ") and line[:end].endswith("]"):
        start, end = start + 5, end - 1
    if end - start > 1 and line[start] == line[end - 1] == '"':
        start, end = start + 1, end - 1
    return line[start:end].removesuffix("."), start


def _split(text: str, sign: str, column: int) -> list[tuple[str, int]]:
    """The words between the signs, each with its column."""
    found = []
    for part in text.split(sign):
        found.append((part.strip(), column + len(part) - len(part.lstrip())))
        column += len(part) + 1
    return found


def fen_text(board: Board) -> str:
    """A board on light squares is numbered as its mirror image."""
    if board.side & BLACK:
        return f"W:W{_squares(board.own, board)}:B{_squares(board.enemy, board)}"
    return f"B:W{_squares(board.enemy, board)}:B{_squares(board.own, board)}"


def _squares(pieces: int, board: Board) -> str:
    numbers = sorted((number_of(bit), bit & board.kings) for bit in each_bit(pieces))
    return ",".join(f"K{number}" if king else str(number) for number, king in numbers)
