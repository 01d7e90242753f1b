"""What a move changes, as one number: where it went, and above that how much it took."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

TAKEN: Final = 56  # the count of pieces taken begins after so many bits
PLACES: Final = (1 << TAKEN) - 1  # the bits below it
