"""A whole search and its visits."""

from __future__ import annotations

from solver.limits import Limits
from solver.tracing import TracedSearch
from solver.visit import Cause

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.effort import Effort
    from solver.evaluate import Evaluate
    from solver.exact import Exact
    from solver.finding import Finding
    from solver.position import Position
    from solver.techniques import Techniques
    from solver.visit import Visit

MOST_VISITS = 200_000  # they are all kept in memory


class Trace:
    """What one search has looked at, and what it has found.

    Values are told for one side, the hero: whoever is to move at the root, but in trees Max.
    """

    def __init__(
        self,
        root: Position,
        hero: str,
        techniques: Techniques,
        visits: list[Visit],
        finding: Finding,
    ) -> None:
        self.root = root
        self.hero = hero
        self.techniques = techniques
        self.visits = visits
        self.finding = finding
        self.below: dict[int, list[Visit]] = {}  # the visits of children, by the parent's number
        for visit in visits:
            self.below.setdefault(visit.parent, []).append(visit)
        self.line = frozenset(visit.number for visit in self._principal())

    @property
    def effort(self) -> Effort:
        return self.finding.effort

    @property
    def complete(self) -> bool:
        """Whether the search came to its end, and was not stopped for having seen too much."""
        return all(root.finished for root in self.below[-1])

    @property
    def value(self) -> int:
        """The result for the hero."""
        return self.finding.score if self.root.mover() == self.hero else -self.finding.score

    def is_heros(self, visit: Visit) -> bool:
        """Whether the hero is to move there."""
        return visit.position.mover() == self.hero

    def worth(self, visit: Visit) -> int:
        """The value of a visit for the hero."""
        return visit.value if self.is_heros(visit) else -visit.value

    def window(self, visit: Visit) -> tuple[int, int]:
        """Alpha and beta for the hero."""
        return (visit.alpha, visit.beta) if self.is_heros(visit) else (-visit.beta, -visit.alpha)

    def above(self, visit: Visit) -> list[Visit]:
        """From a visit up to its root, without itself."""
        found = []
        while visit.parent >= 0:
            visit = self.visits[visit.parent]
            found.append(visit)
        return found

    def is_exact(self, visit: Visit) -> bool:
        """Whether the value of a visit is the value itself and no bound of it."""
        if visit.cause in (Cause.HEURISTIC, Cause.LOST, Cause.TABLES):
            return True
        return visit.finished and visit.alpha < visit.value < visit.beta

    def is_cut(self, visit: Visit) -> bool:
        """Whether its last child made the others needless.  What ends a search at its root is
        no cut: there is nobody who would avoid it."""
        return (
            visit.cause is Cause.CHILDREN
            and visit.finished
            and visit.value >= visit.beta
            and visit.ply > 0
        )

    def _principal(self) -> list[Visit]:
        """The visits that the result rests on: of the last root, down the line of the finding."""
        found: list[Visit] = []
        here = [visit for visit in self.below[-1] if visit.finished][-1:]
        for position in [*self.finding.line, None]:
            found += here
            if not here or position is None:
                break
            children = self.below.get(here[0].number, [])
            here = [visit for visit in children if visit.position == position][-1:]
        return found


def traced(
    root: Position,
    evaluate: Evaluate,
    techniques: Techniques,
    exact: Exact,
    depth: int,
    hero: str = "",
    most: int = MOST_VISITS,
) -> Trace:
    """Search to a depth and write down every visit, but for those beyond the most."""
    search = TracedSearch(evaluate, techniques, exact, most)
    finding = search.run(root, Limits(depth=depth))
    return Trace(root, hero or root.mover(), techniques, search.visits, finding)
