"""What a search has found."""

from __future__ import annotations

from solver.score import distance, is_decisive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.effort import Effort
    from solver.position import Position


class Finding:
    """The result of one finished depth: the best child, its value and the line behind it.

    Depth 0 means that nothing was searched and the heuristic alone has chosen.
    """

    def __init__(self, depth: int, score: int, line: list[Position], effort: Effort) -> None:
        self.depth = depth
        self.score = score
        self.line = line
        self.effort = effort

    @property
    def best(self) -> Position:
        return self.line[0]

    @property
    def proven(self) -> bool:
        """No deeper search can change the value: the win or loss is within the depth."""
        return is_decisive(self.score) and distance(self.score) <= self.depth
