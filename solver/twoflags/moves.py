"""Names of moves: the square a pawn leaves and the one it reaches, `e2e4`."""

from __future__ import annotations

from solver.twoflags.rules import BLACK, Pawns
from solver.twoflags.squares import name_of

PROMOTIONS = "qrbn"


def move_name(parent: Pawns, child: Pawns) -> str:
    left = name_of(parent.own & ~child.enemy)
    reached = child.enemy & ~parent.own
    if reached:
        return left + name_of(reached)
    return left + left[0] + ("1" if parent.state & BLACK else "8")


def child_named(parent: Pawns, name: str) -> Pawns | None:
    """The position after the move of that name, whatever its case and with or without the
    promotion that other programs add; None if it is not legal."""
    name = name.lower()
    if len(name) == 5 and name[4] in PROMOTIONS:
        name = name[:4]
    for child in parent.children():
        if move_name(parent, child) == name:
            return child
    return None
