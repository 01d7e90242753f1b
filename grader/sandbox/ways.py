"""Making folders reachable for another user, in a mount namespace of one's own.

An interpreter may live below a folder that only its owner may enter, such as /root.  Nothing
of that folder is shown but what the command needs.
"""

from __future__ import annotations

import os
import stat

from grader.sandbox import system

ENTER = stat.S_IXOTH
SIZE = 1 << 20


def closed_on_the_way(path: str) -> str:
    """The first folder on the way that others may not enter, the path itself included, or an
    empty string."""
    parts = path.strip("/").split("/")
    for count in range(len(parts) + 1):
        folder = "/" + "/".join(parts[:count])
        try:
            mode = os.stat(folder).st_mode
        except OSError:
            return ""
        if stat.S_ISDIR(mode) and not mode & ENTER:
            return folder
    return ""


def closed_ways(paths: tuple[str, ...]) -> dict[str, list[str]]:
    """What lies behind each closed folder.  Of a needed folder that is itself closed, what is
    in it is needed."""
    closed: dict[str, list[str]] = {}
    for path in _outermost(paths):
        folder = closed_on_the_way(path)
        if not folder:
            continue
        if os.path.isdir(path) and not os.stat(path).st_mode & ENTER:
            closed.setdefault(folder, []).extend(f"{path}/{name}" for name in os.listdir(path))
        else:
            closed.setdefault(folder, []).append(path)
    return closed


def _outermost(paths: tuple[str, ...]) -> list[str]:
    kept: list[str] = []
    for path in sorted(set(paths)):
        if not any(path.startswith(f"{other}/") for other in kept):
            kept.append(path)
    return kept


def open_ways(closed: dict[str, list[str]]) -> None:
    """To be called in the new process, as root."""
    system.unshare(system.CLONE_NEWNS)
    system.make_mounts_private()
    for folder, paths in closed.items():
        opened = [(path, os.open(path, os.O_PATH)) for path in paths if os.path.exists(path)]
        system.tmpfs(folder, SIZE, 0o755)
        for path, descriptor in opened:
            make_target(path, stat.S_ISDIR(os.fstat(descriptor).st_mode))
            system.mount(f"/proc/self/fd/{descriptor}", path, "", system.MS_BIND | system.MS_REC)
            os.close(descriptor)


def make_target(path: str, folder: bool) -> None:
    """Something to mount on."""
    os.makedirs(path if folder else os.path.dirname(path), 0o755, exist_ok=True)
    if not folder:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))
