"""The grader's side: wardens that are started when needed, and kept for the next run."""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

from grader.plain import as_plain, from_plain
from grader.sandbox.job import Ending, Outcome
from grader.sandbox.order import Order
from grader.sandbox.scratch import remove_tree
from grader.sandbox.wire import Closed, receive, send

SOURCES = Path(__file__).resolve().parents[2]
START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from grader.sandbox.warden import main; main(int(sys.argv[2]), sys.argv[3])"
)
MEMORY = "/dev/shm"
ROOM = 1 << 30
KEPT_SUBMISSIONS = 8
PATIENCE = 30  # seconds until a warden that was told to go is killed
LONGEST_ANSWER = 300  # seconds beyond the limit of a run


class WardenLost(Exception):
    """A warden has died; the message says what it has said last."""


def _scratch_parent() -> str:
    """Memory if there is enough of it and programs may be started from it, since on a disk
    the files of a run can cost as much as the run itself."""
    with contextlib.suppress(OSError):
        found = os.statvfs(MEMORY)
        roomy = found.f_bavail * found.f_frsize >= ROOM
        if roomy and not found.f_flag & os.ST_NOEXEC and os.access(MEMORY, os.W_OK | os.X_OK):
            return MEMORY
    return os.path.realpath(tempfile.gettempdir())


class Warden:
    """One warden process.  Not for two threads at once."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._link = ours
        self._folder = tempfile.mkdtemp(prefix="checkmark-", dir=_scratch_parent())
        self._unpacked: OrderedDict[str, None] = OrderedDict()
        with theirs:
            number = str(theirs.fileno())
            words = [str(SOURCES), number, self._folder]
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", START, *words],
                env={},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    def ask(self, order: Order) -> Outcome:
        """`order.files` are sent only if this warden has not unpacked them yet."""
        self._link.settimeout(order.limits.wall_s + LONGEST_ANSWER)
        try:
            send(self._link, as_plain(self._shortened(order)))
            outcome = from_plain(Outcome, receive(self._link))
        except Closed:
            raise WardenLost(self._last_words()) from None
        if outcome.ending is Ending.FAULT:
            self._unpacked.pop(order.submission)  # who knows what has become of its files
        return outcome

    def _shortened(self, order: Order) -> Order:
        known = order.submission in self._unpacked
        self._unpacked[order.submission] = None
        self._unpacked.move_to_end(order.submission)
        forgotten: list[str] = []
        while len(self._unpacked) > KEPT_SUBMISSIONS:
            forgotten.append(self._unpacked.popitem(last=False)[0])
        files = None if known else order.files
        return replace(order, files=files, forget=tuple(forgotten))

    def _last_words(self) -> str:
        assert self._process.stderr is not None
        self._end()
        said = self._process.stderr.read().decode(errors="replace").strip().splitlines()
        code = self._process.returncode
        return f"the warden has ended ({code}): {said[-1] if said else 'without a word'}"

    def close(self) -> None:
        """It sees that we have gone, ends its box and removes its folder; where it could not do
        that any more, the folder is left to us."""
        self._end()
        if self._process.stderr is not None:
            self._process.stderr.close()
        if os.path.lexists(self._folder):
            with contextlib.suppress(OSError):
                remove_tree(self._folder)

    def _end(self) -> None:
        self._link.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def hang_up(self) -> None:
        """Whatever it is asked at the moment, by whichever thread, has no answer."""
        with contextlib.suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)

    def leave(self) -> None:
        """Let go of a warden that belongs to the process from which we were forked."""
        self._link.close()
        self._process.returncode = 0


class Pool:
    """As many wardens as there are runs at the same time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free: list[Warden] = []
        self._busy: set[Warden] = set()

    def ask(self, order: Order) -> Outcome:
        warden = self._take()
        try:
            outcome = warden.ask(order)
        except BaseException:
            with self._lock:
                self._busy.discard(warden)
            warden.close()
            raise
        with self._lock:
            self._busy.discard(warden)
            self._free.append(warden)
        return outcome

    def _take(self) -> Warden:
        with self._lock:
            warden = self._free.pop() if self._free else None
        warden = warden or Warden()
        with self._lock:
            self._busy.add(warden)
        return warden

    def stop(self) -> None:
        """End all runs that are going on; they become faults in the threads that wait."""
        with self._lock:
            for warden in self._busy:
                warden.hang_up()

    def close(self) -> None:
        with self._lock:
            wardens, self._free = self._free, []
        for warden in wardens:
            warden.close()

    def start_anew(self) -> None:
        """In a forked process: its parent's wardens are not ours."""
        self._lock = threading.Lock()
        for warden in (*self._free, *self._busy):
            warden.leave()
        self._free, self._busy = [], set()


POOL = Pool()
atexit.register(POOL.close)
os.register_at_fork(after_in_child=POOL.start_anew)
