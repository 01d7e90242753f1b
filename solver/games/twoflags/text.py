"""Two Flags as text: a board of `. w b`, rank 8 first, or a `Setup` line.  Either may name the side
to move (by default white) and the square of en passant."""

from __future__ import annotations

from solver.errors import BYTE_ORDER_MARK, BoardError, Fault, shown
from solver.games import ReadBoard
from solver.games.rows import BoardRows, words_in
from solver.games.twoflags.rules import (
    BLACK,
    BLACK_LANDED_AT,
    FILES,
    NO_EN_PASSANT,
    NOT_FILE_A,
    NOT_FILE_H,
    SIDES,
    WHITE_LANDED_AT,
    Pawns,
    bit_of,
    each_bit,
    name_of,
    place_of,
)

BOARD_ADVICE = (
    "A board is 8 rows of 8 characters, each one of . w b, rank 8 first; "
    "a line 'white' or 'black' after it names the side to move."
)
SETUP_ADVICE = (
    "A setup is 'Setup', pawns like Wa2 or Bh7, and, if you like, WHITE or BLACK to move, "
    "then the square of en passant."
)
HOME = {"w": "1", "b": "8"}
COLOUR = {"w": "white", "b": "black"}


class PawnReader:
    """What has been read so far, and its faults."""

    def __init__(self, state: int) -> None:
        self.state = state
        self.pawns: dict[str, str] = {}  # colour by square
        self.passed = 0
        self.faults: list[Fault] = []

    def add_fault(self, line: int, column: int, rule: str) -> None:
        self.faults.append(Fault(line, column, rule))

    def add_pawn(self, colour: str, square: str, line: int, column: int) -> None:
        if square in self.pawns:
            self.add_fault(line, column, f"a second pawn on {square}")
        elif square[1] == HOME[colour]:
            rule = f"a {COLOUR[colour]} pawn on rank {square[1]}, its own first rank"
            self.add_fault(line, column, rule)
        else:
            self.pawns[square] = colour

    def add_side(self, word: str, line: int, column: int) -> None:
        if word.lower() in SIDES:
            self.state |= BLACK if word.lower() == "black" else 0
        else:
            self.add_fault(line, column, f"{shown(word)} is neither white nor black")

    def add_passed(self, word: str, line: int, column: int) -> None:
        """The square of en passant."""
        square = word.lower()
        if not is_square(square) or square[1] not in "36":
            rule = "after the side comes only the square of en passant, on rank 3 or 6"
            self.add_fault(line, column, f"{shown(word)}: {rule}")
            return
        if self.passed:
            self.add_fault(line, column, f"{square} is a second square of en passant")
            return
        if self.state & NO_EN_PASSANT:
            self.add_fault(line, column, f"{square} is for en passant, which is not played here")
            return
        position = self.position()
        self.passed = bit_of(square)
        taken, beside, home = _around(self.passed, bool(self.state & BLACK))
        legal = (
            (square[1] == "3") == bool(self.state & BLACK)
            and taken & position.enemy
            and beside & position.own
            and not (self.passed | home) & (position.own | position.enemy)
        )
        if not legal:
            self.add_fault(line, column, f"no pawn can be taken en passant on {square}")

    def position(self) -> Pawns:
        sides = {"w": 0, "b": 0}
        state = self.state
        for square, colour in self.pawns.items():
            file = FILES.index(square[0])
            if square[1] == "8":
                state |= 1 << WHITE_LANDED_AT + file
            elif square[1] == "1":
                state |= 1 << BLACK_LANDED_AT + file
            else:
                sides[colour] |= bit_of(square)
        if state & BLACK:
            return Pawns(sides["b"], sides["w"], self.passed, state)
        return Pawns(sides["w"], sides["b"], self.passed, state)

    def result(self, source: str, advice: str) -> Pawns:
        if self.faults:
            raise BoardError(source, self.faults, advice)
        return self.position()


def _around(passed: int, black: bool) -> tuple[int, int, int]:
    """The squares of the passing pawn, beside it, and of its start."""
    taken, home = (passed << 8, passed >> 8) if black else (passed >> 8, passed << 8)
    return taken, (taken & NOT_FILE_A) >> 1 | (taken & NOT_FILE_H) << 1, home


def is_setup(content: str) -> bool:
    words = content.lstrip(BYTE_ORDER_MARK).split(maxsplit=1)
    return bool(words) and words[0].lower() == "setup"


def parse_board(text: str, source: str, state: int, strict: bool) -> ReadBoard[Pawns]:
    """Raises `BoardError` with every fault."""
    reading = PawnReader(state)
    board = BoardRows(text, SIDES, strict)
    if not board.words and len(board.rows) == 9:
        board.take_words()
    reading.faults += board.find_faults(".wb")
    for rank, (line, cells) in zip("87654321", board.rows, strict=False):
        for file, (piece, column) in zip(FILES, cells, strict=False):
            if piece in COLOUR:
                reading.add_pawn(piece, file + rank, line, column)
    for index, (word, column) in enumerate(board.words):
        add = reading.add_passed if index else reading.add_side
        add(word, board.words_line, column)
    read = ReadBoard(reading.result(source, BOARD_ADVICE), "board")
    read.warnings = board.warnings
    return read


def parse_setup(text: str, source: str, state: int) -> Pawns:
    """Raises `BoardError` with every fault."""
    reading = PawnReader(state)
    rows = enumerate(text.split("\n"), 1)
    words = [(word, line, column) for line, row in rows for word, column in words_in(row)]
    side_given = False
    if words[0][0].startswith(BYTE_ORDER_MARK):
        reading.add_fault(1, 1, f"{shown(BYTE_ORDER_MARK)} before the setup")
    for word, line, column in words[1:]:
        colour, square = word[:1].lower(), word[1:].lower()
        if side_given:
            reading.add_passed(word, line, column)
        elif word.lower() in SIDES:
            reading.add_side(word, line, column)
            side_given = True
        elif is_square(word.lower()):
            reading.add_fault(line, column, f"{shown(word)} has no colour, W or B before it")
        elif colour in COLOUR and is_square(square):
            reading.add_pawn(colour, square, line, column)
        else:
            reading.add_fault(line, column, f"{shown(word)} is not a pawn like Wa2 or Bh7")
    if not reading.pawns and not reading.faults:
        _, line, column = words[0]
        reading.add_fault(line, column, "a setup without a pawn")
    return reading.result(source, SETUP_ADVICE)


def is_square(word: str) -> bool:
    return len(word) == 2 and word[0] in FILES and word[1] in "12345678"


def board_text(position: Pawns) -> str:
    return f"{position}\n{' '.join([position.mover(), *_passed(position)])}"


def setup_text(position: Pawns) -> str:
    words = [*pawns(position), position.mover().upper(), *_passed(position)]
    return f"Setup {' '.join(words)}"


def _passed(position: Pawns) -> list[str]:
    return [name_of(bit) for bit in each_bit(position.passed)]


def pawns(position: Pawns) -> list[str]:
    """Every pawn like `Wa2`, White's first, by rank and file."""
    rows = str(position).split("\n")
    return [
        colour + FILES[file] + str(rank)
        for colour in "WB"
        for rank in range(1, 9)
        for file in range(8)
        if rows[8 - rank][file] == colour.lower()
    ]


# Moves by start and end: `e2e4`.

PROMOTIONS = "qrbn"


def move_name(parent: Pawns, child: Pawns) -> str:
    left = name_of(parent.own & ~child.enemy)
    reached = child.enemy & ~parent.own
    if reached:
        return left + name_of(reached)
    return left + left[0] + ("1" if parent.state & BLACK else "8")


def move_places(parent: Pawns, child: Pawns) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Row and column of start and end, and of the pawn taken."""
    name = move_name(parent, child)
    taken = [place_of(name_of(bit)) for bit in each_bit(parent.enemy & ~child.own)]
    return [place_of(name[:2]), place_of(name[2:])], taken


def child_named(parent: Pawns, name: str) -> Pawns | None:
    """The position after the named move (any case, promotion letter ignored), or None."""
    name = name.lower()
    if len(name) == 5 and name[4] in PROMOTIONS:
        name = name[:4]
    for child in parent.children():
        if move_name(parent, child) == name:
            return child
    return None
