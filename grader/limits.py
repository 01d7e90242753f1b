"""What a submission may use on one puzzle."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Time counts as processor time; the wall clock is only a lax guard against sleepers."""

    cpu_s: float = 10.0
    wall_s: float = 60.0
    memory_mb: int = 1024
    output_bytes: int = 1_000_000
    processes: int = 64
