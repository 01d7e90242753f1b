"""What the heuristics of checkers share.  Each is what a side has minus what the other side has.  A
heuristic lists its terms (key, title, weight); `side` adds them up for one side.  Weights are
attributes, so weight 1 for one term and 0 for the others counts how often it occurs."""

from __future__ import annotations

from solver.games.checkers.rules import BLACK, SQUARES, Board
from solver.search.heuristic import Heuristic, Term
from solver.search.position import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar, Final

    from mypy_extensions import i64

    from solver.search.position import Position

    Terms = dict[str, tuple[str, int]]  # title and weight of every term, by its key
    Weights = dict[str, int]

TOP_HALF: Final = 0x00001FEFF
BOTTOM_HALF: Final = 0x7FBFC0000
SIDE_EDGES: Final = 0x0C0603018  # the first and the last column
EDGES: Final = 0x7C060301F  # those columns and the top and bottom rows
CENTRE: Final = 0x00198CC00  # rows and columns 2 to 5
NEAR_TOP: Final = 0x000001EF0  # two rows before red's crowning row
NEAR_BOTTOM: Final = 0x07BC00000  # and before black's
# The rows whose number has bit 1, 2 or 4, to add up row numbers by counting.
ROWS_1: Final = 0x783C1E0F0
ROWS_2: Final = 0x7F801FE00
ROWS_4: Final = BOTTOM_HALF
SHARES: Final = 64  # a lead is counted in 64ths of all pieces
THIN: Final = 8  # pieces up to which the last move matters


class SideBySide(Heuristic):
    """Subclasses define `ABOUT`, `TERMS` and their weights."""

    ABOUT: ClassVar[str] = ""
    TERMS: ClassVar[Terms] = {}

    def __init__(self, weights: Weights) -> None:
        for key, weight in weights.items():
            setattr(self, key, weight)

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        """The value of `own`; `black` and `to_move` are about the side that owns it."""
        raise NotImplementedError

    def value(self, position: Position) -> i64:
        assert isinstance(position, Board)
        black = position.side & BLACK
        return self.side(position.own, position.enemy, position.kings, black, 1) - self.side(
            position.enemy, position.own, position.kings, black ^ 1, 0
        )

    def about(self) -> str:
        return self.ABOUT

    def terms(self, position: Position) -> list[Term]:
        from solver.games.checkers.mixed import TwoBoards

        assert isinstance(position, (Board, TwoBoards))
        boards = position.boards()
        return [
            Term(title, self.occurs(boards, key, 0), self.occurs(boards, key, 1), weight)
            for key, (title, weight) in self.TERMS.items()
        ]

    def occurs(self, boards: list[Board], key: str, black: int) -> int:
        """How often a term occurs for a colour."""
        only = type(self)({other: int(other == key) for other in self.TERMS})
        found = 0
        for board in boards:
            if board.side & BLACK == black:
                found += only.side(board.own, board.enemy, board.kings, black, 1)
            else:
                found += only.side(board.enemy, board.own, board.kings, black, 0)
        return found


def rows_advanced(men: i64, black: i64) -> i64:
    """The rows that the men have advanced, in total."""
    rows = count(men & ROWS_1) + 2 * count(men & ROWS_2) + 4 * count(men & ROWS_4)
    return rows if black else 7 * count(men) - rows


def beside_ally(own: i64) -> i64:
    """The pieces next to a piece of their colour."""
    return own & (own << 4 | own << 5 | own >> 4 | own >> 5)


def targets(own: i64, enemy: i64, kings: i64, black: i64) -> i64:
    """The enemy pieces that a first jump can take."""
    free = SQUARES ^ (own | enemy)
    up = own & kings if black else own
    down = own if black else own & kings
    return enemy & (
        (up >> 4 & free << 4)
        | (up >> 5 & free << 5)
        | (down << 4 & free >> 4)
        | (down << 5 & free >> 5)
    )


def lead_of(own: i64, enemy: i64) -> i64:
    """The lead as a share of all pieces: it grows with every exchange."""
    ahead = count(own) - count(enemy)
    return SHARES * ahead // count(own | enemy) if ahead > 0 else 0


def king_steps(crowned: i64, free: i64) -> i64:
    if not crowned:
        return 0
    return (
        count(crowned & free << 4)
        + count(crowned & free << 5)
        + count(crowned & free >> 4)
        + count(crowned & free >> 5)
    )


def has_last_move(own: i64, enemy: i64, black: i64, to_move: i64) -> i64:
    """Whether, with few pieces, a side has `the move`: the other side must give way first.  The
    mover has it if an odd number of pieces is on every second row, counted from the mover's first
    row."""
    pieces = own | enemy
    if not own or not enemy or count(pieces) > THIN:
        return 0
    mover_is_black = black if to_move else 1 - black
    odd = count(pieces & (~ROWS_1 if mover_is_black else ROWS_1)) & 1
    return odd if to_move else 1 - odd


def weights_of(terms: Terms) -> Weights:
    return {key: weight for key, (_, weight) in terms.items()}
