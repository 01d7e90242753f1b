"""One way the game may go on: a move, and the line that is expected after it."""

from __future__ import annotations

from itertools import pairwise

from solver.explain.ledger import Ledger
from solver.standing import FORCED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from solver.exact import Exact
    from solver.explain.teller import Teller
    from solver.finding import Finding
    from solver.position import Position

    Name = Callable[[Any, Any], str]


class Way:
    """The positions from the root on, and the names of the moves between them.

    The finding says what the way is worth to the mover of the root; the ledger, what is taken
    and crowned on it.
    """

    def __init__(
        self, finding: Finding, positions: list[Position], names: list[str], ledger: Ledger
    ) -> None:
        self.finding = finding
        self.positions = positions
        self.names = names
        self.ledger = ledger

    @property
    def root(self) -> Position:
        return self.positions[0]

    @property
    def last(self) -> Position:
        return self.positions[-1]

    @property
    def mover(self) -> str:
        return self.root.mover()

    @property
    def other(self) -> str:
        return self.positions[1].mover()

    @property
    def plies(self) -> int:
        return len(self.names)


def way_of(root: Position, finding: Finding, exact: Exact, teller: Teller, name: Name) -> Way:
    """The way that a finding tells; `name` names a move by the positions before and after it."""
    positions = [root, *finding.line]
    if finding.is_fact:
        positions += forced_on(positions[-1], exact)
    names = [name(parent, child) for parent, child in pairwise(positions)]
    return Way(finding, positions, names, Ledger(positions, teller))


def forced_on(position: Position, exact: Exact) -> list[Position]:
    """How a draw goes on that is told in the middle of an exchange: while somebody must take and
    has one way only, or one that holds by the tables."""
    line: list[Position] = []
    while position.standing() == FORCED:
        replies = position.children()
        if len(replies) > 1 and exact.score(position) == 0:
            replies = [reply for reply in replies if exact.score(reply) == 0]
        if len(replies) != 1:
            break
        position = replies[0]
        line.append(position)
    return line
