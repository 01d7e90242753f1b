"""The heuristics under their names, and what each of their terms counts."""

from __future__ import annotations

from solver.checkers import heuristics
from solver.checkers.rules import BLACK, Board
from solver.checkers.tuned import tuned, tuned_of
from solver.term import Term

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.checkers.mixed import TwoBoards


class Heuristic:
    """A heuristic: its value for the mover, its value for one side, its terms in words."""

    def __init__(
        self,
        about: str,
        evaluate: Callable[[Board], int],
        side: Callable[..., int],
        **terms: str,
    ) -> None:
        self.about = about
        self.evaluate = evaluate
        self.side = side
        self.terms = terms


HEURISTICS = {
    "material": Heuristic(
        "men, and kings counting two",
        heuristics.material,
        heuristics.material_of,
        man="men",
        king="kings",
    ),
    "safe-mobile": Heuristic(
        "safe on the edge, free to move, on the way to be crowned",
        heuristics.safe_mobile,
        heuristics.safe_mobile_of,
        man="men",
        king="kings",
        safe_man="men on the edge",
        safe_king="kings on the edge",
        movable_man="men with a free square two steps ahead",
        movable_king="kings with a free square two steps away",
        step="rows advanced by men in their own half",
        far_step="rows advanced by men in the far half",
        open_square="free squares on the crowning row",
    ),
    "advance-shield": Heuristic(
        "men grow as they advance, allies shield each other",
        heuristics.advance_shield,
        heuristics.advance_shield_of,
        man="men",
        king="kings",
        row="rows advanced by men",
        shielded="pieces beside an ally",
    ),
    "centre": Heuristic(
        "men in the middle count double, kings four times",
        heuristics.centre,
        heuristics.centre_of,
        king="kings",
        centre_man="men in the middle sixteen squares",
        other_man="other men",
    ),
    "six-regions": Heuristic(
        "where the pieces stand, what can be taken, who stands together",
        heuristics.six_regions,
        heuristics.six_regions_of,
        man="men",
        king="kings",
        far_half="pieces in the far half",
        side_edge="pieces on the left and right edge",
        home_row="pieces on the home row",
        man_to_take="men the mover can take",
        king_to_take="kings the mover can take",
        neighbour="pieces beside an ally",
    ),
    "tuned": Heuristic(
        "a lead, free kings, men about to be crowned; weights fitted to results",
        tuned,
        tuned_of,
        man="men",
        king="kings",
        lead="pieces ahead, in 64ths of all pieces",
        row="rows advanced by men",
        near_man="men one or two rows from being crowned",
        centre_king="kings in the middle sixteen squares",
        king_step="steps that kings can make",
        to_take="pieces that can be taken",
        last_move="having the last move, at most eight pieces",
    ),
}

# The weights are the defaults of keyword arguments.  Compiled functions keep those to
# themselves, so they are read off a position: red men and kings near and far, on edges and
# inside, few but more than the others, with a man and a king to take, so that every term of
# every heuristic occurs.
_SAMPLE = (0x1C0084020, 0x1000200, 0x100080200)


def explain(heuristic: Heuristic, position: Board | TwoBoards) -> list[Term]:
    """The terms of a position, in the order of the catalogue."""
    return [
        Term(
            title,
            how_often(heuristic, position, keyword, black=0),
            how_often(heuristic, position, keyword, black=1),
            weight_of(heuristic, keyword),
        )
        for keyword, title in heuristic.terms.items()
    ]


def worth(heuristic: Heuristic, position: Board | TwoBoards, weights: dict[str, int]) -> int:
    """The value for the mover if the terms weighed so much."""
    black = int(position.mover() == "black")
    return _has(heuristic, position, black, weights) - _has(heuristic, position, 1 - black, weights)


def _has(
    heuristic: Heuristic, position: Board | TwoBoards, black: int, weights: dict[str, int]
) -> int:
    """What a colour has if the terms weigh so much."""
    total = 0
    for board in position.boards():
        moves = int(board.side & BLACK == black)
        pieces = (board.own, board.enemy) if moves else (board.enemy, board.own)
        total += heuristic.side(*pieces, board.kings, black, moves, **weights)
    return total


def how_often(heuristic: Heuristic, position: Board | TwoBoards, keyword: str, black: int) -> int:
    """How often a term occurs for a colour: the side's value if only this term weighed, 1."""
    weights = dict.fromkeys(heuristic.terms, 0) | {keyword: 1}
    return _has(heuristic, position, black, weights)


def weight_of(heuristic: Heuristic, keyword: str) -> int:
    """What one occurrence is worth, found by asking about a side on which it occurs."""
    silenced = {other: 0 for other in heuristic.terms if other != keyword}
    all_in_all = heuristic.side(*_SAMPLE, 0, 1, **silenced)
    return all_in_all // heuristic.side(*_SAMPLE, 0, 1, **silenced, **{keyword: 1})
