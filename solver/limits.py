"""When a search ends: by depth, by nodes, by the clock."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Poll = Callable[[], None]

UNLIMITED = 1 << 60
POLL_EVERY = 4096  # nodes between two looks at the clock


class Stop(Exception):
    """Raised inside a search that has used up its limits; caught where the search began."""


class Limits:
    """How far a search may go.  Nodes make the answer repeatable; seconds do not."""

    __slots__ = ("depth", "nodes", "seconds")

    def __init__(
        self, depth: int | None = None, nodes: int | None = None, seconds: float | None = None
    ) -> None:
        self.depth = depth
        self.nodes = nodes
        self.seconds = seconds

    def __repr__(self) -> str:
        return f"Limits(depth={self.depth}, nodes={self.nodes}, seconds={self.seconds})"

    def part(self, share: float) -> Limits:
        """The limits of a search that may use this share of the nodes and seconds."""
        nodes = None if self.nodes is None else max(1, int(self.nodes * share))
        seconds = None if self.seconds is None else self.seconds * share
        return Limits(self.depth, nodes, seconds)

    def clock(self) -> Poll:
        """Start the clock: a function that raises `Stop` once the time is up.

        The search calls it every few thousand nodes.  It is never compiled, so each call is
        also the moment at which a compiled search lets other threads and signals through.
        """
        if self.seconds is None:
            return _no_clock
        deadline = time.monotonic() + self.seconds

        def poll() -> None:
            if time.monotonic() >= deadline:
                raise Stop

        return poll


def _no_clock() -> None:
    """Nothing to check, but other threads and signals get their turn."""
