"""What is wrong with a Two Flags move of one pawn."""

from __future__ import annotations

from solver.games.breach import Breach, Displaced, join_breaches, square, squares, unexplained
from solver.games.twoflags.rules import Pawns, name_of

START_RANK = {"white": 2, "black": 7}


def _ahead(moved: Displaced) -> int:
    """Ranks forward."""
    return -moved.rows if moved.mover == "white" else moved.rows


def _beside(moved: Displaced) -> int:
    """The square of a pawn taken en passant."""
    return moved.start // 8 * 8 + moved.end % 8


def find_fault(position: Pawns, moved: Displaced) -> Breach:
    expected = frozenset([moved.end] if moved.before[moved.end] != "." else [])
    who = f"the {moved.mover} pawn on {square(moved.start)}"
    fault = _direction_fault(moved, who)
    if fault is None:
        fault = (
            _diagonal_fault(position, moved, who) if moved.columns else _straight_fault(moved, who)
        )
    faults = [] if fault is None else [fault]
    if abs(moved.columns) == _ahead(moved) == 1 and not expected:
        expected = frozenset([_beside(moved)])  # reported by `_diagonal_fault`
    if extra := moved.taken - expected:
        faults.append(Breach(f"the pawn on {squares(sorted(extra))} vanished without being taken"))
    return join_breaches(faults, square(moved.start) + square(moved.end))


def _direction_fault(moved: Displaced, who: str) -> Breach | None:
    if _ahead(moved) < 0:
        cause = "the program moves pawns in the wrong direction"
        return Breach(f"{who} moved backwards", cause)
    if _ahead(moved) == 0:
        return Breach(f"{who} moved sideways")
    if abs(moved.columns) > 1 or (abs(moved.columns) == 1 and _ahead(moved) > 1):
        return unexplained(moved)
    return None


def _straight_fault(moved: Displaced, who: str) -> Breach | None:
    rank = START_RANK[moved.mover]
    if _ahead(moved) > 2:
        return Breach(f"{who} moved {_ahead(moved)} squares")
    if _ahead(moved) == 2:
        if square(moved.start)[1] != str(rank):
            return Breach(
                f"{who} moved two squares; {moved.mover} pawns may do so from rank {rank} only",
                "the program lets pawns go two squares from anywhere",
            )
        between = (moved.start + moved.end) // 2
        if moved.before[between] != ".":
            return Breach(f"{who} went through the pawn on {square(between)}")
    if moved.end in moved.taken:
        return Breach(
            f"{who} took straight ahead on {square(moved.end)}; pawns take diagonally",
            "the program takes forwards",
        )
    return None


def _diagonal_fault(position: Pawns, moved: Displaced, who: str) -> Breach | None:
    """One square diagonally forward, which must be a capture."""
    if moved.end in moved.taken:
        return None
    if position.passed and square(moved.end) == name_of(position.passed):
        if _beside(moved) in moved.taken:
            return None
        return Breach(
            f"the pawn taken en passant was left on {square(_beside(moved))}",
            "the program does not remove what it takes en passant",
        )
    if _beside(moved) in moved.taken:
        return Breach(
            f"{who} took en passant on {square(moved.end)}, but nothing has just gone past it",
            "the program takes en passant whenever a pawn stands beside its own",
        )
    return Breach(f"{who} moved diagonally to {square(moved.end)} without taking anything")
