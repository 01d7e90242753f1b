"""When a search ends: by depth, by nodes, by the clock."""

from __future__ import annotations

import math
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

UNLIMITED = 1 << 60
ASK_EVERY = 4096  # nodes between two questions, at the most
SECONDS_BETWEEN = 0.02  # and so long, whatever a heuristic costs


class Stop(Exception):
    """Raised inside a search that has used up its limits; caught where the search began."""


class Limits:
    """How far a search may go.  Nodes make the answer repeatable; seconds do not.

    `poll` is asked every now and then with the nodes visited so far; if it says yes, the search
    stops.
    """

    __slots__ = ("depth", "nodes", "poll", "seconds")

    def __init__(
        self,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        poll: Callable[[int], bool] | None = None,
    ) -> None:
        self.depth = depth
        self.nodes = nodes
        self.seconds = seconds
        self.poll = poll

    def __repr__(self) -> str:
        return f"Limits(depth={self.depth}, nodes={self.nodes}, seconds={self.seconds})"

    @property
    def only_depth(self) -> bool:
        """Whether nothing can stop the search before it has reached its depth."""
        return (
            self.depth is not None
            and self.nodes is None
            and self.seconds is None
            and self.poll is None
        )

    def part(self, share: float) -> Limits:
        """The limits of a search that may use this share of the nodes and seconds."""
        nodes = None if self.nodes is None else max(1, int(self.nodes * share))
        seconds = None if self.seconds is None else self.seconds * share
        return Limits(self.depth, nodes, seconds, self.poll)


class Budget:
    """What is left of the limits while a search runs.

    The search asks every few thousand nodes.  This module is never compiled, so each question
    is also the moment at which a compiled search lets other threads and signals through.
    """

    def __init__(self, limits: Limits) -> None:
        self.nodes = UNLIMITED if limits.nodes is None else limits.nodes
        self.seconds = math.inf if limits.seconds is None else limits.seconds
        self.poll = limits.poll
        self.started = time.monotonic()

    def check(self, visited: int) -> int:
        """Stop the search if it has visited too many nodes or the time is up; otherwise, at
        how many nodes to ask again."""
        if visited > self.nodes:
            raise Stop
        if self.poll is not None and self.poll(visited):
            raise Stop
        step = ASK_EVERY
        if self.poll is not None or self.seconds < math.inf:
            elapsed = time.monotonic() - self.started
            if elapsed >= self.seconds:
                raise Stop
            pace = visited / max(elapsed, 1e-9)
            step = max(1, min(step, visited, int(pace * SECONDS_BETWEEN)))
        return min(visited + step, self.nodes + 1)
