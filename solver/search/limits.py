"""Search limits: depth, nodes, time."""

from __future__ import annotations

import math
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

UNLIMITED = 1 << 60
ASK_EVERY = 4096  # nodes between two checks, at most
SECONDS_BETWEEN = 0.02  # between two checks, even with a slow heuristic


class Stop(Exception):
    """Raised inside a search whose limits are used up; caught where the search began."""


class Limits:
    """How far a search may go; it also stops if `poll`, called with the node count, says so."""

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
        """Whether only the depth ends the search."""
        others = (self.nodes, self.seconds, self.poll)
        return self.depth is not None and others == (None, None, None)

    def part(self, share: float) -> Limits:
        """The same limits with this share of the nodes and seconds."""
        nodes = None if self.nodes is None else max(1, int(self.nodes * share))
        seconds = None if self.seconds is None else self.seconds * share
        return Limits(self.depth, nodes, seconds, self.poll)


class Meter:
    """What is left of limits from a moment on, which several searches share."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.started = time.monotonic()

    def left(self, visited: int, depth: int | None = None) -> Limits:
        """After that many nodes."""
        limits = self.limits
        nodes = None if limits.nodes is None else max(0, limits.nodes - visited)
        seconds = limits.seconds
        if seconds is not None:
            seconds = max(0.0, seconds - (time.monotonic() - self.started))
        return Limits(depth, nodes, seconds, limits.poll)


class Budget:
    """What is left of the limits while a search runs.  This module is never compiled: each check
    lets a compiled search handle threads and signals."""

    def __init__(self, limits: Limits) -> None:
        self.nodes = UNLIMITED if limits.nodes is None else limits.nodes
        self.seconds = math.inf if limits.seconds is None else limits.seconds
        self.poll = limits.poll
        self.started = time.monotonic()

    def left(self, visited: int) -> int:
        """About how many nodes more the limits allow; after a few nodes, time says little."""
        left = self.nodes - visited
        if self.seconds < math.inf and visited > ASK_EVERY:
            elapsed = max(time.monotonic() - self.started, 1e-9)
            left = min(left, int(visited * (self.seconds / elapsed - 1)))
        return left

    def check(self, visited: int) -> int:
        """Raise `Stop` if the limits are used up, or return the node count of the next check."""
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
