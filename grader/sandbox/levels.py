"""From the fork to the command: how the child of a warden isolates itself, with one function for
each level.  Linux only."""

from __future__ import annotations

import contextlib
import json
import math
import os
import resource
import shutil
import signal
import socket
import stat
from dataclasses import dataclass
from typing import NoReturn

from grader.sandbox import kernel
from grader.sandbox.cgroup import Group
from grader.sandbox.job import GRACE, Level
from grader.sandbox.pool import Order
from grader.sandbox.view import DEVICE_LINKS, DEVICES, TEMPORARY_BYTES, View
from grader.sandbox.watch import wait_status

BWRAP = shutil.which("bwrap", path="/usr/local/bin:/usr/bin:/bin") or ""
SPARE_PROCESSES = 64  # for others of the same user, who may start more meanwhile
OPEN_FILES = 128  # each can hold memory that is charged to no process
PENDING_SIGNALS = 1000
TREE_BYTES = 1 << 20

REPORT = 3  # a descriptor
NOT_FOUND = 127  # the exit code of a shell
SOCKETS = {  # where it has a network of its own, that would only hide memory
    Level.BUBBLEWRAP: (socket.AF_UNIX,),
    Level.LANDLOCK: (),  # it does not know sockets with a path
    Level.LIMITS: (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6),
}
PROC_FILES = ("self", "cpuinfo", "filesystems", "meminfo", "stat", "sys", "version", "cgroups")


class SandboxFault(Exception):
    """A run that could not be made, for which the submission cannot be blamed."""


@dataclass(frozen=True)
class Start:
    """Everything that is decided before the fork."""

    order: Order
    folder: str  # of the run
    view: View
    closed: dict[str, list[str]]  # closed folders, with what is needed behind them
    user: int | None  # to become
    group: Group | None  # to join
    output: int  # descriptors
    stdout: int
    stderr: int


def start_process(start: Start) -> tuple[int, int]:
    """Fork; the process, and the pipe on which it reports."""
    reading, writing = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    process = start.group.fork() if start.group else os.fork()
    if process == 0:
        _run_command(start, writing)
    os.close(writing)
    return process, reading


def _run_command(start: Start, report: int) -> NoReturn:
    """If the submission names a program that it did not bring along, that is not our fault."""
    program, words = start.order.program, start.order.job.command[1:]
    try:
        # All others are closed when the command starts.
        standard = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC), start.stdout, start.stderr
        for number, each in enumerate((*standard, report)):
            os.dup2(each, number, inheritable=number < REPORT)
        if start.group:
            start.group.join()
        _detach(start)
        command = [start.view.fill(word) for word in (program.path, *words)]
        environment = start.view.environment(command[0])
        command = ENTER[start.order.level](start, command)
        try:
            os.execve(command[0], command, environment)
        except OSError as error:
            if not program.is_own:
                raise
            os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    except BaseException as error:
        fault = {"fault": f"{type(error).__name__}: {error}"}
        os.write(REPORT, json.dumps(fault).encode() + b"\n")
    os._exit(NOT_FOUND)


# Each isolates this process and returns the command to execute.


def _enter_bubblewrap(start: Start, command: list[str]) -> list[str]:
    """It makes the sandbox, and applies the filter after the calls that it needs."""
    os.set_inheritable(REPORT, True)
    words = _make_bubblewrap(start)
    if made := kernel.call_filter(SOCKETS[Level.BUBBLEWRAP]):
        reading, writing = os.pipe()
        os.write(writing, made)
        os.close(writing)
        os.set_inheritable(reading, True)
        words += ["--seccomp", str(reading)]
    _become_user(start)
    return [*words, "--", *command]


def _enter_landlock(start: Start, command: list[str]) -> list[str]:
    _enter_limits(start, command)
    view = start.view
    readable = [*(f"/proc/{name}" for name in PROC_FILES), *view.readable]
    writable = [bind.target for bind in view.binds if bind.writable]
    writable += [f"/dev/{device}" for device in DEVICES]
    writable += [view.temporary, f"{start.folder}/stdout", f"{start.folder}/stderr"]
    kernel.restrict_files(readable, writable, view.listed)
    return command


def _enter_limits(start: Start, command: list[str]) -> list[str]:
    os.chdir(start.view.submission)
    _become_user(start)
    kernel.refuse_calls(kernel.call_filter(SOCKETS[start.order.level]))
    return command


ENTER = {
    Level.BUBBLEWRAP: _enter_bubblewrap,
    Level.LANDLOCK: _enter_landlock,
    Level.LIMITS: _enter_limits,
}


def find_status(start: Start, status: int, reported: bytes, stderr: bytes) -> int:
    """The wait status of the command itself.  `status` is that of the process we started."""
    messages = [json.loads(line) for line in reported.splitlines() if line]
    for message in messages:
        if "fault" in message:
            raise SandboxFault(f"the sandbox could not be made: {message['fault']}")
    if start.order.level is Level.BUBBLEWRAP:
        if not any("exit-code" in message for message in messages):
            if start.order.program.is_own and stderr.startswith(b"bwrap: execvp "):
                return NOT_FOUND << 8
            words = stderr.decode(errors="replace").strip()
            raise SandboxFault(f"bubblewrap could not make a sandbox: {words}")
        return wait_status(os.WEXITSTATUS(status)) if os.WIFEXITED(status) else status
    return status


def _detach(start: Start) -> None:
    """Leave the warden's session and signals, and open what is closed to the user."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    if start.closed:  # replaced, in mounts of our own, by folders that show only what is needed
        kernel.unshare_mounts()
    for folder, paths in start.closed.items():
        opened = [(path, os.open(path, os.O_PATH)) for path in paths if os.path.exists(path)]
        flags = kernel.MS_NOSUID | kernel.MS_NODEV
        kernel.mount("tmpfs", folder, "tmpfs", flags, f"size={TREE_BYTES},mode=755")
        for path, descriptor in opened:
            _make_target(path, stat.S_ISDIR(os.fstat(descriptor).st_mode))
            source = f"/proc/self/fd/{descriptor}"
            kernel.mount(source, path, "", kernel.MS_BIND | kernel.MS_REC)
            os.close(descriptor)


def _make_target(path: str, folder: bool) -> None:
    """Something to mount on."""
    os.makedirs(path if folder else os.path.dirname(path), 0o755, exist_ok=True)
    if not folder:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))


def _become_user(start: Start) -> None:
    """With limits that the kernel enforces, process by process.  The warden measures processor
    time and stops the run; here it is a backstop.  Memory is what can be written to, because
    Java, Go and Node reserve far more than they ever use."""
    limits = start.order.job.limits
    wanted = {
        resource.RLIMIT_CPU: math.ceil(limits.cpu_s * GRACE) + 1,
        resource.RLIMIT_FSIZE: limits.output_bytes + 1,
        resource.RLIMIT_DATA: limits.memory_mb << 20,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_SIGPENDING: PENDING_SIGNALS,
        resource.RLIMIT_NPROC: _count_others(start) + limits.processes + start.order.level.helpers,
    }
    for what, value in wanted.items():
        hardest = resource.getrlimit(what)[1]
        if hardest != resource.RLIM_INFINITY:
            value = min(value, hardest)
        resource.setrlimit(what, (value, value))
    if start.user is not None:
        kernel.become(start.user)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)  # lost with the user


def _count_others(start: Start) -> int:
    """Processes of the same user that do not belong to the run, with all their threads."""
    if start.user is not None:
        return 0
    count = SPARE_PROCESSES
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{name}").st_uid == os.geteuid():
                count += os.stat(f"/proc/{name}/task").st_nlink - 2
    return count


def _make_bubblewrap(start: Start) -> list[str]:
    """The words before the command."""
    view = start.view
    size = str(TEMPORARY_BYTES)
    words = [BWRAP, "--unshare-all", "--die-with-parent", "--new-session"]
    words += ["--json-status-fd", str(REPORT), "--size", size, "--tmpfs", "/tmp"]
    for target, name in view.links:
        words += ["--symlink", target, name]
    for bind in view.binds:
        words += ["--bind" if bind.writable else "--ro-bind", bind.source, bind.target]
    # The first process reports how the command has ended: its memory must not be written to.
    words += ["--proc", "/proc", "--ro-bind", f"{start.folder}/empty", "/proc/1"]
    words += ["--size", size, "--tmpfs", "/dev/shm"]
    for device in DEVICES:  # --dev would add terminals, which cost time
        words += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    for name, target in DEVICE_LINKS.items():
        words += ["--symlink", target, name]
    return [*words, "--remount-ro", "/", "--chdir", view.submission]
