"""A box made of namespaces by ourselves, where bubblewrap is not installed."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NoReturn

from grader.sandbox import system
from grader.sandbox.view import DEVICE_LINKS, DEVICES, TEMPORARY_BYTES, View
from grader.sandbox.ways import make_target

TREE_BYTES = 1 << 20
HIDDEN_BYTES = 1 << 12
SPACES = system.CLONE_NEWNS | system.CLONE_NEWPID | system.CLONE_NEWIPC | system.CLONE_NEWUTS


def enter(view: View, root: str, own_network: bool, report: Callable[[int], None]) -> None:
    """To be called in the new process; returns in its grandchild, inside the box.

    The process between them is the first of the box: when the command ends it reports how,
    and goes, and everything in the box goes with it.
    """
    spaces = SPACES | (system.CLONE_NEWNET if own_network else 0)
    if os.geteuid() == 0:
        system.unshare(spaces)
    else:
        user, group = os.geteuid(), os.getegid()
        system.unshare(spaces | system.CLONE_NEWUSER)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")
    system.make_mounts_private()
    build_tree(view, root)
    first = os.fork()
    if first:
        _follow(first)
    system.prctl(system.PR_SET_PDEATHSIG, 9)
    system.mount("proc", f"{root}/proc", "proc", system.MS_NOSUID | system.MS_NODEV)
    system.mount("none", root, "", system.MS_REMOUNT | system.MS_BIND | system.MS_RDONLY)
    system.change_root(root)
    command = os.fork()
    if command:
        _reap_until(command, report)


def build_tree(view: View, root: str) -> None:
    system.tmpfs(root, TREE_BYTES, 0o755)
    for folder in ("/proc", "/dev/shm", "/tmp"):
        os.makedirs(root + folder)
    for folder in ("/dev/shm", "/tmp"):
        system.tmpfs(root + folder, TEMPORARY_BYTES, 0o1777)
    for target, name in view.links:
        os.symlink(target, root + name)
    for bind in view.binds:
        make_target(root + bind.target, os.path.isdir(bind.source))
        system.bind(bind.source, root + bind.target, bind.writable)
    for folder in view.hidden:
        system.tmpfs(root + folder, HIDDEN_BYTES, 0o555)
    for device in DEVICES:
        make_target(f"{root}/dev/{device}", folder=False)
        system.bind(f"/dev/{device}", f"{root}/dev/{device}", writable=True)
    for name, target in DEVICE_LINKS.items():
        os.symlink(target, root + name)


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def _follow(process: int) -> NoReturn:
    os.waitpid(process, 0)
    os._exit(0)


def _reap_until(command: int, report: Callable[[int], None]) -> NoReturn:
    while True:
        process, status = os.waitpid(-1, 0)
        if process == command:
            report(status)
            os._exit(0)
