"""Names of moves by start and end: `e2e4`."""

from __future__ import annotations

from solver.games.twoflags.rules import BLACK, Pawns, each_bit, name_of, place_of

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
