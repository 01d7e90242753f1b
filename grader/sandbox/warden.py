"""The warden: a small process without threads that does one run at a time, so that it can fork
safely.  Orphans of a run come back to it; when the grader dies, it ends its run and removes its
folder.  Linux only."""

from __future__ import annotations

import contextlib
import functools
import gc
import json
import os
import pwd
import select
import signal
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from grader.sandbox import kernel, levels
from grader.sandbox.job import Ending, Level, Outcome
from grader.sandbox.levels import Start
from grader.sandbox.pool import Closed, Order, receive, send
from grader.sandbox.scratch import (
    COMPILE,
    COMPILE_LIMITS,
    BadName,
    Scratch,
    collect_bytecode,
    read_answer,
    read_printed,
    remove_tree,
)
from grader.sandbox.view import OUTPUT_NAME, TEMPORARY_BYTES, find_closed_folders, make_view
from grader.sandbox.watch import Spent, Watch, end_all, find_ending, reap, wait_status

FIRST_USER, LAST_USER = 64000, 64999
LOCK = "\0checkmark-box-{}"  # the same in every version: two graders never share a user


class SandboxFault(Exception):
    """A run that could not be made, for which the submission cannot be blamed."""


@dataclass(frozen=True)
class Ground:
    """What all runs of a warden have in common."""

    link: socket.socket
    scratch: Scratch
    user: int | None  # for runs; None if they run as we do
    may_mount: bool
    network: int | None  # a namespace without a network that all runs may share


def main(descriptor: int, folder: str) -> None:
    """Serve the grader at the other end of a socket, with an empty folder for all files."""
    gc.freeze()  # forks share untouched pages
    os.umask(0o022)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    user, lock = claim_user()
    with socket.socket(fileno=descriptor) as link, lock or contextlib.nullcontext():
        link.set_inheritable(False)
        unshare = functools.partial(kernel.unshare, kernel.CLONE_NEWNS)
        may_mount = user is not None and kernel.works_in_child(unshare)
        network = _make_empty_network() if may_mount else None
        ground = Ground(link, Scratch(folder, user), user, may_mount, network)
        try:
            serve(ground)
        except Closed:
            pass
        finally:
            remove_tree(folder)


def claim_user() -> tuple[int | None, socket.socket | None]:
    """As root, a user number that no other warden has, and the lock on it, which ends with us."""
    if os.geteuid() != 0:
        return None, None
    for user in range(FIRST_USER, LAST_USER + 1):
        with contextlib.suppress(KeyError):
            pwd.getpwuid(user)
            continue  # taken
        lock = socket.socket(socket.AF_UNIX)
        try:
            lock.bind(LOCK.format(user))
        except OSError:
            lock.close()
            continue
        if kernel.works_in_child(functools.partial(levels.become, user)):
            return user, lock
        lock.close()
        break
    return None, None


def _make_empty_network() -> int | None:
    """A network namespace with nothing in it.  Making one for every run costs more than all else
    that a sandbox needs, and runs of one warden never meet."""
    ours = os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    try:
        kernel.unshare(kernel.CLONE_NEWNET)
        made = os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        kernel.enter_network(ours)
        return made
    except OSError:
        return None
    finally:
        os.close(ours)


def serve(ground: Ground) -> None:
    while True:
        order = receive(ground.link, Order)
        send(ground.link, _answer(order, ground))
        with contextlib.suppress(OSError):  # tried again before the next run
            ground.scratch.clear()  # while the grader judges


def _answer(order: Order, ground: Ground) -> Outcome:
    try:
        _unpack(order, ground)
        with open_run(order, ground) as start:
            outcome = finish_run(start, ground.link)
    except (SandboxFault, BadName) as error:
        outcome = Outcome(Ending.FAULT, fault=str(error))
    except (OSError, ValueError, KeyError) as error:
        outcome = Outcome(Ending.FAULT, fault=f"{type(error).__name__}: {error}")
    worker = f"{socket.gethostname()}:{os.getppid()}"
    return replace(outcome, level=order.level.value, worker=worker)


def _unpack(order: Order, ground: Ground) -> None:
    """With the modules of a Python submission compiled once, instead of in each of its runs; a
    single file is compiled whenever it is started."""
    job, scratch = order.job, ground.scratch
    for submission in order.forget:
        scratch.forget(submission)
    if order.unpacked:
        return
    scratch.keep(job.submission, job.files)
    if order.program.python and sum(file.path.endswith(".py") for file in job.files) > 1:
        compiling = replace(job, command=(job.command[0], *COMPILE), limits=COMPILE_LIMITS)
        with open_run(replace(order, job=compiling), ground) as start:
            finish_run(start, ground.link)
            tree = OUTPUT_NAME + start.view.submission
            compiled = collect_bytecode(job.files, start.output, tree)
        scratch.add(job.submission, tuple(compiled))


@contextlib.contextmanager
def open_run(order: Order, ground: Ground) -> Iterator[Start]:
    """Everything for one run; its folder and descriptors are good until the context ends."""
    job, level, scratch = order.job, order.level, ground.scratch
    folder = scratch.new_run()
    with contextlib.ExitStack() as stack:
        output = os.open(f"{folder}/output", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        stack.callback(os.close, output)
        printed = []
        for name in ("stdout", "stderr"):
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
            printed.append(os.open(f"{folder}/{name}", flags, 0o600))
            stack.callback(os.close, printed[-1])
            scratch.give(f"{folder}/{name}")
        if not job.input_name or "/" in job.input_name or job.input_name in (".", ".."):
            raise SandboxFault(f"{job.input_name!r} is not a name for an input file")
        with open(f"{folder}/input/{job.input_name}", "wb") as file:
            file.write(job.input)
        own_root = level.has_own_root
        kept = scratch.kept if own_root else functools.partial(scratch.copy, run=folder)
        view = make_view(folder, kept(job.submission), job, order.program, own_root)
        user, closed = _find_way_in(order, ground)
        before, inside = levels.limit_processes(level, job.limits.processes, user)
        command = [view.fill(word) for word in (order.program.path, *job.command[1:])]
        environment = view.environment(command[0])
        network = ground.network if own_root else None
        call_filter = kernel.call_filter()
        if level is Level.BUBBLEWRAP:
            command = levels.wrap_in_bubblewrap(
                command, view, inside, own_network=network is None, filtered=bool(call_filter)
            )
        yield Start(
            order=order,
            folder=folder,
            view=view,
            command=command,
            environment=environment,
            closed=closed,
            user=user,
            processes=before,
            network=network,
            call_filter=call_filter,
            output=output,
            stdout=printed[0],
            stderr=printed[1],
        )


def _find_way_in(order: Order, ground: Ground) -> tuple[int | None, dict[str, list[str]]]:
    """The user of the run, and which folders must be opened for that user."""
    if ground.user is None:
        if os.geteuid() == 0 and order.level is not Level.LIMITS:
            raise SandboxFault("root cannot become another user here, and no sandbox can hold root")
        return None, {}
    reads = (*order.program.reads, *order.job.reads)
    closed = find_closed_folders((*reads, ground.scratch.folder))
    if not closed or ground.may_mount:
        return ground.user, closed
    if order.level is Level.LIMITS:
        return None, {}
    raise SandboxFault(
        f"user {ground.user} may not enter {', '.join(closed)}, which the command needs"
    )


def finish_run(start: Start, link: socket.socket) -> Outcome:
    """Start it, watch it, and collect what is left."""
    started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
    level, limits = start.order.level, start.order.job.limits
    folders = [f"{start.folder}/output"]
    kill_user = None
    if not level.has_own_root:
        folders.append(f"{start.folder}/tmp")
        if start.user is not None:
            kill_user = functools.partial(_kill_user, start.user)
    process, report = levels.start_process(start)
    spent = Spent()
    helpers = levels.HELPERS if level.has_own_root else 0
    watch = Watch(limits, folders, TEMPORARY_BYTES, helpers)
    try:
        broken = _wait(process, link, watch, spent)
    finally:
        wall_s = time.monotonic() - watch.started
        end_all(process, kill_user, spent)
    with open(report, "rb") as pipe:
        reported = pipe.read() or b""
    stdout, much_stdout = read_printed(start.stdout, limits.output_bytes)
    stderr, much_stderr = read_printed(start.stderr, limits.output_bytes)
    answer, fault, much_answer = read_answer(start.output, OUTPUT_NAME, limits.output_bytes)
    cpu_s = max(spent.cpu_s, watch.cpu_s)
    if broken is not None:
        ending, code, name = broken, None, "SIGKILL" if broken is Ending.SIGNAL else ""
    else:
        status = _find_status(start, spent.first_status, reported, stderr)
        flooded = much_stdout or much_stderr or much_answer
        ending, code, name = find_ending(status, cpu_s, limits, flooded, stderr)
    # bubblewrap itself does not count: it has our own memory from before it was started
    first_rss_kb = 0 if level is Level.BUBBLEWRAP else spent.first_rss_kb
    return Outcome(
        ending=ending,
        exit_code=code,
        signal=name,
        output=answer,
        output_fault=fault,
        stdout=stdout,
        stderr=stderr,
        cpu_s=round(cpu_s, 6),
        wall_s=round(wall_s, 6),
        max_rss_kb=max(first_rss_kb, spent.other_rss_kb, watch.rss_kb),
        started_at=started_at,
    )


def _wait(process: int, link: socket.socket, watch: Watch, spent: Spent) -> Ending | None:
    """Until the run is over or breaks a limit, which is the result.  Orphans that have ended
    meanwhile would otherwise count as processes."""
    handle = os.pidfd_open(process)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.register(link, select.POLLIN)
        while True:
            ready = dict(poll.poll(watch.seconds_to_next_look() * 1000 + 1))
            if link.fileno() in ready:
                raise Closed("the grader has gone")
            if handle in ready:
                return None
            reap(process, spent)
            broken = watch.find_excess(spent.cpu_s)
            if broken is not None:
                return broken
    finally:
        os.close(handle)


def _kill_user(user: int) -> None:
    other = os.fork()
    if other == 0:
        try:
            levels.become(user)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(other, 0)


def _find_status(start: Start, status: int, reported: bytes, stderr: bytes) -> int:
    """The wait status of the command itself."""
    messages = [json.loads(line) for line in reported.splitlines() if line]
    for message in messages:
        if "fault" in message:
            raise SandboxFault(f"the sandbox could not be made: {message['fault']}")
    if start.order.level is Level.BUBBLEWRAP:
        if not any("exit-code" in message for message in messages):
            if start.order.program.is_own and stderr.startswith(b"bwrap: execvp "):
                return levels.NOT_FOUND << 8
            words = stderr.decode(errors="replace").strip()
            raise SandboxFault(f"bubblewrap could not make a sandbox: {words}")
        return wait_status(os.WEXITSTATUS(status)) if os.WIFEXITED(status) else status
    if start.order.level is Level.NAMESPACES:
        if not messages:
            raise SandboxFault("the first process of the sandbox has gone")
        return int(messages[0]["status"])
    return status
