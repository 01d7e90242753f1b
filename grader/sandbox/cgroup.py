"""A control group for each run: the kernel counts and limits what all its processes use together,
also what no look at them could show.  Version 2, or version 1 where that has the controllers."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox import kernel
from grader.sandbox.job import RunLimits

REMOVE_SECONDS = 5
FILES = ("active_file ", "inactive_file ")  # in memory.stat
NEAR = 15 / 16  # of the limit: memory is charged in batches
ROOT = Path("/sys/fs/cgroup")
LEAF = "checkmark-warden"


@dataclass(frozen=True)
class Hierarchy:
    """The files of a version; after a blank, the line of the file that has the number."""

    name: str  # in records
    limit: str
    swap: str
    peak: str
    kills: str
    cpu: str
    cpu_unit: float
    join: str


V2 = Hierarchy(
    name="cgroup v2",
    limit="memory.max",
    swap="memory.swap.max",
    peak="memory.peak",
    kills="memory.events oom_kill",
    cpu="cpu.stat usage_usec",
    cpu_unit=1e-6,
    join="cgroup.procs",
)
V1 = Hierarchy(
    name="cgroup v1",
    limit="memory.limit_in_bytes",
    swap="memory.memsw.limit_in_bytes",  # of memory and swap together
    peak="memory.max_usage_in_bytes",
    kills="memory.oom_control oom_kill",
    cpu="cpuacct.usage",
    cpu_unit=1e-9,
    join="tasks",  # a single thread that moves itself waits for nobody
)


@dataclass(frozen=True)
class Group:
    """One group, or one in which others are made.  In version 2 it has one folder."""

    layout: Hierarchy
    memory: Path
    pids: Path
    cpu: Path

    @property
    def folders(self) -> list[Path]:
        return list(dict.fromkeys((self.memory, self.pids, self.cpu)))

    def below(self, name: str) -> Group:
        return Group(self.layout, self.memory / name, self.pids / name, self.cpu / name)

    def fork(self) -> int:
        """A child that has still to join, or in version 2 has joined: to move takes long there."""
        if self.layout is V2:
            with contextlib.suppress(OSError):
                return kernel.fork_into(str(self.memory))
        return os.fork()

    def join(self) -> None:
        """Move this process, which has one thread, unless it was started inside."""
        if self.layout is V2 and self.memory.name in Path("/proc/self/cgroup").read_text():
            return
        for folder in self.folders:
            (folder / self.layout.join).write_text("0")

    @property
    def cpu_s(self) -> float:
        return self._number(self.cpu, self.layout.cpu) * self.layout.cpu_unit

    @property
    def peak_kb(self) -> int:
        """Without files that were only read, which the kernel would drop if it had to."""
        lines = (self.memory / "memory.stat").read_text().splitlines()
        read = sum(int(line.split()[1]) for line in lines if line.startswith(FILES))
        return max(0, self._number(self.memory, self.layout.peak) - read) >> 10

    @property
    def out_of_memory(self) -> bool:
        return self._number(self.memory, self.layout.kills) > 0

    @property
    def reached_limit(self) -> bool:
        """If not, a process that was killed for want of memory was killed for others."""
        peak = self._number(self.memory, self.layout.peak)
        return not peak or peak > self._number(self.memory, self.layout.limit) * NEAR

    def _number(self, folder: Path, place: str) -> int:
        """0 if this kernel does not say."""
        name, _, key = place.partition(" ")
        with contextlib.suppress(FileNotFoundError):
            for line in (folder / name).read_text().splitlines():
                words = line.split()
                if len(words) == 1 or words[0] == key:
                    return int(words[-1])
        return 0


@contextlib.contextmanager
def open_group(group: Group, limits: RunLimits, helpers: int = 0) -> Iterator[Group]:
    """Make a group with these limits, which goes with all its processes.  One that is there was
    left by a warden that was killed."""
    _remove(group.folders)
    try:
        for folder in group.folders:
            folder.mkdir()
        size = limits.memory_mb << 20
        (group.memory / group.layout.limit).write_text(f"{size}")
        with contextlib.suppress(FileNotFoundError, PermissionError):  # no swap is accounted
            (group.memory / group.layout.swap).write_text("0" if group.layout is V2 else f"{size}")
        (group.pids / "pids.max").write_text(f"{limits.processes + helpers}")
        yield group
    finally:
        _remove(group.folders)


def _remove(folders: list[Path]) -> None:
    """Kill what is left in a group, and remove it."""
    deadline = time.monotonic() + REMOVE_SECONDS
    for folder in folders:
        while folder.exists():
            with contextlib.suppress(OSError):
                (folder / "cgroup.kill").write_text("1")
            with contextlib.suppress(OSError):
                for process in map(int, (folder / "cgroup.procs").read_text().split()):
                    if process:  # 0 stands for those that we cannot see, and for ourselves
                        os.kill(process, signal.SIGKILL)
            with contextlib.suppress(OSError):
                folder.rmdir()
                break
            if time.monotonic() > deadline:  # the next warden tries again
                break
            time.sleep(0.001)


def find_group(name: str) -> Group | None:
    """A group that this process can make for its runs, really tried, or None."""
    for parent in _candidates(Path("/proc/self/cgroup").read_text()):
        with contextlib.suppress(OSError), open_group(parent.below(name), RunLimits()) as group:
            if kernel.try_in_child(group.join):
                return group
    return None


def _candidates(text: str) -> Iterator[Group]:
    """From what the kernel says about our own groups."""
    own: dict[str, str] = {}
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        own |= dict.fromkeys(controllers.split(","), path)
    unified = ROOT if (ROOT / "cgroup.controllers").exists() else ROOT / "unified"
    for folder in _from_own_to_top(unified, own.get("", "/")):
        if {"memory", "pids"} <= _enabled(folder):
            yield Group(V2, folder, folder, folder)
    names = ("memory", "pids", "cpuacct")
    chains = [_from_own_to_top(ROOT / name, own.get(name, "/")) for name in names]
    if all(chains):
        yield Group(V1, *(chain[0] for chain in chains))


def _from_own_to_top(top: Path, path: str) -> list[Path]:
    """In a container, the first that exists is our own."""
    own = top / path.lstrip("/")
    return [each for each in (own, *own.parents) if each.is_relative_to(top) and each.is_dir()]


def _enabled(folder: Path) -> set[str]:
    """What groups below one in version 2 can control.  A group that we have for ourselves, as
    `systemd-run --scope` makes it, can pass everything on once we are in a group below."""
    with contextlib.suppress(OSError):
        members = (folder / "cgroup.procs").read_text().split()
        if members and {*members} <= {str(os.getpid()), str(os.getppid())}:
            (folder / LEAF).mkdir(exist_ok=True)
            for member in members:
                (folder / LEAF / "cgroup.procs").write_text(member)
            (folder / "cgroup.subtree_control").write_text("+memory +pids")
    with contextlib.suppress(OSError):
        return set((folder / "cgroup.subtree_control").read_text().split())
    return set()
