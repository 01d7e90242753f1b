"""The values in a file; a slice is unpacked when it is first asked about."""

from __future__ import annotations

from solver.checkers.endgame.slices import Slice, slice_numbered
from solver.checkers.endgame.values import MISSING, Values, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.checkers.endgame.file import Archive
    from solver.checkers.rules import Board


class StoredValues(Values):
    """Knows every position of up to as many pieces as the file has."""

    def __init__(self, archive: Archive) -> None:
        super().__init__()
        self.archive: Final = archive
        self.pieces: Final[int] = archive.pieces

    def has(self, here: Slice) -> bool:
        return here.pieces() <= self.pieces or super().has(here)

    def all_of(self, here: Slice) -> bytes:
        if not super().has(here):
            self.add(here, self.archive.values(here))
        return super().all_of(here)

    def of(self, board: Board) -> i64:
        byte = super().of(board)
        if byte != MISSING:
            return byte
        self.all_of(slice_numbered(number_of(board.own, board.enemy, board.kings)))
        return super().of(board)
