"""Looking after a box while it runs: the limits that hold for all of its processes together."""

from __future__ import annotations

import contextlib
import os
import time

from grader.box.processes import descendants, fair_share_kb, usage_of
from grader.limits import GRACE, Limits
from grader.runs import Ending

FIRST_LOOK = 0.05  # seconds; most runs are over by then
PATIENT_AFTER = 1.0
IMPATIENT, PATIENT = 0.05, 0.2
MOST_FILES = 10_000


class Watch:
    """Looks rarely, since every look costs time that is not the submission's."""

    def __init__(self, limits: Limits, folders: list[str], most_bytes: int) -> None:
        self._limits = limits
        self._folders = folders
        self._most_bytes = most_bytes
        self._cpu: dict[int, float] = {}
        self.rss_kb = 0  # the largest process that was seen
        self.started = time.monotonic()
        self._next_look = self.started + FIRST_LOOK

    @property
    def cpu_s(self) -> float:
        """What was seen to be used, also by processes that nobody waits for."""
        return sum(self._cpu.values())

    def patience(self) -> float:
        """Seconds until the next look."""
        due = min(self._next_look, self.started + self._limits.wall_s)
        return max(0.0, due - time.monotonic())

    def look(self) -> Ending | None:
        """The limit that is broken, if one is."""
        now = time.monotonic()
        pause = IMPATIENT if now < self.started + PATIENT_AFTER else PATIENT
        self._next_look = now + pause
        if now >= self.started + self._limits.wall_s:
            return Ending.WALL
        processes = descendants(os.getpid())
        if self._memory_kb(processes) > self._limits.memory_mb << 10:
            return Ending.MEMORY
        if self.cpu_s > self._limits.cpu_s * GRACE:
            return Ending.CPU
        if any(not self._fits(folder) for folder in self._folders):
            return Ending.OUTPUT
        if len(processes) > self._limits.processes + 8:  # where the kernel does not hold it
            return Ending.SIGNAL
        return None

    def _memory_kb(self, processes: list[int]) -> int:
        resident: dict[int, int] = {}
        for process in processes:
            usage = usage_of(process)
            if usage is not None:
                self._cpu[process] = usage.cpu_s
                resident[process] = usage.rss_kb
                self.rss_kb = max(self.rss_kb, usage.rss_kb)
        total = sum(resident.values())
        if total > self._limits.memory_mb << 10:  # pages of forks are counted more than once
            total = sum(fair_share_kb(process, rss) for process, rss in resident.items())
        return total

    def _fits(self, folder: str) -> bool:
        """Files that are not limited by the size of a file system of their own."""
        total = count = 0
        waiting = [folder]
        while waiting:
            with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    total += entry.stat(follow_symlinks=False).st_size
                    count += 1
                    if count > MOST_FILES or total > self._most_bytes:
                        return False
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        return True
