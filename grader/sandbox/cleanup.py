"""No process of a box is left behind, wherever it has hidden itself."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass

from grader.sandbox.identity import become
from grader.sandbox.processes import descendants


@dataclass
class Spent:
    """What the processes of a run have used, as far as they have been reaped."""

    cpu_s: float = 0.0
    first_rss_kb: int = 0
    other_rss_kb: int = 0
    first_status: int = 0


def end_all(first: int, user: int | None, spent: Spent) -> None:
    """Kill and reap every process that has come from us, directly or not.

    Orphans come back to us, because a warden is a subreaper; so it is over when there is no
    child any more.  `user` is to be given if all processes of that user are the box's, and the
    box has no first process whose end is the end of all.
    """
    if not reap(first, spent):
        return
    if user is not None:
        _kill_user(user)
    while True:
        for process in descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        if not reap(first, spent):
            return
        time.sleep(0.0005)


def reap(first: int, spent: Spent) -> bool:
    """Collect whoever has ended; whether somebody is left."""
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


def _kill_user(user: int) -> None:
    """Kill all processes of a box's user at once, before they can fork again."""
    other = os.fork()
    if other == 0:
        try:
            become(user)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(other, 0)
