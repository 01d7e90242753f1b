"""Watching a run: what its processes use, which limit it breaks, how it ended, and that none of
its processes is left.  Linux only, by /proc."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import resource
import select
import signal
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass

from grader.sandbox.cgroup import Group
from grader.sandbox.job import GRACE, Ending, Level, RunLimits
from grader.sandbox.kernel import become, try_in_child
from grader.sandbox.pool import Closed
from grader.sandbox.scratch import find_shortage
from grader.sandbox.view import TEMPORARY_BYTES

TICKS = os.sysconf("SC_CLK_TCK")
PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024
BLOCK = 512
FIRST_LOOK = 0.05  # seconds; most runs are over by then
LOOK_OFTEN, LOOK_RARELY = 0.05, 0.2
OFTEN_UNTIL = 1.0
LOOK_SOON = 0.01  # near the limit of processor time
CORES = os.cpu_count() or 1
MOST_FILES = 10_000
MOST_CLOSED_LOOKS = 3  # in a row at which a process of a run could not be looked into
MOST_MAPPINGS = 20_000  # to be looked at; few programs have more than a thousand
FILE_BYTES = 1 << 10  # of memory for each file in memory, whatever is in it
SOCKET_BYTES = 208 << 10

OUT_OF_MEMORY = re.compile(  # as Python, C++, Java, shells and the linker say it
    rb"MemoryError|bad_alloc|OutOfMemoryError|Cannot allocate memory|out of memory"
    rb"|cannot map zero-fill pages|failed to map segment"
)


@dataclass(frozen=True)
class Usage:
    """`started` tells a process from a later one with the same number; `waited_s` is the
    processor time of those of its children that it has waited for, and of theirs."""

    threads: tuple[int, ...]  # the living ones: the first may have ended before the others
    started: int
    cpu_s: float
    waited_s: float
    rss_kb: int


def read_usage(process: int) -> Usage | None:
    """None if it is gone."""
    try:
        fields = _read_stat(process)
        threads, rss = [process], fields[21]
        if fields[0] == b"Z" or fields[17] != b"1":
            threads = [int(name) for name in os.listdir(f"/proc/{process}/task")]
        if fields[0] == b"Z":
            threads.remove(process)
            rss = _read_stat(threads[0])[21] if threads else b"0"
    except (OSError, ValueError):
        return None
    own, waited = (int(fields[at]) + int(fields[at + 1]) for at in (11, 13))
    times = int(fields[19]), own / TICKS, waited / TICKS
    return Usage(tuple(threads), *times, int(rss) * PAGE_KB)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _read_stat(process: int | str) -> list[bytes]:
    """The fields from the state on; the name before it may contain blanks and brackets."""
    return _read(f"/proc/{process}/stat").rpartition(b") ")[2].split()


def find_descendants(process: int) -> list[int]:
    """Children, their children and so on, at this moment."""
    kept = os.path.exists(f"/proc/{process}/task/{process}/children")
    children = _children if kept else _children_by_parent()
    found = children(process)
    for each in found:  # which grows meanwhile
        found += children(each)
    return found


def _children(process: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with contextlib.suppress(OSError):
                text = _read(f"/proc/{process}/task/{thread}/children")
                children += map(int, text.split())
    return children


def _children_by_parent() -> Callable[[int], list[int]]:
    """The same where the kernel keeps no lists of children."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            children.setdefault(int(_read_stat(name)[1]), []).append(int(name))
    return lambda parent: list(children.get(parent, ()))


def kill_descendants() -> None:
    for process in find_descendants(os.getpid()):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)


def _read_field(path: str, name: bytes) -> bytes:
    """The first word after a name and a colon; 0 if it is not there."""
    lines = (line.partition(b":") for line in _read(path).splitlines())
    return next((value.split()[0] for key, _, value in lines if key == name), b"0")


def _proportional_kb(usage: Usage) -> int:
    """Its memory with shared pages divided among those who share them, if the kernel says that."""
    try:
        return int(_read_field(f"/proc/{usage.threads[0]}/smaps_rollup", b"Pss"))
    except OSError as error:
        return usage.rss_kb if isinstance(error, PermissionError) else 0


@dataclass
class Nameless:
    """Bytes that are charged to no process and have no path.  `memory` is shared by processes
    and stays when they only drop its pages; `files` are deleted files on the device."""

    memory: int = 0
    files: int = 0
    sockets: int = 0
    unseen: bool = False  # more mappings than anybody could look at


def _find_nameless(used: list[Usage], device: int, largest: int) -> Nameless:
    """Where the size is unknown, memory counts as much as is mapped, a file as the `largest` that
    it may be, and a socket as the most that the kernel keeps for it."""
    wanted = b"%02x:%02x" % (os.major(device), os.minor(device))
    memory: dict[bytes, int] = {}
    files: dict[bytes, int] = {}
    sockets: set[int] = set()
    mappings = 0
    for thread in (usage.threads[0] for usage in used):
        with contextlib.suppress(OSError), open(f"/proc/{thread}/maps", "rb") as lines:
            for line in itertools.islice(lines, MOST_MAPPINGS):
                mappings += 1
                if not line.endswith(b" (deleted)\n"):
                    continue
                place, _, _, on, inode, name = line.split(maxsplit=5)
                if name.startswith(b"/dev/zero "):
                    start, end = (int(word, 16) for word in place.split(b"-"))
                    size = end - start
                    with contextlib.suppress(OSError):
                        found = os.stat(f"/proc/{thread}/map_files/{start:x}-{end:x}")
                        size = found.st_blocks * BLOCK
                    memory[inode] = max(memory.get(inode, 0), size)
                elif on == wanted:
                    files.setdefault(inode, largest)
        if mappings >= MOST_MAPPINGS:
            return Nameless(unseen=True)
    for thread in (thread for usage in used for thread in usage.threads):
        with contextlib.suppress(OSError):
            for descriptor in os.listdir(f"/proc/{thread}/fd"):
                with contextlib.suppress(OSError):
                    found = os.stat(f"/proc/{thread}/fd/{descriptor}")
                    if found.st_dev == device and found.st_nlink == 0:
                        files[b"%d" % found.st_ino] = found.st_blocks * BLOCK
                    elif stat.S_ISSOCK(found.st_mode):
                        sockets.add(found.st_ino)
    return Nameless(sum(memory.values()), sum(files.values()), len(sockets) * SOCKET_BYTES)


def _find_in_memory(thread: int) -> tuple[int, int]:
    """Bytes and files in the file systems of its own that a process has in memory."""
    size = count = 0
    for folder in ("tmp", "dev/shm"):
        with contextlib.suppress(OSError):
            found = os.statvfs(f"/proc/{thread}/root/{folder}")
            files = found.f_files - found.f_ffree
            count += files
            size += (found.f_blocks - found.f_bfree) * found.f_frsize + files * FILE_BYTES
    return size, count


class RunWatch:
    """One run, from its first process until none is left, and the limits that count for all its
    processes together.  Looks rarely, since every look costs time that is not the submission's."""

    def __init__(
        self, folder: str, level: Level, limits: RunLimits, group: Group | None = None
    ) -> None:
        self.started = time.monotonic()
        self.rss_kb = 0  # of the largest process, or of all in a group
        self.shortage = ""  # what we did not have enough of
        self.status = 0  # the wait status of the first process
        self._first = 0
        self._level = level
        self._limits = limits
        self._group = group
        self._run = folder
        # what is not limited by the size of a file system of its own
        names = ("output",) if level is Level.BUBBLEWRAP else ("output", "tmp")
        self._folders = [f"{folder}/{name}" for name in names]
        self._next_look = self.started + FIRST_LOOK
        self.cpu_s = 0.0  # seen so far
        self._reaped_s = 0.0
        self._own_cpu: dict[tuple[int, int], float] = {}
        self._device = os.stat(folder).st_dev
        # Elsewhere, root may lack the right to look, and helpers of bubblewrap are closed.
        self._closed_looks = 0
        self._is_open = os.geteuid() != 0 and level is not Level.BUBBLEWRAP
        self._own_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def wait(self, first: int, link: int) -> Ending | None:
        """Until the first process is over or the run breaks a limit, which is the result.
        `Closed` if the grader, at the other end of `link`, has gone."""
        self._first = first
        handle = os.pidfd_open(first)
        try:
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            poll.register(link, select.POLLIN)
            while True:
                due = min(self._next_look, self.started + self._limits.wall_s)
                ready = dict(poll.poll(max(0.0, due - time.monotonic()) * 1000 + 1))
                if link in ready:
                    raise Closed("the grader has gone")
                if handle in ready:
                    return None
                self._reap()  # orphans that have ended would otherwise count as processes
                broken = self._find_excess()
                if broken is not None:
                    return broken
        finally:
            os.close(handle)

    def end_all(self, user: int | None) -> None:
        """Kill and reap every process that has come from us.  Orphans come back to us, because a
        warden is a subreaper; so it is over when there are no children left.  If all processes of
        `user` belong to the run, they are first killed at once, before they can fork again."""
        if not self._reap():
            return
        if user is not None:
            try_in_child(lambda: _kill_all_of(user))
        kill_descendants()
        while self._reap():
            time.sleep(0.0005)
            kill_descendants()

    def _reap(self) -> bool:
        """Wait for every process that has ended; whether one is left."""
        while True:
            try:
                process, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if process == 0:
                return True
            self._reaped_s += usage.ru_utime + usage.ru_stime
            self.cpu_s = max(self.cpu_s, self._reaped_s)
            if process == self._first:
                self.status = status
                if self._level is Level.BUBBLEWRAP and usage.ru_maxrss <= self._own_kb:
                    continue  # it had our own memory before it was started
            if self._group is None:
                self.rss_kb = max(self.rss_kb, usage.ru_maxrss)

    def _find_excess(self) -> Ending | None:
        """The limit that is broken, if one is."""
        limits = self._limits
        now = time.monotonic()
        self._next_look = now + (LOOK_OFTEN if now < self.started + OFTEN_UNTIL else LOOK_RARELY)
        self.shortage = self.shortage or find_shortage(self._run)
        if now >= self.started + limits.wall_s:
            return Ending.WALL
        used = {
            each: usage
            for each in find_descendants(os.getpid())
            if (usage := read_usage(each)) and usage.threads
        }
        nameless = _find_nameless([*used.values()], self._device, limits.output_bytes)
        # A process that ends is closed to us, too, but not for long.
        threads = [usage.threads[0] for usage in used.values()]
        closed = not all(os.access(f"/proc/{thread}/fd", os.R_OK) for thread in threads)
        self._closed_looks = self._closed_looks + 1 if closed and self._is_open else 0
        if nameless.unseen or self._closed_looks > MOST_CLOSED_LOOKS:
            return Ending.MEMORY
        broken = self.account() if self._group else self._find_excess_of(used, nameless)
        if broken is not None:
            return broken
        left_s = limits.cpu_s * GRACE - self.cpu_s
        if left_s < 0:
            return Ending.CPU
        # Before it is used up if all cores work for it from now on.
        self._next_look = min(self._next_look, now + max(left_s / CORES, LOOK_SOON))
        if nameless.files > TEMPORARY_BYTES or not all(map(_fits, self._folders)):
            return Ending.OUTPUT
        return None

    def account(self) -> Ending | None:
        """What the group has used so far, and whether that was too much."""
        if self._group is None:
            return None
        self.cpu_s = max(self.cpu_s, self._group.cpu_s)
        self.rss_kb = max(self.rss_kb, self._group.peak_kb)
        if not self._group.out_of_memory:
            return None
        if not self._group.reached_limit:
            self.shortage = "there is no room left in the memory of the machine"
        return Ending.MEMORY

    def _find_excess_of(self, used: dict[int, Usage], nameless: Nameless) -> Ending | None:
        """The same without a group, from what can be seen of the processes: also of those that
        nobody waits for, and of those that came and went between two looks if their parent has
        waited for them.  The time of children for which nobody waits is bounded by the clock."""
        limits, most = self._limits, self._limits.memory_mb << 20
        self._own_cpu |= {(each, usage.started): usage.cpu_s for each, usage in used.items()}
        tree = sum(usage.cpu_s + usage.waited_s for usage in used.values()) + self._reaped_s
        self.cpu_s = max(self.cpu_s, tree, sum(self._own_cpu.values()))
        extra = nameless.sockets
        for thread in (usage.threads[0] for usage in used.values()):
            with contextlib.suppress(OSError):
                extra += int(_read_field(f"/proc/{thread}/status", b"VmPTE")) << 10
                ignored = int(_read_field(f"/proc/{thread}/status", b"SigIgn"), 16)
                if ignored >> (signal.SIGCHLD - 1) & 1:
                    self.cpu_s = max(self.cpu_s, time.monotonic() - self.started)
        files = 0
        if self._level is Level.BUBBLEWRAP and len(used) > self._level.helpers:
            size, files = _find_in_memory([*used.values()][-1].threads[0])
            extra += size
        if nameless.memory > most:  # otherwise it is with what is resident
            extra += nameless.memory
        resident = [usage.rss_kb for usage in used.values()]
        self.rss_kb = max(self.rss_kb, *resident, 0)
        memory = (sum(resident) << 10) + extra
        if memory > most:  # pages of forks are counted more than once
            memory = (sum(map(_proportional_kb, used.values())) << 10) + extra
        if memory > most:
            self.rss_kb = max(self.rss_kb, memory >> 10)
            return Ending.MEMORY
        if files > MOST_FILES:
            return Ending.OUTPUT
        # The kernel counts other processes of the same user too, so its own limit may be too lax.
        count = sum(len(usage.threads) for usage in used.values())
        return Ending.SIGNAL if count > limits.processes + self._level.helpers else None


def _kill_all_of(user: int) -> None:
    become(user)
    os.kill(-1, signal.SIGKILL)


def _fits(folder: str) -> bool:
    """A folder that we cannot look into, since it is closed to us or too deep, may hide
    anything."""
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
                        found = entry.stat(follow_symlinks=False)
                        total += max(found.st_size, found.st_blocks * BLOCK)
                    if count > MOST_FILES or total > TEMPORARY_BYTES:
                        return False
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.ENAMETOOLONG):
                return False
    return True


def find_ending(
    status: int, cpu_s: float, rss_kb: int, limits: RunLimits, flooded: bool, stderr: bytes
) -> tuple[Ending, int | None, str]:
    """How a run ended by itself, its exit code and its signal, from what was measured: an exit
    code alone can be forged.  `status` is a wait status."""
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if cpu_s > limits.cpu_s:
        ending = Ending.CPU
    elif flooded or number == signal.SIGXFSZ:
        ending = Ending.OUTPUT
    elif rss_kb > limits.memory_mb << 10 or (status and OUT_OF_MEMORY.search(stderr)):
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
