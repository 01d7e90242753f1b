"""Who a box runs as: nobody else on this machine, if we may choose."""

from __future__ import annotations

import functools
import os
import pwd
import socket
from collections.abc import Callable
from dataclasses import dataclass

FIRST_USER = 64000
LAST_USER = 64999


@dataclass(frozen=True)
class Identity:
    """`user` (also the group) is None if boxes run as ourselves; `lock` keeps it ours."""

    user: int | None
    lock: socket.socket | None = None


def claim_identity() -> Identity:
    """As root, a user number that no other warden has.  The name of the lock goes when we go."""
    if os.geteuid() != 0:
        return Identity(None)
    for user in range(FIRST_USER, LAST_USER + 1):
        if _is_known(user):
            continue
        lock = socket.socket(socket.AF_UNIX)
        try:
            lock.bind(f"\0checkmark-box-{user}")
        except OSError:
            lock.close()
            continue
        if works_in_child(functools.partial(become, user)):
            return Identity(user, lock)
        lock.close()
        break
    return Identity(None)


def become(user: int) -> None:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _is_known(user: int) -> bool:
    try:
        pwd.getpwuid(user)
    except KeyError:
        return False
    return True


def works_in_child(act: Callable[[], None]) -> bool:
    """Whether something can be done here, tried where it does no harm."""
    child = os.fork()
    if child == 0:
        try:
            act()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0
