"""How an answer breaks the rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Breach:
    """`reason` and `cause` speak of the answer alone; `hint` may give right moves away."""

    reason: str
    cause: str = ""
    move: str = ""
    hint: str = ""
    unexplained: bool = False  # the board shows nothing but that this is not a move


def no_move(start: str, end: str) -> Breach:
    return Breach(f"no move leads from {start} to {end}", unexplained=True)


def joined(breaches: list[Breach], move: str) -> Breach:
    """All that is wrong with one move, the first cause first."""
    reasons = "; ".join(breach.reason for breach in breaches)
    causes = [breach.cause for breach in breaches if breach.cause]
    hints = [breach.hint for breach in breaches if breach.hint]
    return Breach(
        reasons,
        causes[0] if causes else "",
        move,
        hints[0] if hints else "",
        bool(breaches) and breaches[0].unexplained,
    )
