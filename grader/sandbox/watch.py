"""Watching a run: what its processes use, which limit it breaks, how it ended, and that none of
its processes is left.  Linux only, by /proc."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from grader.sandbox.job import GRACE, Ending, RunLimits

TICKS = os.sysconf("SC_CLK_TCK")
PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024
BLOCK = 512
FIRST_LOOK = 0.05  # seconds; most runs are over by then
LOOK_OFTEN, LOOK_RARELY = 0.05, 0.2
OFTEN_UNTIL = 1.0
MOST_FILES = 10_000

OUT_OF_MEMORY = (
    b"MemoryError",
    b"bad_alloc",
    b"OutOfMemoryError",
    b"Cannot allocate memory",
    b"out of memory",
    b"cannot map zero-fill pages",
    b"failed to map segment",
)


@dataclass(frozen=True)
class Usage:
    """`started` tells a process from a later one with the same number; `waited_s` is the
    processor time of those of its children that it has waited for, and of theirs."""

    alive: bool  # not only waiting to be waited for
    started: int
    cpu_s: float
    waited_s: float
    rss_kb: int


def read_usage(process: int) -> Usage | None:
    """None if it is gone."""
    try:
        fields = _read_stat(process)
    except OSError:
        return None
    own, waited = (int(fields[at]) + int(fields[at + 1]) for at in (11, 13))
    rss_kb = int(fields[21]) * PAGE_KB
    return Usage(fields[0] != b"Z", int(fields[19]), own / TICKS, waited / TICKS, rss_kb)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _read_stat(process: int | str) -> list[bytes]:
    """The fields from the state on; the name before it may contain blanks and brackets."""
    text = _read(f"/proc/{process}/stat")
    return text[text.rindex(b")") + 2 :].split()


def find_descendants(process: int) -> list[int]:
    """Children, their children and so on, at this moment."""
    if os.path.exists(f"/proc/{process}/task/{process}/children"):
        return _descend(process, _children)
    return _find_descendants_by_parent(process)


def _find_descendants_by_parent(process: int) -> list[int]:
    """The same where the kernel keeps no lists of children."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                children.setdefault(int(_read_stat(name)[1]), []).append(int(name))
    return _descend(process, lambda parent: children.get(parent, []))


def _descend(process: int, children: Callable[[int], list[int]]) -> list[int]:
    found: list[int] = []
    waiting = [process]
    while waiting:
        mine = children(waiting.pop())
        found += mine
        waiting += mine
    return found


def _children(process: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with contextlib.suppress(OSError):
                text = _read(f"/proc/{process}/task/{thread}/children")
                children += [int(word) for word in text.split()]
    return children


def count_threads(user: int) -> int:
    """All threads of a user on this machine."""
    count = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{name}").st_uid == user:
                    count += os.stat(f"/proc/{name}/task").st_nlink - 2
    return count


def _proportional_kb(process: int, otherwise: int) -> int:
    """Its memory with shared pages divided among those who share them; `otherwise` if the
    kernel does not say, 0 if it is gone."""
    try:
        lines = _read(f"/proc/{process}/smaps_rollup").splitlines()
    except PermissionError:
        return otherwise
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(b"Pss:")), 0)


def _deleted_mappings(process: int) -> list[list[bytes]]:
    """The lines of its memory map about files without a name, in fields."""
    with contextlib.suppress(OSError), open(f"/proc/{process}/maps", "rb") as lines:
        return [line.split(maxsplit=5) for line in lines if line.endswith(b" (deleted)\n")]
    return []


def _deleted_bytes(processes: list[int], device: int, largest: int) -> int:
    """What these processes hold of files without a name.  The size of a mapped file that nobody
    has open is unknown, and counts as the `largest` that a file may be."""
    wanted = b"%02x:%02x" % (os.major(device), os.minor(device))
    sizes: dict[bytes, int] = {}
    for process in processes:
        for fields in _deleted_mappings(process):
            if fields[3] == wanted:
                sizes.setdefault(fields[4], largest)
    for process in processes:
        with contextlib.suppress(OSError):
            for name in os.listdir(f"/proc/{process}/fd"):
                with contextlib.suppress(OSError):
                    found = os.stat(f"/proc/{process}/fd/{name}")
                    if found.st_dev == device and found.st_nlink == 0:
                        sizes[b"%d" % found.st_ino] = found.st_blocks * BLOCK
    return sum(sizes.values())


def _shared_bytes(processes: list[int]) -> int:
    """Memory that these processes share without a file.  It stays, charged to no process, when
    they only drop its pages; so its whole size counts, or if that is unknown, how much of it is
    mapped."""
    sizes: dict[bytes, int] = {}
    for process in processes:
        for fields in _deleted_mappings(process):
            if fields[5] == b"/dev/zero (deleted)\n":
                start, end = (int(word, 16) for word in fields[0].split(b"-"))
                size = end - start
                with contextlib.suppress(OSError):
                    found = os.stat(f"/proc/{process}/map_files/{start:x}-{end:x}")
                    size = found.st_blocks * BLOCK
                sizes[fields[4]] = max(sizes.get(fields[4], 0), size)
    return sum(sizes.values())


def _machine_shared_bytes() -> int:
    """Shared memory of the whole machine; 0 if the kernel does not say."""
    with contextlib.suppress(OSError), open("/proc/meminfo", "rb") as lines:
        for line in lines:
            if line.startswith(b"Shmem:"):
                return int(line.split()[1]) << 10
    return 0


def _free_bytes(folder: str) -> int:
    """0 if the folder has gone."""
    with contextlib.suppress(OSError):
        found = os.statvfs(folder)
        return found.f_bfree * found.f_frsize
    return 0


class Watch:
    """The limits that count for all processes of a run together.  Looks rarely, since every look
    costs time that is not the submission's."""

    def __init__(
        self, limits: RunLimits, folders: list[str], most_bytes: int, helpers: int
    ) -> None:
        self._limits = limits
        self._helpers = helpers  # processes that make the sandbox and stay
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
        """The time seen so far, with that of processes that nobody waits for, and of those that
        came and went between two looks if their parent has waited for them."""
        return max(self._tree_cpu_s, sum(self._own_cpu.values()))

    def seconds_to_next_look(self) -> float:
        due = min(self._next_look, self.started + self._limits.wall_s)
        return max(0.0, due - time.monotonic())

    def find_excess(self, reaped_s: float) -> Ending | None:
        """The limit that is broken, if one is.  `reaped_s` is the processor time of processes
        that we have waited for ourselves."""
        now = time.monotonic()
        often = now < self.started + OFTEN_UNTIL
        self._next_look = now + (LOOK_OFTEN if often else LOOK_RARELY)
        if now >= self.started + self._limits.wall_s:
            return Ending.WALL
        processes = find_descendants(os.getpid())
        used = {each: usage for each in processes if (usage := read_usage(each))}
        self._own_cpu |= {(each, usage.started): usage.cpu_s for each, usage in used.items()}
        tree = sum(usage.cpu_s + usage.waited_s for usage in used.values())
        self._tree_cpu_s = max(self._tree_cpu_s, tree + reaped_s)
        if self._memory_kb(used) > self._limits.memory_mb << 10 or self._hides_memory(processes):
            return Ending.MEMORY
        if self.cpu_s > self._limits.cpu_s * GRACE:
            return Ending.CPU
        if self._hides_files(processes) or any(not self._fits(each) for each in self._folders):
            return Ending.OUTPUT
        living = sum(usage.alive for usage in used.values())
        # The kernel counts other processes of the same user too, so its own limit may be too lax.
        if living > self._limits.processes + self._helpers:
            return Ending.SIGNAL
        return None

    def _memory_kb(self, used: dict[int, Usage]) -> int:
        resident = {process: usage.rss_kb for process, usage in used.items()}
        self.rss_kb = max(self.rss_kb, *resident.values(), 0)
        total = sum(resident.values())
        if total > self._limits.memory_mb << 10:  # pages of forks are counted more than once
            total = sum(_proportional_kb(process, rss) for process, rss in resident.items())
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
        """Worth a closer look only if the machine shares that much more than before."""
        most = self._limits.memory_mb << 20
        shared = _machine_shared_bytes()
        if self._shared is None:
            self._shared = shared
        return shared - self._shared > most // 2 and _shared_bytes(processes) > most

    def _hides_files(self, processes: list[int]) -> bool:
        """Worth a closer look only if that much free space has gone."""
        if self._free - _free_bytes(self._folders[0]) <= self._most_bytes:
            return False
        with contextlib.suppress(OSError):
            device = os.stat(self._folders[0]).st_dev
            return _deleted_bytes(processes, device, self._limits.output_bytes) > self._most_bytes
        return False


@dataclass
class Spent:
    """What the processes of a run have used, as far as they have been waited for."""

    cpu_s: float = 0.0
    first_rss_kb: int = 0
    other_rss_kb: int = 0
    first_status: int = 0


def reap(first: int, spent: Spent) -> bool:
    """Wait for every process that has ended; whether one is left."""
    while True:
        try:
            process, status, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if process == 0:
            return True
        spent.cpu_s += usage.ru_utime + usage.ru_stime
        if process == first:
            spent.first_status = status
            spent.first_rss_kb = usage.ru_maxrss
        else:
            spent.other_rss_kb = max(spent.other_rss_kb, usage.ru_maxrss)


def end_all(first: int, kill_user: Callable[[], None] | None, spent: Spent) -> None:
    """Kill and reap every process that has come from us, directly or not.

    Orphans come back to us, because a warden is a subreaper; so it is over when there are no
    children left.  `kill_user` kills all processes of the run's user at once, before they can
    fork again, where all of them belong to the run.
    """
    if not reap(first, spent):
        return
    if kill_user is not None:
        kill_user()
    while True:
        for process in find_descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        if not reap(first, spent):
            return
        time.sleep(0.0005)


def find_ending(
    status: int, cpu_s: float, limits: RunLimits, flooded: bool, stderr: bytes
) -> tuple[Ending, int | None, str]:
    """How a run ended by itself, its exit code and its signal, from what was measured: an exit
    code alone can be forged.  `status` is a wait status."""
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if cpu_s > limits.cpu_s:
        ending = Ending.CPU
    elif flooded or number == signal.SIGXFSZ:
        ending = Ending.OUTPUT
    elif status and any(words in stderr for words in OUT_OF_MEMORY):
        ending = Ending.MEMORY
    else:
        ending = Ending.SIGNAL if number else Ending.EXIT
    return ending, code, _signal_name(number)


def wait_status(code: int) -> int:
    """The wait status behind a shell's exit code, where a signal is 128 plus its number."""
    return code - 128 if code > 128 and _signal_name(code - 128) else code << 8


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name if number else ""
    except ValueError:
        return f"signal {number}" if number < 65 else ""
