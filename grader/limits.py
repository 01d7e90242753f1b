"""What a submission may use on one puzzle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

# Times the limit on processor time: so far a program may go on.  If it comes to its end by then,
# a busy machine may be to blame, and it is run once more.
GRACE = 1.2
MOST_SECONDS = 1_000_000.0
LEAST_MEGABYTES = 16  # below, hardly a program starts, and dies without a word
MOST_MEGABYTES = 1 << 20
MOST_OUTPUT = 1 << 30
WALL_TO_CPU = 3  # the least room on the clock for what is allowed in processor time


@dataclass(frozen=True)
class Limits:
    """Time counts as processor time; the wall clock is only a lax guard against sleepers."""

    cpu_s: float = 10.0
    wall_s: float = 60.0
    memory_mb: int = 1024
    output_bytes: int = 1_000_000
    processes: int = 64

    def changed(self, **said: Any) -> Limits:
        """These limits with some of them set anew; who allows more processor time, and says
        nothing of the clock, allows more of that too."""
        limits = replace(self, **said)
        if "cpu_s" in said and "wall_s" not in said:
            return replace(limits, wall_s=max(limits.wall_s, WALL_TO_CPU * limits.cpu_s))
        return limits
