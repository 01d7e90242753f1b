"""How a move breaks the rules, and names of squares on a board of 64 characters."""

from __future__ import annotations

from dataclasses import dataclass

FILES = "abcdefgh"


@dataclass(frozen=True)
class Breach:
    """`reason` and `cause` describe the answer only; `hint` may reveal correct moves.
    `is_unexplained`: no rule violation explains the move."""

    reason: str
    cause: str = ""
    move: str = ""
    hint: str = ""
    is_unexplained: bool = False


@dataclass(frozen=True)
class Displaced:
    """One piece of the mover went from `start` to `end`; `taken` has vanished.  Boards are 64
    characters, the top left square first."""

    before: str
    after: str
    mover: str
    start: int
    end: int
    taken: frozenset[int]

    @property
    def rows(self) -> int:
        return self.end // 8 - self.start // 8

    @property
    def columns(self) -> int:
        return self.end % 8 - self.start % 8


def unexplained(moved: Displaced) -> Breach:
    reason = f"no move leads from {square(moved.start)} to {square(moved.end)}"
    return Breach(reason, is_unexplained=True)


def join_breaches(breaches: list[Breach], move: str) -> Breach:
    """All faults of one move; the first cause and hint count."""
    reasons = "; ".join(breach.reason for breach in breaches)
    causes = [breach.cause for breach in breaches if breach.cause]
    hints = [breach.hint for breach in breaches if breach.hint]
    cannot = bool(breaches) and breaches[0].is_unexplained
    return Breach(reasons, causes[0] if causes else "", move, hints[0] if hints else "", cannot)


def square(index: int) -> str:
    """File letter and rank; rank 8 is on top."""
    return FILES[index % 8] + str(8 - index // 8)


def squares(indexes: list[int]) -> str:
    """`b6`, `b6 and d4`, `b6, d4 and f2`."""
    names = [square(index) for index in indexes]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
