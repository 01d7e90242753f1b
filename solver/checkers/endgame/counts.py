"""How many positions are won, drawn and lost: the numbers by which tables are compared."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


LOSSES = bytes(range(1, 256, 2))
WINS = bytes(range(2, 256, 2))


class Counts:
    """What the bytes of a slice, or of many, add up to."""

    def __init__(self, values: bytes = b"") -> None:
        self.drawn = values.count(0)
        self.lost = len(values) - len(values.translate(None, LOSSES))
        self.won = len(values) - self.lost - self.drawn
        self.longest_win = max((byte - 1 for byte in WINS if byte in values), default=0)

    def positions(self) -> int:
        return self.won + self.drawn + self.lost


def total(parts: Iterable[Counts]) -> Counts:
    found = Counts()
    for part in parts:
        found.won += part.won
        found.drawn += part.drawn
        found.lost += part.lost
        found.longest_win = max(found.longest_win, part.longest_win)
    return found
