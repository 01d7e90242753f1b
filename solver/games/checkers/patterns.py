"""The heuristic `patterns`: what the men on every block of eight squares are worth together.

A block is four rows high and two squares wide.  Nine of them overlap: they begin in rows 0, 2 and 4
and at squares 0, 1 and 2 of a row.  With 0, 1 and 2 for an empty square, a red and a black man, a
block is a number of eight digits to base 3; a table has what it is worth to red.  Every weight is a
pair, for a full and for an empty board, in quarters of a point, and the pieces decide the mixture.
"""

from __future__ import annotations

import os
import sys
from array import array

from solver.errors import FileError
from solver.games.checkers.rules import BLACK, LIGHT, SQUARES, Board
from solver.games.checkers.terms import (
    SHARES,
    THIN,
    SideBySide,
    has_last_move,
    king_steps,
    lead_of,
    targets,
)
from solver.search.heuristic import Term
from solver.search.position import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar, Final

    from mypy_extensions import i64

    from solver.games.checkers.terms import Terms
    from solver.search.position import Position

SHIPPED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "patterns.weights")
BLOCKS: Final = 9
ENTRIES: Final = 6561  # of one block: 3 ** 8
TWO_ROWS: Final = 81  # 3 ** 4
FIELD: Final = 20  # bits for each of three blocks side by side
FIELD_MASK: Final = (1 << FIELD) - 1
PLACES: Final = 35  # the bits of a board
# A pair of weights is one number, the first times 2 ** 32 plus the second, and pairs are added as
# numbers.  Those of blocks are smaller, and sum up to less than half of 2 ** 16 each.
PAIR: Final = 32
PAIR_HALF: Final = 1 << 31
SMALL: Final = 16
SMALL_HALF: Final = 1 << 15
FEWEST: Final = 4  # pieces, as on an empty board: fewer are in the endgame tables
PHASES: Final = 20  # more pieces are a full board
PARTS: Final = 4  # of a point


class Patterns(SideBySide):
    """The weights are read when they are first needed."""

    ABOUT = "men by blocks of eight squares, kings by square; weights fitted to games"
    TERMS: ClassVar[Terms] = {
        "man": ("men", 0),
        "lead": ("pieces ahead, in 64ths of all pieces", 0),
        "king_step": ("steps that kings can make", 0),
        "to_take": ("pieces that can be taken", 0),
        "last_move": ("having the last move, at most eight pieces", 0),
        "turn": ("being to move", 0),
    }
    man: i64
    lead: i64
    king_step: i64
    to_take: i64
    last_move: i64
    turn: i64

    def __init__(self, weights: dict[str, int], path: str = SHIPPED) -> None:
        super().__init__(weights)
        self.path = path
        self.spread: list[int] = []
        self.kings: list[int] = []
        self.blocks: list[int] = []

    def load(self) -> None:
        numbers = read_weights(self.path)
        pairs = [
            (numbers[at] << PAIR) + numbers[at + 1]
            for at in range(0, len(numbers) - BLOCKS * ENTRIES, 2)
        ]
        for key, pair in zip(self.TERMS, pairs, strict=False):
            setattr(self, key, pair)
        self.kings = pairs[len(self.TERMS) :]
        self.spread = spread_bytes()
        self.blocks = numbers[-BLOCKS * ENTRIES :]

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        """What is not in the tables."""
        return (
            self.man * count(own & ~kings)
            + self.lead * lead_of(own, enemy)
            + self.king_step * king_steps(own & kings, SQUARES ^ (own | enemy))
            + self.to_take * count(targets(own, enemy, kings, black))
            + self.last_move * has_last_move(own, enemy, black, to_move)
            + self.turn * to_move
        )

    def value(self, position: Position) -> i64:
        """`side` for both sides, written out for speed, and the tables."""
        assert isinstance(position, Board)
        if not self.blocks:
            self.load()
        own = position.own
        enemy = position.enemy
        kings = position.kings
        black = position.side & BLACK
        pieces = count(own | enemy)
        ahead = 2 * count(own) - pieces
        pair = self.turn + self.to_take * (
            count(targets(own, enemy, kings, black)) - count(targets(enemy, own, kings, 1 - black))
        )
        if ahead > 0:
            pair += self.lead * (SHARES * ahead // pieces)
        elif ahead < 0:
            pair -= self.lead * (SHARES * -ahead // pieces)
        if kings:
            free = SQUARES ^ (own | enemy)
            ahead += count(enemy & kings) - count(own & kings)
            steps = king_steps(own & kings, free) - king_steps(enemy & kings, free)
            pair += self.king_step * steps + self.worth_of_kings(own & kings, black)
            pair -= self.worth_of_kings(enemy & kings, 1 - black)
        if pieces <= THIN and own and enemy:
            pair += self.last_move * (2 * has_last_move(own, enemy, black, 1) - 1)
        men = self.worth_of_blocks(own & ~kings, enemy & ~kings, black)
        return mixture(pair + self.man * ahead + men, pieces)

    def worth_of_kings(self, kings: i64, black: i64) -> i64:
        """The board is turned round for black."""
        pair: i64 = 0
        while kings:
            place = count((kings & -kings) - 1)
            kings &= kings - 1
            pair += self.kings[PLACES - 1 - place if black else place]
        return pair

    def worth_of_blocks(self, own: i64, enemy: i64, black: i64) -> i64:
        top, middle, bottom = self.numbers(enemy, own) if black else self.numbers(own, enemy)
        blocks = self.blocks
        small: i64 = blocks[top & FIELD_MASK]
        small += blocks[ENTRIES + (top >> FIELD & FIELD_MASK)]
        small += blocks[2 * ENTRIES + (top >> 2 * FIELD)]
        small += blocks[3 * ENTRIES + (middle & FIELD_MASK)]
        small += blocks[4 * ENTRIES + (middle >> FIELD & FIELD_MASK)]
        small += blocks[5 * ENTRIES + (middle >> 2 * FIELD)]
        small += blocks[6 * ENTRIES + (bottom & FIELD_MASK)]
        small += blocks[7 * ENTRIES + (bottom >> FIELD & FIELD_MASK)]
        small += blocks[8 * ENTRIES + (bottom >> 2 * FIELD)]
        pair = widened(small)
        return -pair if black else pair

    def numbers(self, red: i64, black: i64) -> tuple[i64, i64, i64]:
        """The numbers of the blocks that begin in rows 0, 2 and 4: of each, three side by side."""
        spread = self.spread
        first: i64 = spread[red & 255]
        first += 2 * spread[black & 255]
        second: i64 = spread[red >> 9 & 255]
        second += 2 * spread[black >> 9 & 255]
        third: i64 = spread[red >> 18 & 255]
        third += 2 * spread[black >> 18 & 255]
        fourth: i64 = spread[red >> 27]
        fourth += 2 * spread[black >> 27]
        return first + TWO_ROWS * second, second + TWO_ROWS * third, third + TWO_ROWS * fourth

    def entries(self, board: Board) -> list[int]:
        """Where the tables have the nine blocks."""
        if not self.spread:
            self.spread = spread_bytes()
        red, black, kings, _ = board.colours()
        return [
            (3 * row + at) * ENTRIES + (number >> at * FIELD & FIELD_MASK)
            for row, number in enumerate(self.numbers(red & ~kings, black & ~kings))
            for at in range(3)
        ]

    def terms(self, position: Position) -> list[Term]:
        """Weights as mixed for this position; the last term makes up for rounding them."""
        from solver.games.checkers.mixed import TwoBoards

        assert isinstance(position, (Board, TwoBoards))
        return [term for board in position.boards() for term in self._terms_of(board)]

    def _terms_of(self, board: Board) -> list[Term]:
        value = self.value(board)
        pieces = count(board.own | board.enemy)
        red, black, kings, _ = board.colours()
        found = []
        for key, (title, _) in self.TERMS.items():
            weight = mixture(getattr(self, key), pieces)
            reds, blacks = self.occurs([board], key, 0), self.occurs([board], key, 1)
            found.append(Term(title, reds, blacks, weight))
        reds = mixture(self.worth_of_kings(red & kings, 0), pieces)
        blacks = mixture(self.worth_of_kings(black & kings, 1), pieces)
        found.append(Term("kings by their squares", reds, blacks, 1))
        for block, entry in enumerate(self.entries(board)):
            worth = mixture(widened(self.blocks[entry]), pieces)
            found.append(Term(draw_block(board, block), max(worth, 0), max(-worth, 0), 1))
        total = -value if board.side & BLACK else value
        rest = total - sum(term.total for term in found)
        return [*found, Term("rounding", max(rest, 0), max(-rest, 0), 1)]


def read_weights(path: str) -> list[int]:
    """Pairs of the terms, pairs of the kings, and small pairs of the blocks."""
    numbers = array("i")
    try:
        with open(path, "rb") as file:
            numbers.frombytes(file.read())
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    except ValueError:
        numbers = array("i")
    if len(numbers) != 2 * (len(Patterns.TERMS) + PLACES) + BLOCKS * ENTRIES:
        raise FileError(f"{path}: not weights of patterns.\nWrite some with 'grader tune'.")
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()


def spread_bytes() -> list[int]:
    """What the squares of two rows add to the numbers of the three blocks that they belong to."""
    found = []
    for squares in range(256):
        number = 0
        for square in range(8):
            if squares >> square & 1:
                row, column = divmod(square, 4)
                for block in range(3):
                    if block <= column <= block + 1:
                        number += 3 ** (2 * row + column - block) << block * FIELD
        found.append(number)
    return found


def widened(small: i64) -> i64:
    """A small pair as a pair."""
    first = (small + SMALL_HALF) >> SMALL
    return (first << PAIR) + small - (first << SMALL)


def fullness(pieces: i64) -> i64:
    """How full a board is, from 0 to `PHASES`."""
    if pieces <= FEWEST:
        return 0
    return pieces - FEWEST if pieces < FEWEST + PHASES else PHASES


def mixture(pair: i64, pieces: i64) -> i64:
    """Points, from a pair of weights."""
    first = (pair + PAIR_HALF) >> PAIR
    second = pair - (first << PAIR)
    full = fullness(pieces)
    return (first * full + second * (PHASES - full)) // (PHASES * PARTS)


def draw_block(board: Board, block: int) -> str:
    """Its corners, and its men in four rows."""
    top, left = block // 3 * 2, block % 3 * 2
    rows = str(board).replace("R", ".").replace("B", ".").split("\n")
    if board.side & LIGHT:
        left = 4 - left
    drawn = " ".join(row[left : left + 4] for row in rows[top : top + 4])
    return f"{'abcdefgh'[left]}{8 - top}-{'abcdefgh'[left + 3]}{5 - top} {drawn}"
