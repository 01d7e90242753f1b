"""Looking after a box while it runs: the limits that hold for all of its processes together."""

from __future__ import annotations

import contextlib
import errno
import os
import time

from grader.sandbox.job import GRACE, Ending, Limits
from grader.sandbox.nameless import nameless_bytes, shared_bytes, shared_on_this_machine
from grader.sandbox.processes import Usage, descendants, fair_share_kb, usage_of

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
        self._own_cpu: dict[tuple[int, int], float] = {}
        self._tree_cpu_s = 0.0
        self.rss_kb = 0  # the largest process that was seen
        self._free = _free_bytes(folders[0])
        self._shared: int | None = None  # on this machine, at the first look
        self.started = time.monotonic()
        self._next_look = self.started + FIRST_LOOK

    @property
    def cpu_s(self) -> float:
        """What was seen to be used, also by processes that nobody waits for, and by those that
        came and went between two looks if somebody has waited for them."""
        return max(self._tree_cpu_s, sum(self._own_cpu.values()))

    def patience(self) -> float:
        """Seconds until the next look."""
        due = min(self._next_look, self.started + self._limits.wall_s)
        return max(0.0, due - time.monotonic())

    def look(self, reaped_s: float) -> Ending | None:
        """The limit that is broken, if one is.  `reaped_s` is the processor time of processes
        that are no more, because we have waited for them ourselves."""
        now = time.monotonic()
        pause = IMPATIENT if now < self.started + PATIENT_AFTER else PATIENT
        self._next_look = now + pause
        if now >= self.started + self._limits.wall_s:
            return Ending.WALL
        processes = descendants(os.getpid())
        used = {each: usage for each in processes if (usage := usage_of(each))}
        self._count_time(used, reaped_s)
        if self._memory_kb(used) > self._limits.memory_mb << 10 or self._hides_memory(processes):
            return Ending.MEMORY
        if self.cpu_s > self._limits.cpu_s * GRACE:
            return Ending.CPU
        if self._hides_files(processes) or any(not self._fits(each) for each in self._folders):
            return Ending.OUTPUT
        living = sum(usage.alive for usage in used.values())
        if living > self._limits.processes + 8:  # where the kernel does not hold it
            return Ending.SIGNAL
        return None

    def _count_time(self, used: dict[int, Usage], reaped_s: float) -> None:
        for process, usage in used.items():
            self._own_cpu[process, usage.started] = usage.cpu_s
        tree = sum(usage.cpu_s + usage.waited_s for usage in used.values())
        self._tree_cpu_s = max(self._tree_cpu_s, tree + reaped_s)

    def _memory_kb(self, used: dict[int, Usage]) -> int:
        resident = {process: usage.rss_kb for process, usage in used.items()}
        self.rss_kb = max(self.rss_kb, *resident.values(), 0)
        total = sum(resident.values())
        if total > self._limits.memory_mb << 10:  # pages of forks are counted more than once
            total = sum(fair_share_kb(process, rss) for process, rss in resident.items())
        return total

    def _fits(self, folder: str) -> bool:
        """Files that are not limited by the size of a file system of their own.  A folder that
        we cannot look into, since it is closed to us or too deep, may hide anything."""
        total = count = 0
        waiting = [folder]
        with contextlib.suppress(OSError):
            os.chmod(folder, 0o700)  # whatever the run has made of it
        while waiting:
            try:
                with os.scandir(waiting.pop()) as entries:
                    for entry in entries:
                        count += 1
                        with contextlib.suppress(FileNotFoundError):
                            total += entry.stat(follow_symlinks=False).st_size
                        if count > MOST_FILES or total > self._most_bytes:
                            return False
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append(entry.path)
            except OSError as error:
                if error.errno in (errno.EACCES, errno.ENAMETOOLONG):
                    return False
        return True

    def _hides_memory(self, processes: list[int]) -> bool:
        """Worth a closer look only if there is so much more than before, whosever it is."""
        most = self._limits.memory_mb << 20
        shared = shared_on_this_machine()
        if self._shared is None:
            self._shared = shared
        return shared - self._shared > most // 2 and shared_bytes(processes) > most

    def _hides_files(self, processes: list[int]) -> bool:
        """Worth a closer look only if so much has gone, to whomever."""
        if self._free - _free_bytes(self._folders[0]) <= self._most_bytes:
            return False
        with contextlib.suppress(OSError):
            device = os.stat(self._folders[0]).st_dev
            return nameless_bytes(processes, device, self._limits.output_bytes) > self._most_bytes
        return False


def _free_bytes(folder: str) -> int:
    """0 if the folder has gone."""
    with contextlib.suppress(OSError):
        found = os.statvfs(folder)
        return found.f_bfree * found.f_frsize
    return 0
