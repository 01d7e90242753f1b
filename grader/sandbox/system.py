"""The system calls that Python has no name for.  Each raises `OSError` where it fails."""

from __future__ import annotations

import ctypes
import os

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MS_RELATIME = 1 << 21
ST_RELATIME = 4096
KEPT_FLAGS = MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC | 1024 | 2048  # and access times

MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def prctl(option: int, *values: int) -> None:
    words = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0)[:4]]
    _checked(_libc.prctl(option, *words), f"prctl {option}")


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags), "unshare")


def enter_network(namespace: int) -> None:
    _checked(_libc.setns(namespace, CLONE_NEWNET), "setns")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    result = _libc.mount(
        os.fsencode(source),
        os.fsencode(target),
        kind.encode() or None,
        ctypes.c_ulong(flags),
        options.encode() or None,
    )
    _checked(result, f"mount {target}")


def make_mounts_private() -> None:
    mount("none", "/", "", MS_REC | MS_PRIVATE)


def bind(source: str, target: str, writable: bool) -> None:
    """Show `source` at `target`; flags of the source that may not be lifted are kept."""
    mount(source, target, "", MS_BIND | MS_REC)
    if not writable:
        kept = os.statvfs(target).f_flag
        flags = kept & KEPT_FLAGS | (MS_RELATIME if kept & ST_RELATIME else 0)
        mount("none", target, "", MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | flags)


def tmpfs(target: str, size: int, mode: int) -> None:
    mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, f"size={size},mode={mode:o}")


def change_root(folder: str) -> None:
    """Make `folder`, a mount point, the root, and let go of the old one."""
    os.chdir(folder)
    _checked(_libc.pivot_root(b".", b"."), "pivot_root")
    _checked(_libc.umount2(b".", MNT_DETACH), "umount the old root")
    os.chdir("/")


def syscall(number: int, *words: object) -> int:
    return _checked(_libc.syscall(ctypes.c_long(number), *words), f"system call {number}")
