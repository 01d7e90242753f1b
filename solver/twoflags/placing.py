"""Random positions of Two Flags, for new puzzles to be found among them."""

from __future__ import annotations

from solver.twoflags.rules import BLACK, NO_EN_PASSANT, SQUARES, Pawns, each_bit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

STYLES = {"any": "pawns on any squares, either side to move"}


def random_position(
    chance: Callable[[], float], own: int, other: int, en_passant: bool = True
) -> Pawns:
    """So many pawns of the mover and of the other side, anywhere between the last ranks."""
    free = each_bit(SQUARES)
    bits = [free.pop(int(chance() * len(free))) for _ in range(own + other)]
    state = BLACK if chance() < 0.5 else 0
    return Pawns(
        sum(bits[:own]), sum(bits[own:]), 0, state if en_passant else state | NO_EN_PASSANT
    )
