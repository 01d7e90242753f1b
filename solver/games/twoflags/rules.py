"""The rules of Two Flags: pawns-only chess.

A board is one integer for each side, a bit for each square of ranks 2 to 7:

    rank 7   40 41 42 43 44 45 46 47      White goes up: << 8, and takes by << 7 and << 9
    ...                                   Black goes down: >> 8, and takes by >> 9 and >> 7
    rank 3    8  9 10 11 12 13 14 15
    rank 2    0  1  2  3  4  5  6  7
              a  b  c  d  e  f  g  h

A pawn that lands on its last rank ends the game; `state` keeps those squares for drawing.

The rules, written once from the mover's side:

- A pawn steps one square forward onto an empty square, or two from the rank where it begins
  over empty squares.  It takes diagonally forward.
- En passant: a pawn that went two squares past a square attacked by an enemy pawn can be taken
  there by that pawn, in the next move only.
- The side to move has lost if a pawn of the opponent has landed or there is no legal move; a
  side without pawns has none.
"""

from __future__ import annotations

from solver.search.compiled import mypyc_attr
from solver.search.position import LOST, QUIET, TAKEN, Position, count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

SQUARES: Final = 0xFFFFFFFFFFFF
RANK_2: Final = 0x0000000000FF
RANK_3: Final = 0x00000000FF00
RANK_6: Final = 0x00FF00000000
RANK_7: Final = 0xFF0000000000
NOT_FILE_A: Final = 0xFEFEFEFEFEFE
NOT_FILE_H: Final = 0x7F7F7F7F7F7F

# The bits of `Pawns.state`.
BLACK: Final = 1  # black is to move; else white
NO_EN_PASSANT: Final = 2  # the rule set without it
# The first bits of the pawns that have landed, file a first.
WHITE_LANDED_AT: Final = 2  # on rank 8
BLACK_LANDED_AT: Final = 10  # on rank 1


@mypyc_attr(acyclic=True, free_list_len=1)
class Pawns(Position):
    """`own` are the mover's pawns.  `passed` is the square that a pawn has just passed in a double
    step, if an enemy pawn can take it en passant."""

    __slots__ = ("enemy", "own", "passed", "state")

    def __init__(self, own: i64, enemy: i64, passed: i64, state: i64) -> None:
        self.own: Final = own
        self.enemy: Final = enemy
        self.passed: Final = passed
        self.state: Final = state

    def children(self) -> list[Pawns]:
        """Landings, captures towards file a and file h, double steps, steps; each by square."""
        found: list[Pawns] = []
        state = self.state
        if state >> WHITE_LANDED_AT:
            return found
        own = self.own
        empty = SQUARES ^ (own | self.enemy)
        targets = self.enemy | self.passed
        # Forward is a shift by `up` to the left and `down` to the right, one of which is zero.
        up: i64 = 8
        down: i64 = 0
        last: i64 = RANK_7
        third: i64 = RANK_3
        if state & BLACK:
            up = 0
            down = 8
            last = RANK_2
            third = RANK_6
        forward = own << up >> down
        if own & last:
            self._land(found, own & last)
        taking = (forward & NOT_FILE_A) >> 1 & targets
        if taking:
            self._take(found, taking, 1 + down, up)
        taking = (forward & NOT_FILE_H) << 1 & targets
        if taking:
            self._take(found, taking, down, up + 1)
        steps = forward & empty
        if steps & third:
            self._double_step(found, (steps & third) << up >> down & empty, down, up)
        while steps:
            to = steps & -steps
            steps ^= to
            found.append(Pawns(self.enemy, own ^ (to | to << down >> up), 0, state ^ BLACK))
        return found

    def status(self) -> i64:
        if self.state >> WHITE_LANDED_AT:
            return LOST
        own = self.own
        if self.state & BLACK:
            forward = own >> 8
            landing = own & RANK_2
        else:
            forward = own << 8
            landing = own & RANK_7
        beside = (forward & NOT_FILE_A) >> 1 | (forward & NOT_FILE_H) << 1
        empty = SQUARES ^ (own | self.enemy)
        if landing or forward & empty or beside & (self.enemy | self.passed):
            return QUIET
        return LOST

    def _land(self, found: list[Pawns], moving: i64) -> None:
        """Add the step of these pawns onto their last rank, which is always free."""
        while moving:
            pawn = moving & -moving
            moving ^= pawn
            flag = pawn << BLACK_LANDED_AT if self.state & BLACK else pawn >> 40 << WHITE_LANDED_AT
            found.append(Pawns(self.enemy, self.own ^ pawn, 0, (self.state ^ BLACK) | flag))

    def _take(self, found: list[Pawns], targets: i64, left: i64, right: i64) -> None:
        """Add the capture on each target; the shifts lead back to the taking pawn."""
        while targets:
            to = targets & -targets
            targets ^= to
            taken = to
            if to & self.passed:
                taken = to << 8 if self.state & BLACK else to >> 8
            own = self.own ^ (to | to << left >> right)
            found.append(Pawns(self.enemy ^ taken, own, 0, self.state ^ BLACK))

    def _double_step(self, found: list[Pawns], targets: i64, left: i64, right: i64) -> None:
        """Add the double step onto each target; the shifts lead one square back."""
        while targets:
            to = targets & -targets
            targets ^= to
            middle = to << left >> right
            passed: i64 = 0
            if not self.state & NO_EN_PASSANT:
                beside = (to & NOT_FILE_A) >> 1 | (to & NOT_FILE_H) << 1
                if beside & self.enemy:
                    passed = middle
            own = self.own ^ (to | middle << left >> right)
            found.append(Pawns(self.enemy, own, passed, self.state ^ BLACK))

    def key(self) -> i64:
        """Each product spreads half a bitboard over 62 bits and mixes in the next one.  Collisions
        are possible but rare."""
        first = (self.own & 0xFFFFFF) * 0x2A5F3D1C97
        second = (self.own >> 24 ^ first >> 38) * 0x31C6E94D2B
        third = (self.enemy & 0xFFFFFF ^ second >> 38) * 0x2D3B96A5E1
        fourth = (self.enemy >> 24 ^ third >> 38) * 0x3A71C5D92F
        return first ^ second ^ third ^ fourth ^ self.passed * 9 ^ self.state

    def board_key(self) -> i64:
        if self.state & BLACK:
            return Pawns(self.enemy, self.own, self.passed, self.state ^ BLACK).key()
        return self.key()

    def move_key(self, child: Pawns) -> i64:
        return self.own ^ child.enemy | count(self.enemy ^ child.own) << TAKEN

    def mover(self) -> str:
        return "black" if self.state & BLACK else "white"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Pawns)
            and self.own == other.own
            and self.enemy == other.enemy
            and self.passed == other.passed
            and self.state == other.state
        )

    def __hash__(self) -> int:
        return self.key()

    def __repr__(self) -> str:
        return f"Pawns({self.own:#x}, {self.enemy:#x}, {self.passed:#x}, {self.state})"

    def __str__(self) -> str:
        return draw(self)


def draw(position: Pawns) -> str:
    """The eight rows of a position, rank 8 first."""
    white, black = position.own, position.enemy
    if position.state & BLACK:
        white, black = black, white
    rows = [row_of(position.state >> WHITE_LANDED_AT & 0xFF, 0)]
    for rank in range(5, -1, -1):
        rows.append(row_of(white >> rank * 8 & 0xFF, black >> rank * 8 & 0xFF))
    rows.append(row_of(0, position.state >> BLACK_LANDED_AT))
    return "\n".join(rows)


def row_of(white: i64, black: i64) -> str:
    """One rank as text."""
    row = ""
    for file in range(8):
        row += "w" if white >> file & 1 else "b" if black >> file & 1 else "."
    return row


# Sides and squares by name.

SIDES = ("white", "black")


def other(side: str) -> str:
    return "black" if side == "white" else "white"


FILES = "abcdefgh"


def bit_of(name: str) -> int:
    """Ranks 2 to 7 only."""
    return 1 << (int(name[1]) - 2) * 8 + FILES.index(name[0])


def name_of(bit: int) -> str:
    index = bit.bit_length() - 1
    return FILES[index % 8] + str(index // 8 + 2)


def place_of(name: str) -> tuple[int, int]:
    """Row and column, from 0 at the top left."""
    return 8 - int(name[1]), FILES.index(name[0])


def each_bit(bits: int) -> list[int]:
    """The set bits, from a2."""
    found = []
    while bits:
        found.append(bits & -bits)
        bits &= bits - 1
    return found
