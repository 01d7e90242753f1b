"""The processes that have come from one of ours, and what they use, by /proc."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass

TICKS = os.sysconf("SC_CLK_TCK")
PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024


@dataclass(frozen=True)
class Usage:
    """`started` tells a process from a later one with the same number; `waited_s` is the
    processor time of those of its children that it has waited for, and of theirs."""

    alive: bool  # not only waiting to be waited for
    started: int
    cpu_s: float
    waited_s: float
    rss_kb: int


def descendants(process: int) -> list[int]:
    """Children, their children and so on, at this moment."""
    if not os.path.exists(f"/proc/{process}/task/{process}/children"):
        return _descendants_by_parent(process)
    found: list[int] = []
    waiting = [process]
    while waiting:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def _children(process: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with contextlib.suppress(OSError):
                text = _read(f"/proc/{process}/task/{thread}/children")
                children += [int(word) for word in text.split()]
    return children


def _descendants_by_parent(process: int) -> list[int]:
    """The same where the kernel keeps no lists of children."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                parent = int(_after_name(_read(f"/proc/{name}/stat"))[1])
                children.setdefault(parent, []).append(int(name))
    found: list[int] = []
    waiting = [process]
    while waiting:
        mine = children.get(waiting.pop(), [])
        found += mine
        waiting += mine
    return found


def usage_of(process: int) -> Usage | None:
    """None if it is gone."""
    try:
        fields = _after_name(_read(f"/proc/{process}/stat"))
    except OSError:
        return None
    own, waited = (int(fields[at]) + int(fields[at + 1]) for at in (11, 13))
    rss_kb = int(fields[21]) * PAGE_KB
    return Usage(fields[0] != b"Z", int(fields[19]), own / TICKS, waited / TICKS, rss_kb)


def fair_share_kb(process: int, otherwise: int) -> int:
    """Its memory with shared pages divided among those who share them; `otherwise` if that is
    not told, 0 if it is gone."""
    try:
        lines = _read(f"/proc/{process}/smaps_rollup").splitlines()
    except PermissionError:
        return otherwise
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(b"Pss:")), 0)


def threads_of_user(user: int) -> int:
    count = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{name}").st_uid == user:
                    count += os.stat(f"/proc/{name}/task").st_nlink - 2
    return count


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _after_name(stat: bytes) -> list[bytes]:
    """The fields of a stat line from the state on; a name may hold blanks and brackets."""
    return stat[stat.rindex(b")") + 2 :].split()
