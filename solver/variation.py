"""The principal variation: the line that both sides are expected to play."""

from __future__ import annotations

from solver.cache import NO_HINT, Cache
from solver.compiled import mypyc_attr
from solver.exact import Exact, known_line
from solver.score import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.position import Position


@mypyc_attr(acyclic=True)
class Link:
    """A line of positions: the first one and the rest."""

    __slots__ = ("position", "rest")

    def __init__(self, position: Position, rest: Link | None) -> None:
        self.position = position
        self.rest = rest


def variation(link: Link | None, depth: int, cache: Cache, exact: Exact) -> list[Position]:
    """The line behind the value that a search of this depth has found at the root.

    Where it ended because the cache knew the rest, the cache is asked to go on; where the
    tables did, and somebody wins, they tell the rest.
    """
    line: list[Position] = []
    while link is not None:
        line.append(link.position)
        link = link.rest
    while line and len(line) < depth:
        position = line[-1]
        ply = len(line)
        if cache.exact(cache.name(position), depth - ply, ply) == UNKNOWN:
            break
        if cache.hint == NO_HINT:
            break
        line.append(position.children()[cache.hint])
    return line + known_line(exact, line[-1]) if line else line
