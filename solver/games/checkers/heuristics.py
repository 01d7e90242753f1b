"""The heuristics of checkers: each is what a side has minus what the other side has.  A heuristic
lists its terms (key, title, weight); `side` adds them up for one side.  Weights are attributes, so
weight 1 for one term and 0 for the others counts how often it occurs."""

from __future__ import annotations

from solver.games.checkers.rules import BLACK, BOTTOM_ROW, SQUARES, TOP_ROW, Board
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


class Material(SideBySide):
    ABOUT = "men, and kings counting two"
    TERMS: ClassVar[Terms] = {"man": ("men", 1), "king": ("kings", 2)}
    man: i64
    king: i64

    def value(self, position: Position) -> i64:
        """Written out for speed."""
        assert isinstance(position, Board)
        own = position.own
        enemy = position.enemy
        kings = position.kings
        value = self.man * (count(own) - count(enemy))
        if kings:
            value += (self.king - self.man) * (count(own & kings) - count(enemy & kings))
        return value

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        return self.man * count(own & ~kings) + self.king * count(own & kings)


class SafeMobile(SideBySide):
    ABOUT = "safe on the edge, free to move, on the way to be crowned"
    # Our weights (the source gives none): a man is worth more than any gain by a single move.
    TERMS: ClassVar[Terms] = {
        "man": ("men", 50),
        "king": ("kings", 100),
        "safe_man": ("men on the edge", 2),
        "safe_king": ("kings on the edge", 2),
        "movable_man": ("men with a free square two steps ahead", 4),
        "movable_king": ("kings with a free square two steps away", 4),
        "step": ("rows advanced by men in their own half", 3),
        "far_step": ("rows advanced by men in the far half", 6),
        "open_square": ("free squares on the crowning row", 5),
    }
    man: i64
    king: i64
    safe_man: i64
    safe_king: i64
    movable_man: i64
    movable_king: i64
    step: i64
    far_step: i64
    open_square: i64

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        men = own & ~kings
        crowned = own & kings
        free = SQUARES ^ (own | enemy)
        # Two squares away in a straight line, both squares on the board.
        two_up = ((free << 4 & SQUARES) << 4) | ((free << 5 & SQUARES) << 5)
        two_down = ((free >> 4 & SQUARES) >> 4) | ((free >> 5 & SQUARES) >> 5)
        if black:
            movable = men & two_down
            far = men & BOTTOM_HALF
            goal = BOTTOM_ROW
        else:
            movable = men & two_up
            far = men & TOP_HALF
            goal = TOP_ROW
        return (
            self.man * count(men)
            + self.king * count(crowned)
            + self.safe_man * count(men & EDGES)
            + self.safe_king * count(crowned & EDGES)
            + self.movable_man * count(movable)
            + self.movable_king * count(crowned & (two_up | two_down))
            + self.step * rows_advanced(men & ~far, black)
            + self.far_step * rows_advanced(far, black)
            + self.open_square * count(free & goal)
        )


class AdvanceShield(SideBySide):
    ABOUT = "men grow as they advance, allies shield each other"
    TERMS: ClassVar[Terms] = {
        "man": ("men", 3),
        "king": ("kings", 5),
        "row": ("rows advanced by men", 4),
        # Once per piece; the source can also be read as once per ally.
        "shielded": ("pieces beside an ally", 2),
    }
    man: i64
    king: i64
    row: i64
    shielded: i64

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        men = own & ~kings
        return (
            self.man * count(men)
            + self.king * count(own & kings)
            + self.row * rows_advanced(men, black)
            + self.shielded * count(beside_ally(own))
        )


class Centre(SideBySide):
    ABOUT = "men in the middle count double, kings four times"
    TERMS: ClassVar[Terms] = {
        "king": ("kings", 4),
        "centre_man": ("men in the middle sixteen squares", 2),
        "other_man": ("other men", 1),
    }
    king: i64
    centre_man: i64
    other_man: i64

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        men = own & ~kings
        return (
            self.king * count(own & kings)
            + self.centre_man * count(men & CENTRE)
            + self.other_man * count(men & ~CENTRE)
        )


class SixRegions(SideBySide):
    ABOUT = "where the pieces stand, what can be taken, who stands together"
    # 20 times the weights of the source.  Its text gives a king 17.5 and a man 5, its formula the
    # other way round; we follow the text.  Regions overlap.  Only first jumps count as captures.
    TERMS: ClassVar[Terms] = {
        "man": ("men", 100),
        "king": ("kings", 350),
        "far_half": ("pieces in the far half", 40),
        "side_edge": ("pieces on the left and right edge", 40),
        "home_row": ("pieces on the home row", 10),
        "man_to_take": ("men the mover can take", 50),
        "king_to_take": ("kings the mover can take", 175),
        "neighbour": ("pieces beside an ally", 6),
    }
    man: i64
    king: i64
    far_half: i64
    side_edge: i64
    home_row: i64
    man_to_take: i64
    king_to_take: i64
    neighbour: i64

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        far = BOTTOM_HALF if black else TOP_HALF
        home = TOP_ROW if black else BOTTOM_ROW
        taken = targets(own, enemy, kings, black) if to_move else 0
        return (
            self.man * count(own & ~kings)
            + self.king * count(own & kings)
            + self.far_half * count(own & far)
            + self.side_edge * count(own & SIDE_EDGES)
            + self.home_row * count(own & home)
            + self.man_to_take * count(taken & ~kings)
            + self.king_to_take * count(taken & kings)
            + self.neighbour * count(beside_ally(own))
        )


class Tuned(SideBySide):
    """Weights found by `grader tune` without options.  400 points are odds of ten to one."""

    ABOUT = "a lead, free kings, men about to be crowned; weights fitted to results"
    TERMS: ClassVar[Terms] = {
        "man": ("men", 72),
        "king": ("kings", 44),
        "lead": ("pieces ahead, in 64ths of all pieces", 15),
        "row": ("rows advanced by men", -2),
        "near_man": ("men one or two rows from being crowned", 28),
        "centre_king": ("kings in the middle sixteen squares", 11),
        "king_step": ("steps that kings can make", 19),
        "to_take": ("pieces that can be taken", 38),
        "last_move": ("having the last move, at most eight pieces", 13),
    }
    man: i64
    king: i64
    lead: i64
    row: i64
    near_man: i64
    centre_king: i64
    king_step: i64
    to_take: i64
    last_move: i64

    def side(self, own: i64, enemy: i64, kings: i64, black: i64, to_move: i64) -> i64:
        men = own & ~kings
        crowned = own & kings
        return (
            self.man * count(men)
            + self.king * count(crowned)
            + self.lead * lead_of(own, enemy)
            + self.row * rows_advanced(men, black)
            + self.near_man * count(men & (NEAR_BOTTOM if black else NEAR_TOP))
            + self.centre_king * count(crowned & CENTRE)
            + self.king_step * king_steps(crowned, SQUARES ^ (own | enemy))
            + self.to_take * count(targets(own, enemy, kings, black))
            + self.last_move * has_last_move(own, enemy, black, to_move)
        )


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


HEURISTICS: Final[dict[str, SideBySide]] = {
    "material": Material(weights_of(Material.TERMS)),
    "safe-mobile": SafeMobile(weights_of(SafeMobile.TERMS)),
    "advance-shield": AdvanceShield(weights_of(AdvanceShield.TERMS)),
    "centre": Centre(weights_of(Centre.TERMS)),
    "six-regions": SixRegions(weights_of(SixRegions.TERMS)),
    "tuned": Tuned(weights_of(Tuned.TERMS)),
}
