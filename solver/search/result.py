"""What a search has found."""

from __future__ import annotations

from solver.search.score import distance, is_decisive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.search.counters import Counters
    from solver.search.position import Position


class SearchResult:
    """The result of one finished depth: the best child, its value and the line behind it.

    Depth 0 means that nothing was searched and the heuristic alone has chosen.  `certain` says
    that the score is the true value, however deep the search was: no leaf was an opinion.
    `sound` says that nothing was remembered wrongly; else only what is certain is a fact.
    """

    def __init__(
        self,
        depth: int,
        score: int,
        line: list[Position],
        counters: Counters,
        certain: bool = False,
        sound: bool = True,
    ) -> None:
        self.depth = depth
        self.score = score
        self.line = line
        self.counters = counters
        self.certain = certain
        self.sound = sound

    @property
    def best(self) -> Position:
        return self.line[0]

    @property
    def proven(self) -> bool:
        """Nothing can change the value: it is certain, or the win or loss is within the depth.

        A decisive score that is not proven so far is still no opinion: the game is won or lost
        in that many plies at most, and the search has not seen whether it can be sooner.
        """
        if self.certain:
            return True
        return self.sound and self.decided and distance(self.score) <= self.depth

    @property
    def is_fact(self) -> bool:
        """Whether the score is no opinion, even if a win may be sooner than it says."""
        return self.proven or (self.decided and self.sound)

    @property
    def decided(self) -> bool:
        """Whether a side wins, whatever the other does, as far as the search can be trusted."""
        return is_decisive(self.score)
