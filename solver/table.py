"""A table that never grows beyond its bound: what was not stored lately is forgotten."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64


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
            self.old = self.young
            self.young = {}
        self.young[key] = entry

    def __len__(self) -> int:
        return len(self.young) + len(self.old)
