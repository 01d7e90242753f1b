"""The grader's side of wardens: started when needed, kept for the next run.  Messages are JSON,
never pickle, each after its length."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path

from grader.sandbox.job import Ending, Job, Level, Outcome, T, as_plain, from_plain
from grader.sandbox.scratch import remove_tree
from grader.sandbox.view import Program

SOURCES = Path(__file__).resolve().parents[2]
START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from grader.sandbox.warden import main; main(int(sys.argv[2]), sys.argv[3])"
)
MEMORY = "/dev/shm"
ROOM = 1 << 30
KEPT_SUBMISSIONS = 8
END_SECONDS = 30  # until a warden that should end is killed
LONGEST_ANSWER = 300  # seconds beyond the limit of a run
HEAD = struct.Struct("!Q")


@dataclass(frozen=True)
class Order:
    """What a warden is asked to do.  The job comes without files if they are unpacked already."""

    job: Job
    level: Level
    program: Program
    unpacked: bool = False
    forget: tuple[str, ...] = ()  # submissions that need not be kept any longer


class Closed(Exception):
    """The other side has gone."""


class WardenLost(Exception):
    """A warden has died; the message quotes its last line."""


def send(link: socket.socket, value: Order | Outcome) -> None:
    body = json.dumps(as_plain(value)).encode()
    try:
        link.sendall(HEAD.pack(len(body)) + body)
    except OSError as error:
        raise Closed(str(error)) from None


def receive(link: socket.socket, kind: type[T]) -> T:
    (length,) = HEAD.unpack(_read(link, HEAD.size))
    return from_plain(kind, json.loads(_read(link, length)))


def _read(link: socket.socket, length: int) -> bytes:
    pieces = bytearray()
    while len(pieces) < length:
        try:
            piece = link.recv(min(1 << 20, length - len(pieces)))
        except OSError as error:
            raise Closed(str(error)) from None
        if not piece:
            raise Closed("end of file")
        pieces += piece
    return bytes(pieces)


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
        self._link, theirs = socket.socketpair()
        self._folder = tempfile.mkdtemp(prefix="checkmark-", dir=_scratch_parent())
        self._unpacked: OrderedDict[str, None] = OrderedDict()
        with theirs:
            words = [str(SOURCES), str(theirs.fileno()), self._folder]
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
        """Files are sent only if this warden has not unpacked them yet."""
        job = order.job
        known = job.submission in self._unpacked
        self._unpacked[job.submission] = None
        self._unpacked.move_to_end(job.submission)
        forgotten: list[str] = []
        while len(self._unpacked) > KEPT_SUBMISSIONS:
            forgotten.append(self._unpacked.popitem(last=False)[0])
        sent = replace(job, files=()) if known else job
        self._link.settimeout(job.limits.wall_s + LONGEST_ANSWER)
        try:
            send(self._link, replace(order, job=sent, unpacked=known, forget=tuple(forgotten)))
            outcome = receive(self._link, Outcome)
        except Closed:
            raise WardenLost(self._last_words()) from None
        if outcome.ending is Ending.FAULT:
            self._unpacked.pop(job.submission)  # its files may be incomplete
        return outcome

    def _last_words(self) -> str:
        assert self._process.stderr is not None
        self._end()
        lines = self._process.stderr.read().decode(errors="replace").strip().splitlines()
        code = self._process.returncode
        return f"the warden has ended ({code}): {lines[-1] if lines else 'no message'}"

    def close(self) -> None:
        """It notices that we have gone, ends its run and removes its folder; if it could not do
        that any more, we do."""
        self._end()
        if self._process.stderr is not None:
            self._process.stderr.close()
        if os.path.lexists(self._folder):
            with contextlib.suppress(OSError):
                remove_tree(self._folder)

    def _end(self) -> None:
        self._link.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def hang_up(self) -> None:
        """End its run: the thread that waits gets no answer."""
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
        with self._lock:
            warden = self._free.pop() if self._free else None
        warden = warden or Warden()
        with self._lock:
            self._busy.add(warden)
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

    def stop(self) -> None:
        """End all runs; they become faults in the threads that wait."""
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
if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
    os.register_at_fork(after_in_child=POOL.start_anew)
