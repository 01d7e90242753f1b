"""Names of moves: `11-15` and `11x18x25` in PDN numbers, `e3-f4` by squares."""

from __future__ import annotations

from solver.games.checkers.mixed import TwoBoards
from solver.games.checkers.rules import LIGHT, Board, each_bit, name_of, number_of, place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    Checkers = Board | TwoBoards
    Place = tuple[int, int]


def move_name(parent: Checkers, child: Checkers, squares: bool = False) -> str:
    """The move, with every landing square of a jump.  PDN numbers exist for one colour of squares
    only; other boards use square names.  If two orders of jumps lead to the same board, the first
    one is named."""
    squares = squares or isinstance(parent, TwoBoards)
    before, after = moved(parent, child)
    light = before.side & LIGHT != 0
    names = [name_of(bit, light) if squares else str(number_of(bit)) for bit in path(before, after)]
    return ("x" if before.enemy & ~after.own else "-").join(names)


def move_places(parent: Checkers, child: Checkers) -> tuple[list[Place], list[Place]]:
    """Row and column of every square the piece touched, and of the pieces it took."""
    before, after = moved(parent, child)
    light = before.side & LIGHT != 0
    taken = each_bit(before.enemy & ~after.own)
    return (
        [place_of(bit, light) for bit in path(before, after)],
        [place_of(bit, light) for bit in taken],
    )


def moved(parent: Checkers, child: Checkers) -> tuple[Board, Board]:
    """The half of the board with the move, before and after."""
    if isinstance(parent, TwoBoards) and isinstance(child, TwoBoards):
        if parent.dark.passed() == child.dark:
            return parent.light, child.light
        return parent.dark, child.dark
    assert isinstance(parent, Board)
    assert isinstance(child, Board)
    return parent, child


def path(parent: Board, child: Board) -> list[int]:
    """The squares of the moving piece, from first to last."""
    taken = parent.enemy & ~child.own
    left = parent.own & ~child.enemy
    reached = child.enemy & ~parent.own
    if not taken:
        return [left, reached]
    # A king may return to its start.
    for start in each_bit(left or parent.own & parent.kings):
        path = _jumps(start, reached or start, taken)
        if path:
            return path
    raise ValueError(f"no move leads from {parent!r} to {child!r}")


def _jumps(at: int, end: int, taken: int) -> list[int]:
    """A path that jumps each of the taken pieces once; empty if there is none."""
    if not taken:
        return [at] if at == end else []
    neighbours = ((at >> 4, at >> 8), (at >> 5, at >> 10), (at << 4, at << 8), (at << 5, at << 10))
    for over, landing in neighbours:
        if over & taken:
            rest = _jumps(landing, end, taken ^ over)
            if rest:
                return [at, *rest]
    return []
