"""English draughts on one colour of squares, as bitboards.

The 32 squares are bits of a 35-bit board.  A gap bit follows every second row, so that a
step to a neighbour is the same shift on every row, and a step off the side lands in a gap:

    row 0   .  0  .  1  .  2  .  3       up-left   >> 5    up-right    >> 4
    row 1   4  .  5  .  6  .  7  .       down-left << 4    down-right  << 5
    row 2   .  9  . 10  . 11  . 12
    ...                                  the gaps: 8, 17, 26
    row 7  31  . 32  . 33  . 34  .

The rules, written once from the mover's side:

- Red men go up, black men go down, kings go both ways, one square at a time.
- Jumps are compulsory.  A jump takes the adjacent enemy and lands right behind it; the same
  piece must jump on while it can, and the whole chain is one move.  Any chain may be chosen.
- A man that reaches the far row becomes a king, and its move ends there.
- The side to move has lost if it has no legal move.
"""

from __future__ import annotations

from solver.search.compiled import mypyc_attr
from solver.search.position import FORCED, LOST, QUIET, TAKEN, Choices, Listed, Position, count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

SQUARES: Final = 0x7FBFDFEFF
# Red men are crowned on the top row, black men on the bottom row; no man enters its own first row.
TOP_ROW: Final = 0x00000000F
BOTTOM_ROW: Final = 0x780000000
CROWNING: Final = 0x78000000F

# The bits of `Board.side`.
BLACK: Final = 1  # black is to move; else red
LIGHT: Final = 2  # pieces on light squares, mirrored left to right


@mypyc_attr(acyclic=True, free_list_len=1)
class Board(Position):
    """All pieces are on one colour of squares; `own` are the mover's."""

    __slots__ = ("enemy", "kings", "own", "side")

    def __init__(self, own: i64, enemy: i64, kings: i64, side: i64) -> None:
        self.own: Final = own
        self.enemy: Final = enemy
        self.kings: Final = kings
        self.side: Final = side

    def children(self) -> list[Board]:
        return make_all(self.choices())

    def moves(self) -> list[Board]:
        return make_all(self.choices(unique=False))

    def choices(self, unique: bool = True) -> Choices:
        """Jumps by square; steps by direction (up-right, up-left, down-left, down-right), then by
        square.  Squares count from the top left."""
        own = self.own
        enemy = self.enemy
        empty = SQUARES ^ (own | enemy)
        if self.side & BLACK:
            up = own & self.kings
            down = own
        else:
            up = own
            down = own & self.kings
        if (up and ((up >> 4 & enemy) >> 4 & empty or (up >> 5 & enemy) >> 5 & empty)) or (
            down and ((down << 4 & enemy) << 4 & empty or (down << 5 & enemy) << 5 & empty)
        ):
            jumps = self._jumps(can_jump(up, down, enemy, empty))
            # Only a king can take the same pieces in two orders.
            return Listed(self, distinct(jumps) if unique and own & self.kings else jumps)
        steps = Steps(self)
        if up:
            steps.up_right = up & empty << 4
            steps.up_left = up & empty << 5
            steps.count = count(steps.up_right) + count(steps.up_left)
        if down:
            steps.down_left = down & empty >> 4
            steps.down_right = down & empty >> 5
            steps.count += count(steps.down_left) + count(steps.down_right)
        return steps

    def status(self) -> i64:
        """Ordered by frequency: usually there is no jump and some piece can step."""
        own = self.own
        enemy = self.enemy
        empty = SQUARES ^ (own | enemy)
        if self.side & BLACK:
            up = own & self.kings
            down = own
        else:
            up = own
            down = own & self.kings
        if up and ((up >> 4 & enemy) >> 4 & empty or (up >> 5 & enemy) >> 5 & empty):
            return FORCED
        if down and ((down << 4 & enemy) << 4 & empty or (down << 5 & enemy) << 5 & empty):
            return FORCED
        if up and (up >> 4 & empty or up >> 5 & empty):
            return QUIET
        return QUIET if down << 4 & empty or down << 5 & empty else LOST

    def jumpers(self) -> i64:
        """The mover's pieces that can jump; one of them must."""
        own = self.own
        empty = SQUARES ^ (own | self.enemy)
        if self.side & BLACK:
            return can_jump(own & self.kings, own, self.enemy, empty)
        return can_jump(own, own & self.kings, self.enemy, empty)

    def step(self, piece: i64, to: i64) -> Board:
        kings = self.kings
        if kings & piece:
            kings ^= piece | to
        else:
            kings |= to & CROWNING
        return Board(self.enemy, self.own ^ (piece | to), kings, self.side ^ BLACK)

    def _jumps(self, jumping: i64) -> list[Board]:
        found: list[Board] = []
        own = self.own
        kings = self.kings
        while jumping:
            piece = jumping & -jumping
            jumping ^= piece
            self._jump(found, piece, own ^ piece, self.enemy, kings & ~piece, piece & kings)
        return found

    def _jump(
        self, found: list[Board], at: i64, own: i64, enemy: i64, kings: i64, king: i64
    ) -> None:
        """Add every complete chain of the piece at `at`, which is lifted from the board.  Taken
        pieces leave at once: no chain can land on their squares, because jumps keep the parity of
        rows and columns."""
        empty = SQUARES ^ (own | enemy)
        ended = True
        if king or not self.side & BLACK:
            if at & enemy << 4 & empty << 8:
                ended = False
                self._land(found, at >> 8, own, enemy ^ at >> 4, kings & ~(at >> 4), king)
            if at & enemy << 5 & empty << 10:
                ended = False
                self._land(found, at >> 10, own, enemy ^ at >> 5, kings & ~(at >> 5), king)
        if king or self.side & BLACK:
            if at & enemy >> 4 & empty >> 8:
                ended = False
                self._land(found, at << 8, own, enemy ^ at << 4, kings & ~(at << 4), king)
            if at & enemy >> 5 & empty >> 10:
                ended = False
                self._land(found, at << 10, own, enemy ^ at << 5, kings & ~(at << 5), king)
        if ended:
            kings |= at if king else 0
            found.append(Board(enemy, own | at, kings, self.side ^ BLACK))

    def _land(
        self, found: list[Board], at: i64, own: i64, enemy: i64, kings: i64, king: i64
    ) -> None:
        if not king and at & CROWNING:
            found.append(Board(enemy, own | at, kings | at, self.side ^ BLACK))
        else:
            self._jump(found, at, own, enemy, kings, king)

    def key(self) -> i64:
        """Each product spreads one bitboard over 62 bits and mixes in the next one.  Collisions are
        possible but rare."""
        first = self.own * 0x4D3A5B1
        second = (self.enemy ^ first >> 27) * 0x5F1C9A7
        third = (self.kings ^ second >> 27) * 0x6A93E2D
        return first ^ second ^ third ^ self.side

    def board_key(self) -> i64:
        if self.side & BLACK:
            return self.passed().key()
        return self.key()

    def move_key(self, child: Board) -> i64:
        return self.own ^ child.enemy | count(self.enemy ^ child.own) << TAKEN

    def passed(self) -> Board:
        """The same pieces with the other side to move."""
        return Board(self.enemy, self.own, self.kings, self.side ^ BLACK)

    def mover(self) -> str:
        return "black" if self.side & BLACK else "red"

    def colours(self) -> tuple[int, int, int, bool]:
        """Red, black, kings, and whether they are on light squares."""
        light = self.side & LIGHT != 0
        if self.side & BLACK:
            return self.enemy, self.own, self.kings, light
        return self.own, self.enemy, self.kings, light

    def boards(self) -> list[Board]:
        return [self]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and same(self, other)

    def __hash__(self) -> int:
        return self.key()

    def __repr__(self) -> str:
        return f"Board({self.own:#x}, {self.enemy:#x}, {self.kings:#x}, {self.side})"

    def __str__(self) -> str:
        return draw_boards([self.colours()])


@mypyc_attr(acyclic=True, free_list_len=1)
class Steps(Choices):
    """The steps of a board without jumps: by direction, the pieces left to move."""

    __slots__ = ("board", "down_left", "down_right", "up_left", "up_right")

    def __init__(self, board: Board) -> None:
        self.count = 0
        self.index = -1
        self.board: Final = board
        self.up_right: i64 = 0
        self.up_left: i64 = 0
        self.down_left: i64 = 0
        self.down_right: i64 = 0

    def next(self) -> Position | None:
        if moving := self.up_right:
            piece = moving & -moving
            self.up_right = moving ^ piece
            to = piece >> 4
        elif moving := self.up_left:
            piece = moving & -moving
            self.up_left = moving ^ piece
            to = piece >> 5
        elif moving := self.down_left:
            piece = moving & -moving
            self.down_left = moving ^ piece
            to = piece << 4
        elif moving := self.down_right:
            piece = moving & -moving
            self.down_right = moving ^ piece
            to = piece << 5
        else:
            return None
        self.index += 1
        board = self.board
        kings = board.kings
        if kings & piece:
            kings ^= piece | to
        else:
            kings |= to & CROWNING
        return Board(board.enemy, board.own ^ (piece | to), kings, board.side ^ BLACK)

    def move_keys(self) -> list[int]:
        found: list[int] = []
        add_move_keys(found, self.up_right, 0, 4)
        add_move_keys(found, self.up_left, 0, 5)
        add_move_keys(found, self.down_left, 4, 0)
        add_move_keys(found, self.down_right, 5, 0)
        return found

    def child(self, index: i64, move_key: i64) -> Position:
        piece = move_key & self.board.own
        return self.board.step(piece, move_key ^ piece)


def add_move_keys(found: list[int], moving: i64, left: i64, right: i64) -> None:
    """For every moving piece, its square and its target; one of the shifts is zero."""
    while moving:
        piece = moving & -moving
        moving ^= piece
        found.append(piece | piece << left >> right)


def make_all(choices: Choices) -> list[Board]:
    """All children at once."""
    found: list[Board] = []
    child = choices.next()
    while child is not None:
        assert isinstance(child, Board)
        found.append(child)
        child = choices.next()
    return found


def can_jump(up: i64, down: i64, enemy: i64, empty: i64) -> i64:
    """The pieces that can jump, among those that move up and those that move down."""
    jumping: i64 = 0
    if up:
        jumping = up & (enemy << 4 & empty << 8 | enemy << 5 & empty << 10)
    if down:
        jumping |= down & (enemy >> 4 & empty >> 8 | enemy >> 5 & empty >> 10)
    return jumping


def same(one: Board, two: Board) -> bool:
    return (
        one.own == two.own
        and one.enemy == two.enemy
        and one.kings == two.kings
        and one.side == two.side
    )


def distinct(boards: list[Board]) -> list[Board]:
    """Without repeats, in order; the lists are short."""
    kept: list[Board] = []
    for board in boards:
        for earlier in kept:
            if same(board, earlier):
                break
        else:
            kept.append(board)
    return kept


# Squares: bits, PDN numbers and names.

ROWS = 8


def bit_at(row: int, column: int) -> int:
    """The bit of a dark square, or of the mirror image of a light one."""
    square = row * 4 + column // 2 if (row + column) % 2 else row * 4 + (7 - column) // 2
    return 1 << square + square // 8


def is_light(row: int, column: int) -> bool:
    return (row + column) % 2 == 0


def place_of(bit: int, light: bool) -> tuple[int, int]:
    row, place = divmod(_square(bit), 4)
    column = place * 2 + 1 - row % 2
    return row, 7 - column if light else column


def number_of(bit: int) -> int:
    """The PDN number: 32 for the top left square, 1 for the bottom right one."""
    return 32 - _square(bit)


def _square(bit: int) -> int:
    """The dark squares counted from 0 at the top left, without gaps."""
    index = bit.bit_length() - 1
    return index - index // 9


def bit_of_number(number: int) -> int:
    square = 32 - number
    return 1 << square + square // 8


def name_of(bit: int, light: bool) -> str:
    """File letter and rank; rank 8 is on top."""
    row, column = place_of(bit, light)
    return "abcdefgh"[column] + str(ROWS - row)


def each_bit(bits: int) -> list[int]:
    """The set bits, from the top left square."""
    found = []
    while bits:
        found.append(bits & -bits)
        bits &= bits - 1
    return found


def draw_boards(boards: list[tuple[int, int, int, bool]]) -> str:
    """The eight rows of text of one or two boards."""
    grid = [["."] * 8 for _ in range(8)]
    for red, black, kings, light in boards:
        for pieces, man, king in ((red, "r", "R"), (black, "b", "B")):
            for bit in each_bit(pieces):
                row, column = place_of(bit, light)
                grid[row][column] = king if bit & kings else man
    return "\n".join("".join(row) for row in grid)
