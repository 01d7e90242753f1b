"""What the tables say about a position, in one byte: 0 is a draw, n + 1 an end in n plies.

The mover wins when n is odd and loses when it is even, so there is no need to say who.
"""

from __future__ import annotations

from solver.games.checkers.endgame.slices import (
    SLICE_NUMBERS,
    Slice,
    slice_number,
    slice_numbered,
    turned,
)
from solver.games.checkers.rules import BLACK, Board
from solver.search.position import count
from solver.search.score import distance, loss_in, win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.games.checkers.endgame.file import Archive

DRAWN: Final = 0
LOST_AT_ONCE: Final = 1
MISSING: Final = -1


class Values:
    """The bytes of slices, as far as they are known."""

    def __init__(self) -> None:
        self.slices: Final[list[Slice | None]] = [None] * SLICE_NUMBERS
        self.bytes: Final[list[bytes]] = [b""] * SLICE_NUMBERS

    def add(self, known: Slice, values: bytes) -> None:
        number = known.number()
        self.slices[number] = known
        self.bytes[number] = values

    def has(self, here: Slice) -> bool:
        return self.slices[here.number()] is not None

    def all_of(self, here: Slice) -> bytes:
        """The bytes of all positions of a slice, by their index."""
        return self.bytes[here.number()]

    def of(self, board: Board) -> i64:
        """The byte of a position; `MISSING` if its slice is."""
        own = board.own
        if not own:
            return LOST_AT_ONCE
        enemy = board.enemy
        kings = board.kings
        number = number_of(own, enemy, kings)
        here = self.slices[number]
        if here is None:
            return MISSING
        if board.side & BLACK:
            return self.bytes[number][here.index(turned(own), turned(enemy), turned(kings))]
        return self.bytes[number][here.index(own, enemy, kings)]

    def score(self, board: Board) -> i64:
        """What a position that is here is worth to the mover."""
        return score_of(self.of(board))

    def best(self, children: list[Board]) -> i64:
        """The byte of a position that has these children, all of them known."""
        best = loss_in(0)
        for child in children:
            byte = self.of(child)
            score = score_of(byte + 1) if byte else 0
            if score > best:
                best = score
        return byte_of(best)


def number_of(own: i64, enemy: i64, kings: i64) -> i64:
    """The number of the slice of a position."""
    own_kings = count(own & kings)
    enemy_kings = count(enemy & kings)
    return slice_number(count(own) - own_kings, own_kings, count(enemy) - enemy_kings, enemy_kings)


def score_of(byte: i64) -> i64:
    if byte == DRAWN:
        return 0
    return loss_in(byte - 1) if byte & 1 else win_in(byte - 1)


def byte_of(score: i64) -> i64:
    return distance(score) + 1 if score else DRAWN


class StoredValues(Values):
    """Knows every position of up to as many pieces as the file has."""

    def __init__(self, archive: Archive) -> None:
        super().__init__()
        self.archive: Final = archive
        self.pieces: Final[int] = archive.pieces

    def has(self, here: Slice) -> bool:
        return here.pieces() <= self.pieces or super().has(here)

    def all_of(self, here: Slice) -> bytes:
        if not super().has(here):
            self.add(here, self.archive.values(here))
        return super().all_of(here)

    def of(self, board: Board) -> i64:
        byte = super().of(board)
        if byte != MISSING:
            return byte
        self.all_of(slice_numbered(number_of(board.own, board.enemy, board.kings)))
        return super().of(board)
