"""One row of the table that explains a heuristic's value."""

from __future__ import annotations


class Term:
    """How often something occurs for either side, and what each time is worth.

    The first side is the one that begins the game; the total is seen from there.
    """

    def __init__(self, title: str, first: int, second: int, weight: int) -> None:
        self.title = title
        self.first = first
        self.second = second
        self.weight = weight

    @property
    def total(self) -> int:
        return self.weight * (self.first - self.second)
