"""How the mover stands, as far as it can be told without generating children.

Beside `position` and not in it, because rules need it at run time and types are not free.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

LOST: Final = 0  # no legal move
QUIET: Final = 1  # a free choice of moves
FORCED: Final = 2  # a capture is compulsory, so a static value would be taken in mid-exchange
