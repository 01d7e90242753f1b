"""What is wrong with a Two Flags move that one pawn has made."""

from __future__ import annotations

from dataclasses import dataclass

from grader.judge.boards import square, squares
from grader.judge.breach import Breach, joined, no_move

START_RANK = {"white": 2, "black": 7}


@dataclass(frozen=True)
class Pushed:
    """One pawn from `start` to `end`; `taken` has vanished; `passed` is the square of en passant
    in the position before."""

    before: str
    mover: str
    start: int
    end: int
    taken: frozenset[int]
    passed: str

    @property
    def ahead(self) -> int:
        """How many ranks forward."""
        rows = self.end // 8 - self.start // 8
        return -rows if self.mover == "white" else rows

    @property
    def aside(self) -> int:
        return abs(self.end % 8 - self.start % 8)

    @property
    def beside(self) -> int:
        """The square that the pawn would take from en passant."""
        return self.start // 8 * 8 + self.end % 8


def push_fault(pushed: Pushed) -> Breach:
    expected = frozenset([pushed.end] if pushed.before[pushed.end] != "." else [])
    faults = [_direction_fault(pushed)]
    if faults[0] is None:
        faults = [_straight_fault(pushed) if not pushed.aside else _diagonal_fault(pushed)]
    if pushed.aside == pushed.ahead == 1 and not expected:
        expected = frozenset([pushed.beside])  # spoken of already
    if extra := pushed.taken - expected:
        faults.append(Breach(f"the pawn on {squares(sorted(extra))} vanished without being taken"))
    name = square(pushed.start) + square(pushed.end)
    return joined([fault for fault in faults if fault is not None], name)


def _direction_fault(pushed: Pushed) -> Breach | None:
    who = f"the {pushed.mover} pawn on {square(pushed.start)}"
    if pushed.ahead < 0:
        cause = "the program moves pawns in the wrong direction"
        return Breach(f"{who} moved backwards", cause)
    if pushed.ahead == 0:
        return Breach(f"{who} moved sideways")
    if pushed.aside > 1 or (pushed.aside == 1 and pushed.ahead > 1):
        return no_move(square(pushed.start), square(pushed.end))
    return None


def _straight_fault(pushed: Pushed) -> Breach | None:
    who = f"the {pushed.mover} pawn on {square(pushed.start)}"
    rank = START_RANK[pushed.mover]
    if pushed.ahead > 2:
        return Breach(f"{who} moved {pushed.ahead} squares")
    if pushed.ahead == 2:
        if square(pushed.start)[1] != str(rank):
            return Breach(
                f"{who} moved two squares; {pushed.mover} pawns may do so from rank {rank} only",
                "the program lets pawns go two squares from anywhere",
            )
        between = (pushed.start + pushed.end) // 2
        if pushed.before[between] != ".":
            return Breach(f"{who} went through the pawn on {square(between)}")
    if pushed.end in pushed.taken:
        return Breach(
            f"{who} took straight ahead on {square(pushed.end)}; pawns take diagonally",
            "the program takes forwards",
        )
    return None


def _diagonal_fault(pushed: Pushed) -> Breach | None:
    """One square diagonally forward, which is for taking only."""
    who = f"the {pushed.mover} pawn on {square(pushed.start)}"
    if pushed.end in pushed.taken:
        return None
    if square(pushed.end) == pushed.passed:
        if pushed.beside in pushed.taken:
            return None
        return Breach(
            f"the pawn taken en passant was left on {square(pushed.beside)}",
            "the program does not remove what it takes en passant",
        )
    if pushed.beside in pushed.taken:
        return Breach(
            f"{who} took en passant on {square(pushed.end)}, but nothing has just gone past it",
            "the program takes en passant whenever a pawn stands beside its own",
        )
    return Breach(f"{who} moved diagonally to {square(pushed.end)} without taking anything")
