"""Tables that never grow beyond their bound: what was not stored lately is forgotten."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

MEGABYTES: Final = 300  # if nobody says otherwise
# Of memory for an entry: its place in a dictionary and its two numbers.  Measured, between 120
# right before a dictionary grows and 166 right after; so this keeps what is promised.
ENTRY_BYTES: Final = 168


def entries_in(megabytes: i64) -> i64:
    """How many entries fit."""
    return (megabytes << 20) // ENTRY_BYTES


class Table:
    """Entries by key, in two generations.

    When the young generation is full it becomes the old one, and what was old is dropped, so
    at most twice `generation` entries are kept.  Entries are not negative.
    """

    def __init__(self, generation: i64) -> None:
        self.generation: Final = generation
        self.young: dict[object, int] = {}
        self.old: dict[object, int] = {}

    def get(self, key: object) -> i64:
        """The entry, or -1 if there is none."""
        entry: i64 = self.young.get(key, -1)
        if entry < 0 and self.old:
            entry = self.old.get(key, -1)
        return entry

    def put(self, key: object, entry: i64) -> None:
        if len(self.young) >= self.generation:
            self.age()
        self.young[key] = entry

    def age(self) -> None:
        self.old = self.young
        self.young = {}

    def __len__(self) -> int:
        return len(self.young) + len(self.old)


# Where an entry of a `DepthTable` holds the depth that was searched.
DEPTH_SHIFT: Final = 10
DEPTH_MASK: Final = 0xFF


class DepthTable(Table):
    """Drops what is old, but for the deepest entries, which cost most to find: they stay until
    there are deeper ones.

    They are at most half a generation, so that two and a half are kept in all.  What another
    search may have left behind takes no more room than that.
    """

    def age(self) -> None:
        dropped = self.old
        self.old = {}
        least = self._least_depth(dropped)
        young = self.young
        for key, entry in dropped.items():
            number: i64 = entry
            if number >> DEPTH_SHIFT & DEPTH_MASK >= least and key not in young:
                young[key] = entry
        self.old = young
        self.young = {}

    def _least_depth(self, dropped: dict[object, int]) -> i64:
        """The depth from which on the entries are few enough to be spared."""
        counts = [0] * (DEPTH_MASK + 1)
        for entry in dropped.values():
            number: i64 = entry
            counts[number >> DEPTH_SHIFT & DEPTH_MASK] += 1
        room: i64 = self.generation // 2
        depth: i64 = DEPTH_MASK + 1
        while depth > 0 and counts[depth - 1] <= room:
            depth -= 1
            room -= counts[depth]
        return depth


def generation_in(megabytes: i64) -> i64:
    """The generation of a `DepthTable` that stays within so much memory."""
    return max(1, entries_in(megabytes) * 2 // 5)
