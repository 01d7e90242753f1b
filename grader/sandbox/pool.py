"""The grader's side of wardens: started when needed, kept for the next run.  Messages are JSON,
never pickle, each in one line."""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import socket
import subprocess
import sys
import tempfile
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
BUS = ("PATH", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")  # what systemd-run needs
MEMORY = "/dev/shm"
ROOM = 1 << 30
KEPT_SUBMISSIONS = 8
END_SECONDS = 30  # until a warden that should end is killed
LONGEST_ANSWER = 300  # seconds beyond the limit of a run


@dataclass(frozen=True)
class Order:
    """What a warden is asked to do.  The job comes without files if the warden keeps them."""

    job: Job
    level: Level
    program: Program
    kept: bool = False
    grouped: bool = True  # in a control group if there can be one
    forget: str = ""  # a submission that need not be kept any longer


class Closed(Exception):
    """The other side has gone; of a warden, the message quotes its last line."""


def send(link: socket.socket, value: Order | Outcome) -> None:
    try:
        link.sendall(json.dumps(as_plain(value)).encode() + b"\n")
    except OSError as error:
        raise Closed(str(error)) from None


def receive(link: socket.socket, kind: type[T]) -> T:
    """There is never more than one message on the way."""
    try:
        with link.makefile("rb") as file:
            line = file.readline()
    except OSError as error:
        raise Closed(str(error)) from None
    if not line.endswith(b"\n"):
        raise Closed("end of file")
    return from_plain(kind, json.loads(line))


def _scratch_parent() -> str:
    """Memory if there is enough of it and programs may be started from it, since on a disk
    the files of a run can cost as much as the run itself."""
    with contextlib.suppress(OSError):
        found = os.statvfs(MEMORY)
        roomy = found.f_bavail * found.f_frsize >= ROOM
        if roomy and not found.f_flag & os.ST_NOEXEC and os.access(MEMORY, os.W_OK | os.X_OK):
            return MEMORY
    return os.path.realpath(tempfile.gettempdir())


@functools.cache
def _find_scope() -> tuple[str, ...]:
    """The words before a command with which systemd gives it a control group that it may divide:
    a user who is not root can have one, if logged in."""
    words = ("systemd-run", "--user", "--scope", "--quiet", "--collect", "--property=Delegate=yes")
    if os.geteuid() == 0:
        return ()
    try:
        subprocess.run([*words, "true"], check=True, capture_output=True, timeout=END_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return ()
    return words


class Warden:
    """One warden process.  Not for two threads at once."""

    def __init__(self) -> None:
        self._link, theirs = socket.socketpair()
        self._folder = tempfile.mkdtemp(prefix="checkmark-", dir=_scratch_parent())
        self._kept: list[str] = []  # submissions, the oldest first
        with theirs:
            scope = _find_scope()
            words = [str(SOURCES), str(theirs.fileno()), self._folder]
            self._process = subprocess.Popen(
                [*scope, sys.executable, "-I", "-S", "-c", START, *words],
                env={name: os.environ[name] for name in BUS if scope and name in os.environ},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    def ask(self, order: Order) -> Outcome:
        """Files are sent only if this warden does not keep them already."""
        job = order.job
        if job.submission in self._kept:
            order = replace(order, job=replace(job, files=()), kept=True)
        else:
            self._kept.append(job.submission)
            if len(self._kept) > KEPT_SUBMISSIONS:
                order = replace(order, forget=self._kept.pop(0))
        self._link.settimeout(job.limits.wall_s + LONGEST_ANSWER)
        send(self._link, order)
        outcome = receive(self._link, Outcome)
        if outcome.ending is Ending.FAULT:
            self._kept.remove(job.submission)  # it may not be kept
        return outcome

    def close(self) -> str:
        """Its last words.  It notices that we have gone, ends its run and removes its folder; if
        it could not do that any more, we do."""
        self._link.close()
        try:
            printed = self._process.communicate(timeout=END_SECONDS)[1]
        except subprocess.TimeoutExpired:
            self._process.kill()
            printed = self._process.communicate()[1]
        if os.path.lexists(self._folder):
            with contextlib.suppress(OSError):
                remove_tree(self._folder)
        lines = printed.decode(errors="replace").strip().splitlines() or ["no message"]
        return f"the warden has ended ({self._process.returncode}): {lines[-1]}"

    def hang_up(self) -> None:
        """End its run: the thread that waits gets no answer."""
        with contextlib.suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)

    def leave(self) -> None:
        """Let go of a warden that belongs to the process from which we were forked."""
        self._link.close()
        self._process.returncode = 0


class Pool:
    """As many wardens as there are runs at the same time.  Lists are changed by single steps,
    which threads need no lock for."""

    def __init__(self) -> None:
        self._free: list[Warden] = []
        self._busy: list[Warden] = []

    def ask(self, order: Order) -> Outcome:
        try:
            warden = self._free.pop()
        except IndexError:
            warden = Warden()
        self._busy.append(warden)
        try:
            outcome = warden.ask(order)
            self._free.append(warden)
            return outcome
        except Closed:
            raise Closed(warden.close()) from None
        except BaseException:
            warden.close()
            raise
        finally:
            self._busy.remove(warden)

    def stop(self) -> None:
        """End all runs; they become faults in the threads that wait."""
        for warden in list(self._busy):
            warden.hang_up()

    def close(self) -> None:
        while self._free:
            self._free.pop().close()

    def start_anew(self) -> None:
        """In a forked process: its parent's wardens are not ours."""
        for warden in (*self._free, *self._busy):
            warden.leave()
        self._free, self._busy = [], []


POOL = Pool()
atexit.register(POOL.close)
if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
    os.register_at_fork(after_in_child=POOL.start_anew)
