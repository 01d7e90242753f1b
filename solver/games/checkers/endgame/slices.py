"""Slices: all positions with the same pieces, numbered, and their values.  Positions are turned so
that the mover goes up.  `KmvK` is the mover's king and man against a king. Sets of squares are
numbered by the combinatorial number system."""

from __future__ import annotations

from bisect import bisect_right

from solver.games.checkers.endgame import MOST_PIECES
from solver.games.checkers.rules import BLACK, BOTTOM_ROW, SQUARES, TOP_ROW, Board
from solver.search.position import count
from solver.search.score import distance, loss_in, win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.games.checkers.endgame.file import Archive

# Binomial coefficients: sets of `size` among `squares`, at `size * 33 + squares`.
CHOOSE: Final[list[int]] = [1] * 33
for _size in range(1, MOST_PIECES + 1):
    CHOOSE.append(0)
    for _squares in range(1, 33):
        CHOOSE.append(CHOOSE[-1] + CHOOSE[(_size - 1) * 33 + _squares - 1])


def choose(squares: i64, size: i64) -> i64:
    return CHOOSE[size * 33 + squares]


def rank(pieces: i64, squares: i64) -> i64:
    """The number of the set among all sets of that size; there must be a piece."""
    found = count(squares & (pieces & -pieces) - 1)
    pieces &= pieces - 1
    row: i64 = 2 * 33
    while pieces:
        found += CHOOSE[row + count(squares & (pieces & -pieces) - 1)]
        pieces &= pieces - 1
        row += 33
    return found


def sets_of(squares: i64, size: i64) -> list[int]:
    """All sets of that many squares, in the order of `rank`."""
    if size == 0:
        return [0]
    found: list[int] = []
    below: i64 = 0
    while squares:
        highest = squares & -squares
        squares ^= highest
        for rest in sets_of(below, size - 1):
            found.append(rest | highest)
        below |= highest
    return found


def spread(pieces: i64, taken: i64) -> i64:
    """Move the pieces up, past every taken square."""
    while taken:
        bit = taken & -taken
        taken ^= bit
        pieces += pieces & -bit
    return pieces


OWN_MEN_SQUARES: Final = SQUARES ^ TOP_ROW
ENEMY_MEN_SQUARES: Final = SQUARES ^ BOTTOM_ROW


class Slice:
    """The positions with these men and kings, numbered by the mover's men, the enemy's men, then
    the kings on the remaining squares."""

    def __init__(self, own_men: i64, own_kings: i64, enemy_men: i64, enemy_kings: i64) -> None:
        self.own_men: Final = own_men
        self.own_kings: Final = own_kings
        self.enemy_men: Final = enemy_men
        self.enemy_kings: Final = enemy_kings
        free = 32 - own_men - enemy_men
        self.enemy_king_sets: Final = choose(free - own_kings, enemy_kings)
        self.king_sets: Final = choose(free, own_kings) * self.enemy_king_sets
        # The first index of the enemy's men for each placement of the mover's.
        self.first: Final[list[int]] = [0]
        for men in sets_of(OWN_MEN_SQUARES, own_men):
            shared = 28 - count(men & ENEMY_MEN_SQUARES)
            self.first.append(self.first[-1] + choose(shared, enemy_men))
        self.size: Final[int] = self.first[-1] * self.king_sets

    def name(self) -> str:
        return (
            "K" * self.own_kings
            + "m" * self.own_men
            + "v"
            + "K" * self.enemy_kings
            + "m" * self.enemy_men
        )

    def pieces(self) -> i64:
        return self.men() + self.own_kings + self.enemy_kings

    def men(self) -> i64:
        return self.own_men + self.enemy_men

    def number(self) -> i64:
        return slice_number(self.own_men, self.own_kings, self.enemy_men, self.enemy_kings)

    def other_number(self) -> i64:
        """The slice that the mover's steps lead to."""
        return slice_number(self.enemy_men, self.enemy_kings, self.own_men, self.own_kings)

    def index(self, own: i64, enemy: i64, kings: i64) -> i64:
        own_kings = own & kings
        enemy_kings = enemy & kings
        own_men = own ^ own_kings
        enemy_men = enemy ^ enemy_kings
        men = self.index_of_men(own_men, enemy_men)
        return self.index_of_kings(men, SQUARES ^ own_men ^ enemy_men, own_kings, enemy_kings)

    def index_of_men(self, own_men: i64, enemy_men: i64) -> i64:
        found: i64 = 0
        if own_men:
            found = self.first[rank(own_men, OWN_MEN_SQUARES)]
        if enemy_men:
            found += rank(enemy_men, ENEMY_MEN_SQUARES & ~own_men)
        return found

    def index_of_kings(self, men: i64, free: i64, own_kings: i64, enemy_kings: i64) -> i64:
        """The whole index, given that of the men and the squares they leave free."""
        found = men * self.king_sets
        if own_kings:
            found += rank(own_kings, free) * self.enemy_king_sets
        if enemy_kings:
            found += rank(enemy_kings, free ^ own_kings)
        return found


SLICE_NUMBERS: Final = 1 << 12


def slice_number(own_men: i64, own_kings: i64, enemy_men: i64, enemy_kings: i64) -> i64:
    return own_men | own_kings << 3 | enemy_men << 6 | enemy_kings << 9


def all_slices(pieces: i64) -> list[Slice]:
    """Every slice of up to that many pieces, after all that captures and crownings lead to."""
    found: list[Slice] = []
    for total in range(2, pieces + 1):
        for men in range(total + 1):
            for own in range(1, total):
                for own_men in range(min(own, men) + 1):
                    enemy_men = men - own_men
                    if enemy_men <= total - own:
                        found.append(
                            Slice(own_men, own - own_men, enemy_men, total - own - enemy_men)
                        )
    return found


def all_pairs(pieces: i64) -> list[tuple[Slice, Slice]]:
    """Every slice with its colour-reversed twin, each pair once, in the same order."""
    by_number: dict[int, Slice] = {}
    found: list[tuple[Slice, Slice]] = []
    for here in all_slices(pieces):
        by_number[here.number()] = here
        if here.other_number() in by_number:
            found.append((here, by_number[here.other_number()]))
    return found


def turned(bits: i64) -> i64:
    """The board upside down: the 35 bits reversed."""
    bits = (bits & 0x3FFFF) << 18 | bits >> 18
    bits = (bits & 0x7FC01FF) << 9 | bits >> 9 & 0x7FC01FF
    bits = (bits & 0x0381C0E07) << 6 | bits & 0x1C0E07038 | bits >> 6 & 0x0381C0E07
    bits = (bits & 0x249249249) << 2 | bits & 0x492492492 | bits >> 2 & 0x249249249
    return bits >> 1


GAPS: Final = 0x7FFFFFFFF ^ SQUARES


class Positions:
    """Finds positions by index, with precomputed sets of squares."""

    def __init__(self, here: Slice) -> None:
        self.here: Final = here
        self.own_men: Final = sets_of(OWN_MEN_SQUARES, here.own_men)
        # The others are places among the remaining squares.
        self.enemy_men: Final = sets_of(0xFFFFFFF, here.enemy_men)
        free = 0xFFFFFFFF >> here.men()
        self.own_kings: Final = sets_of(free, here.own_kings)
        self.enemy_kings: Final = sets_of(free >> here.own_kings, here.enemy_kings)

    def board(self, index: i64) -> Board:
        own, enemy, kings = self.pieces(index)
        return Board(own, enemy, kings, 0)

    def pieces(self, index: i64) -> tuple[i64, i64, i64]:
        """The mover's pieces, the enemy's, and the kings among them."""
        here = self.here
        men_index = index // here.king_sets
        index -= men_index * here.king_sets
        own_kings_index = index // here.enemy_king_sets
        index -= own_kings_index * here.enemy_king_sets
        own_men: i64 = 0
        enemy_men: i64 = 0
        if here.own_men:
            place: i64 = bisect_right(here.first, men_index) - 1
            own_men = self.own_men[place]
            men_index -= here.first[place]
        if here.enemy_men:
            enemy_men = spread(self.enemy_men[men_index], own_men | BOTTOM_ROW | GAPS)
        men = own_men | enemy_men
        own_kings = spread(self.own_kings[own_kings_index], men | GAPS)
        enemy_kings = spread(self.enemy_kings[index], men | own_kings | GAPS)
        return own_men | own_kings, enemy_men | enemy_kings, own_kings | enemy_kings


# Values are bytes: 0 is a draw, n + 1 an end in n plies.  The mover wins if n is odd.
DRAWN: Final = 0
LOST_AT_ONCE: Final = 1


class Values:
    """The bytes of known slices; those of an archive are unpacked on demand."""

    def __init__(self, archive: Archive | None = None) -> None:
        self.archive: Final = archive
        self.slices: Final[list[Slice | None]] = [None] * SLICE_NUMBERS
        self.bytes: Final[list[bytes]] = [b""] * SLICE_NUMBERS

    def add(self, known: Slice, values: bytes) -> None:
        number = known.number()
        self.slices[number] = known
        self.bytes[number] = values

    def all_of(self, here: Slice) -> bytes:
        if self.archive is not None and self.slices[here.number()] is None:
            self.add(here, self.archive.values(here))
        return self.bytes[here.number()]

    def of(self, board: Board) -> i64:
        """The byte of a position, whose slice must be known."""
        own = board.own
        if not own:
            return LOST_AT_ONCE
        enemy = board.enemy
        kings = board.kings
        own_kings = count(own & kings)
        enemy_kings = count(enemy & kings)
        own_men = count(own) - own_kings
        enemy_men = count(enemy) - enemy_kings
        number = slice_number(own_men, own_kings, enemy_men, enemy_kings)
        here = self.slices[number]
        if here is None:
            here = Slice(own_men, own_kings, enemy_men, enemy_kings)
            self.all_of(here)
        if board.side & BLACK:
            return self.bytes[number][here.index(turned(own), turned(enemy), turned(kings))]
        return self.bytes[number][here.index(own, enemy, kings)]

    def score(self, board: Board) -> i64:
        return score_of(self.of(board))

    def best(self, children: list[Board]) -> i64:
        """The byte of a position with these children, all known."""
        best = loss_in(0)
        for child in children:
            byte = self.of(child)
            score = score_of(byte + 1) if byte else 0
            if score > best:
                best = score
        return byte_of(best)


def score_of(byte: i64) -> i64:
    if byte == DRAWN:
        return 0
    return loss_in(byte - 1) if byte & 1 else win_in(byte - 1)


def byte_of(score: i64) -> i64:
    return distance(score) + 1 if score else DRAWN
