"""Files that no folder names any more, and memory that is in no process's account: both stay
for as long as somebody holds them."""

from __future__ import annotations

import contextlib
import os

BLOCK = 512


def nameless_bytes(processes: list[int], device: int, largest: int) -> int:
    """What these processes hold of a file system.  A mapped file that nobody has open does not
    tell its size, and counts as the `largest` that a file may be."""
    sizes: dict[int, int] = {}
    for process in processes:
        with contextlib.suppress(OSError):
            for inode in _mapped(process, device):
                sizes.setdefault(inode, largest)
    for process in processes:
        with contextlib.suppress(OSError):
            for name in os.listdir(f"/proc/{process}/fd"):
                with contextlib.suppress(OSError):
                    found = os.stat(f"/proc/{process}/fd/{name}")
                    if found.st_dev == device and found.st_nlink == 0:
                        sizes[found.st_ino] = found.st_blocks * BLOCK
    return sum(sizes.values())


def _mapped(process: int, device: int) -> list[int]:
    wanted = b"%02x:%02x" % (os.major(device), os.minor(device))
    found: list[int] = []
    with open(f"/proc/{process}/maps", "rb") as lines:
        for line in lines:
            fields = line.split(maxsplit=5)
            if fields[3] == wanted and line.endswith(b" (deleted)\n"):
                found.append(int(fields[4]))
    return found


def shared_bytes(processes: list[int]) -> int:
    """Memory that these processes share without a file.  It stays, and is in no process's
    account any more, when they only let go of its pages; so its whole size is asked for, and
    where that is not told to us, how much of it is mapped."""
    sizes: dict[bytes, int] = {}
    for process in processes:
        with contextlib.suppress(OSError), open(f"/proc/{process}/maps", "rb") as lines:
            for line in lines:
                if line.endswith(b" /dev/zero (deleted)\n"):
                    fields = line.split(maxsplit=5)
                    start, end = (int(word, 16) for word in fields[0].split(b"-"))
                    size = _told_size(f"/proc/{process}/map_files/{start:x}-{end:x}", end - start)
                    sizes[fields[4]] = max(sizes.get(fields[4], 0), size)
    return sum(sizes.values())


def _told_size(path: str, otherwise: int) -> int:
    try:
        return os.stat(path).st_blocks * BLOCK
    except OSError:
        return otherwise


def shared_on_this_machine() -> int:
    """0 if the kernel does not tell."""
    with contextlib.suppress(OSError), open("/proc/meminfo", "rb") as lines:
        for line in lines:
            if line.startswith(b"Shmem:"):
                return int(line.split()[1]) << 10
    return 0
