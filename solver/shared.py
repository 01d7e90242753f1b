"""A table in memory that several processes share: forked from one, each sees what all put in.

Nobody waits for anybody.  A key is kept mixed with its entry, so that of two halves written by
two processes at once neither is taken for an answer.
"""

from __future__ import annotations

import mmap

from solver.table import DEPTH_MASK, DEPTH_SHIFT, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from mypy_extensions import i64

PAIR_BYTES: Final = 32


class SharedTable(Table):
    """Entries in pairs, found by key: the first of a pair gives way to what is as deep or
    deeper, the second to everything.  Entries are above 0."""

    def __init__(self, entries: i64) -> None:
        super().__init__(1)
        self.pairs: i64 = max(1, entries // 2)
        self.words: memoryview = memoryview(mmap.mmap(-1, self.pairs * PAIR_BYTES)).cast("q")

    def get(self, key: Any) -> i64:
        number: i64 = key
        words = self.words
        place: i64 = number % self.pairs * 4
        entry: i64 = words[place + 1]
        mixed: i64 = words[place]
        if mixed ^ entry == number and entry > 0:
            return entry
        entry = words[place + 3]
        mixed = words[place + 2]
        if mixed ^ entry == number and entry > 0:
            return entry
        return -1

    def put(self, key: Any, entry: i64) -> None:
        number: i64 = key
        words = self.words
        place: i64 = number % self.pairs * 4
        there: i64 = words[place + 1]
        if depth_of(there) > depth_of(entry):
            mixed: i64 = words[place]
            if mixed ^ there != number:
                place += 2
        words[place] = number ^ entry
        words[place + 1] = entry

    def __len__(self) -> int:
        """How many entries there are; slow, as nobody keeps count."""
        words = self.words
        found: i64 = 0
        place: i64 = 1
        while place < self.pairs * 4:
            entry: i64 = words[place]
            if entry > 0:
                found += 1
            place += 2
        return found


def depth_of(entry: i64) -> i64:
    return entry >> DEPTH_SHIFT & DEPTH_MASK
