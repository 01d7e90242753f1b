"""What to make of an opponent's move that is illegal on our board.

Public programs disagree about en passant: some do not know it, some forget to remove the pawn
that was taken.  Where it is plain what happened, the game goes on from the opponent's view.
"""

from __future__ import annotations

from solver.twoflags.moves import child_named
from solver.twoflags.rules import (
    BLACK,
    BLACK_LANDED_AT,
    FILES,
    NO_EN_PASSANT,
    RANK_2,
    RANK_7,
    WHITE_LANDED_AT,
    Pawns,
    bit_of,
)


def resynchronised(before: Pawns | None, position: Pawns, name: str) -> tuple[Pawns, str] | None:
    """The position after the opponent's move, and how it was understood; None if it was not.

    `before` is the position in which we made the last move.
    """
    if before is not None:
        forgotten = with_forgotten_pawn(before, position)
        if forgotten is not None:
            child = child_named(forgotten, name)
            if child is not None:
                return child, "the pawn taken en passant is still on the opponent's board"
        allowed = with_en_passant(before, position)
        if allowed is not None:
            child = child_named(allowed, name)
            if child is not None:
                return child, "the opponent takes en passant"
    return None


def with_forgotten_pawn(before: Pawns, position: Pawns) -> Pawns | None:
    """The position with the pawn that our last move took en passant put back."""
    if not position.enemy & ~before.own & before.passed:
        return None
    taken = before.enemy & ~position.own
    return Pawns(position.own | taken, position.enemy, 0, position.state)


def with_en_passant(before: Pawns, position: Pawns) -> Pawns | None:
    """The position in which the double step of our last move can be taken en passant."""
    left = before.own & ~position.enemy
    reached = position.enemy & ~before.own
    if left & RANK_2 and reached == left << 16:
        passed = left << 8
    elif left & RANK_7 and reached == left >> 16:
        passed = left >> 8
    else:
        return None
    return Pawns(position.own, position.enemy, passed, position.state & ~NO_EN_PASSANT)


def taken_at_its_word(position: Pawns, name: str) -> Pawns | None:
    """The position after a move that no rule allows, for games that nobody referees: the pawn
    stands where the opponent says.  None if there is no such pawn."""
    start, end = name[:2], name[2:4]
    if start[1] in "18":
        return None
    left = bit_of(start)
    if not left & position.own:
        return None
    own, enemy = position.own ^ left, position.enemy
    state = position.state ^ BLACK
    file = FILES.index(end[0])
    if end[1] == ("1" if position.state & BLACK else "8"):
        state |= 1 << file + (BLACK_LANDED_AT if position.state & BLACK else WHITE_LANDED_AT)
    elif end[1] in "18" or bit_of(end) & own:
        return None
    else:
        own |= bit_of(end)
        enemy &= ~bit_of(end)
    return Pawns(enemy, own, 0, state)
