"""The warden: a small process without threads that does one run at a time, so that it can fork
safely.  Orphans of a run come back to it; when the grader dies, it ends its run and removes its
folder.  Linux only."""

from __future__ import annotations

import contextlib
import gc
import os
import pwd
import signal
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from grader.sandbox import cgroup, kernel, levels, scratch
from grader.sandbox.job import Ending, File, Level, Outcome
from grader.sandbox.kernel import try_in_child
from grader.sandbox.pool import Closed, Order, receive, send
from grader.sandbox.view import OUTPUT_NAME, find_closed_folders, make_view
from grader.sandbox.watch import RunWatch, find_ending, kill_descendants

FIRST_NUMBER, LAST_NUMBER = 64000, 64999  # of users for runs, and of control groups
LOCK = "\0checkmark-box-{}"  # the same in every version: two graders never share a user
GROUP = "checkmark-{}-{}"  # the network on which a number is unique, and the number


@dataclass(frozen=True)
class Ground:
    """What all runs of a warden have in common."""

    grader: int
    link: socket.socket
    folder: str
    user: int | None  # for runs; None if they run as we do
    may_mount: bool
    group: cgroup.Group | None  # to be made for each run
    submissions: dict[str, tuple[File, ...]]  # kept for later runs


def main(descriptor: int, folder: str) -> None:
    """Serve the grader at the other end of a socket, with an empty folder for all files; in a
    child, so that whichever of the two is killed, the other ends what is left."""
    gc.freeze()  # forks share untouched pages
    os.umask(0o022)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # or nobody could be waited for
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    grader, warden = os.getppid(), os.fork()
    if warden:
        os.close(descriptor)
        _outlive(warden, folder)
        return
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    for families in levels.SOCKETS.values():
        kernel.call_filter(families)  # found out once, for all forks
    number, lock = claim_number()
    user = number if os.geteuid() == 0 and try_in_child(lambda: kernel.become(number)) else None
    with socket.socket(fileno=descriptor) as link, lock:
        link.set_inheritable(False)
        signal.signal(signal.SIGHUP, lambda *_: link.shutdown(socket.SHUT_RDWR))
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGHUP)
        may_mount = user is not None and try_in_child(kernel.unshare_mounts)
        try:
            group = cgroup.find_group(GROUP.format(os.stat("/proc/self/ns/net").st_ino, number))
            _serve(Ground(grader, link, folder, user, may_mount, group, {}))
        except Closed:
            pass
        finally:
            scratch.remove_tree(folder)


def _outlive(warden: int, folder: str) -> None:
    """Wait for the warden.  If it was killed, processes of its run have come to us."""
    os.waitpid(warden, 0)
    with contextlib.suppress(ChildProcessError):  # there are none left
        while True:
            kill_descendants()
            os.wait()
    with contextlib.suppress(OSError):
        scratch.remove_tree(folder)


def claim_number() -> tuple[int, socket.socket]:
    """A number that no other warden on this network has, and no user; and the lock on it, which
    ends with us."""
    for number in range(FIRST_NUMBER, LAST_NUMBER + 1):
        with contextlib.suppress(KeyError):
            pwd.getpwuid(number)
            continue
        lock = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(OSError):
            lock.bind(LOCK.format(number))
            return number, lock
        lock.close()
    raise OSError("too many wardens are at work")


def _serve(ground: Ground) -> None:
    """A run's folder goes after the answer, while the grader judges."""
    while True:
        order = receive(ground.link, Order)
        with contextlib.ExitStack() as stack:
            send(ground.link, _answer(order, ground, stack))


def _answer(order: Order, ground: Ground, stack: contextlib.ExitStack) -> Outcome:
    try:
        ground.submissions.pop(order.forget, None)
        if not order.kept:
            ground.submissions[order.job.submission] = order.job.files
        outcome = _finish_run(stack.enter_context(_open_run(order, ground)), ground.link)
    except (levels.SandboxFault, scratch.BadName, OSError, ValueError, KeyError) as error:
        ours = isinstance(error, levels.SandboxFault | scratch.BadName)
        fault = str(error) if ours else f"{type(error).__name__}: {error}"
        outcome = Outcome(Ending.FAULT, fault=fault, shortage=scratch.is_shortage(error))
    worker = f"{socket.gethostname()}:{ground.grader}"
    return replace(outcome, level=order.level.value, worker=worker)


@contextlib.contextmanager
def _open_run(order: Order, ground: Ground) -> Iterator[levels.Start]:
    """Everything for one run; its folder and descriptors are good until the context ends."""
    job = order.job
    if not job.input_name or "/" in job.input_name or job.input_name in (".", ".."):
        raise levels.SandboxFault(f"{job.input_name!r} is not a name for an input file")
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(scratch.open_folder(ground.folder))
        scratch.lay_out(folder, ground.submissions[job.submission], ground.user)
        with open(f"{folder}/input/{job.input_name}", "wb") as file:
            file.write(job.input)
        descriptors = []
        for name, flags in (
            ("output", os.O_RDONLY | os.O_DIRECTORY),
            ("stdout", os.O_RDWR | os.O_APPEND),
            ("stderr", os.O_RDWR | os.O_APPEND),
        ):
            descriptors.append(os.open(f"{folder}/{name}", flags | os.O_CLOEXEC))
            stack.callback(os.close, descriptors[-1])
        user, closed = _find_way_in(order, ground)
        own_root = order.level is Level.BUBBLEWRAP
        view = make_view(folder, job, order.program, own_root)
        group = ground.group if order.grouped else None
        if user is None and order.level is Level.LIMITS:
            group = None  # which a run with our own rights could leave
        if group:
            stack.enter_context(cgroup.open_group(group, job.limits, order.level.helpers))
        yield levels.Start(order, folder, view, closed, user, group, *descriptors)


def _find_way_in(order: Order, ground: Ground) -> tuple[int | None, dict[str, list[str]]]:
    """The user of the run, and which folders must be opened for that user."""
    if ground.user is None:
        if os.geteuid() == 0 and order.level is not Level.LIMITS:
            raise levels.SandboxFault(
                "root cannot become another user here, and no sandbox can hold root"
            )
        return None, {}
    closed = find_closed_folders((*order.program.reads, ground.folder))
    if not closed or ground.may_mount:
        return ground.user, closed
    if order.level is Level.LIMITS:
        return None, {}
    raise levels.SandboxFault(
        f"user {ground.user} may not enter {', '.join(closed)}, which the command needs"
    )


def _finish_run(start: levels.Start, link: socket.socket) -> Outcome:
    """Start it, watch it, and collect what is left."""
    started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
    level, limits = start.order.level, start.order.job.limits
    watch = RunWatch(start.folder, level, limits, start.group)
    process, report = levels.start_process(start)
    try:
        broken = watch.wait(process, link.fileno())
    finally:
        wall_s = time.monotonic() - watch.started
        watch.end_all(None if level is Level.BUBBLEWRAP else start.user)
    shortage = watch.shortage or scratch.find_shortage(start.folder)
    broken = broken or watch.account()
    with open(report, "rb") as pipe:
        reported = pipe.read() or b""
    stdout, much_stdout = scratch.read_printed(start.stdout, limits.output_bytes)
    stderr, much_stderr = scratch.read_printed(start.stderr, limits.output_bytes)
    answer, fault, much_answer = scratch.read_answer(start.output, OUTPUT_NAME, limits.output_bytes)
    if broken is not None:
        ending, code, name = broken, None, "SIGKILL" if broken is Ending.SIGNAL else ""
    else:
        status = levels.find_status(start, watch.status, reported, stderr)
        flooded = much_stdout or much_stderr or much_answer
        ending, code, name = find_ending(status, watch.cpu_s, watch.rss_kb, limits, flooded, stderr)
    if shortage and ending in (Ending.EXIT, Ending.SIGNAL, Ending.MEMORY):
        fault = f"{shortage}, so the run says nothing about the program"
        return Outcome(Ending.FAULT, fault=fault, shortage=True)
    used = round(watch.cpu_s, 6), round(wall_s, 6), watch.rss_kb
    said = ending, code, name, answer, fault, stdout, stderr
    accounting = start.group.layout.name if start.group else "proc"
    return Outcome(*said, *used, accounting=accounting, started_at=started_at)
