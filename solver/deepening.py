"""Which depths a search goes through, one after the other."""

from __future__ import annotations

from solver.score import MAX_DEPTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.finding import Finding
    from solver.limits import Limits
    from solver.techniques import Techniques


def ignore(finding: Finding) -> None:
    """The listener of those who only want the last finding."""


def depths(
    techniques: Techniques,
    limits: Limits,
    listener: Callable[[Finding], None] = ignore,
    known: Finding | None = None,
) -> range:
    """The depths to search, after what is known already.

    Where nobody listens and nothing but the depth ends the search, it deepens by two plies:
    the same side has the last move each time, so that one depth says more about the next.
    """
    last = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
    step = 2 if limits.only_depth and listener is ignore else 1
    first = 1 if techniques.has("deepening") else last
    if known is not None:
        first = last + 1 if known.proven else known.depth + 1
    return range(first + (last - first) % step, last + 1, step)
