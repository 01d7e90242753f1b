"""From the fork to the command: how the child of a warden isolates itself.  Linux only."""

from __future__ import annotations

import fcntl
import functools
import json
import math
import os
import resource
import shutil
import signal
import stat
import subprocess
from dataclasses import dataclass
from typing import NoReturn

from grader.sandbox import kernel
from grader.sandbox.job import GRACE, Level, RunLimits
from grader.sandbox.pool import Order
from grader.sandbox.view import DEVICE_LINKS, DEVICES, TEMPORARY_BYTES, View
from grader.sandbox.watch import count_threads

BWRAP = shutil.which("bwrap", path="/usr/local/bin:/usr/bin:/bin") or ""
PRLIMIT = shutil.which("prlimit", path="/usr/bin:/bin") or ""
HELPERS = 2  # of a sandbox: the process that waits outside and the first one inside
SPARE_PROCESSES = 64  # for others of the same user, who may start more meanwhile
OPEN_FILES = 128  # each can hold memory that is charged to no process
TREE_BYTES = 1 << 20
HIDDEN_BYTES = 1 << 12

REPORT, NETWORK, CALLS = 3, 4, 5  # descriptors after the standard files
ASIDE = 32  # a descriptor that is none of these
MOST_DESCRIPTORS = os.sysconf("SC_OPEN_MAX")
NOT_FOUND = 127  # the exit code of a shell
PROC_FILES = ("self", "cpuinfo", "filesystems", "meminfo", "stat", "sys", "version", "cgroups")


@dataclass(frozen=True)
class Start:
    """Everything that is decided before the fork."""

    order: Order
    folder: str  # of the run
    view: View
    command: list[str]
    environment: dict[str, str]
    closed: dict[str, list[str]]  # closed folders, with what is needed behind them
    user: int | None  # to become
    processes: int | None
    network: int | None  # a namespace without a network, to be entered
    call_filter: bytes  # empty if there is none
    output: int  # descriptors
    stdout: int
    stderr: int


def _enter_level(start: Start) -> None:
    """Isolate this process.  Bubblewrap is the command itself: it makes the sandbox and applies
    the filter after the calls that it needs."""
    level = start.order.level
    _detach(start)
    if level is Level.BUBBLEWRAP:
        os.set_inheritable(REPORT, True)
        if start.call_filter:
            reading, writing = os.pipe()
            os.write(writing, start.call_filter)
            os.close(writing)
            os.dup2(reading, CALLS)
            os.set_inheritable(CALLS, True)  # also if it had that number before
        _become_user(start)
        return
    if level is Level.NAMESPACES:
        _make_namespaces(start)
    os.chdir(start.view.submission)
    _become_user(start)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if level is Level.LANDLOCK:
        _restrict_files(start, readable=[f"/proc/{name}" for name in PROC_FILES], writable=[])
    elif level is Level.NAMESPACES and kernel.landlock_version():
        _restrict_files(start, readable=["/proc"], writable=["/dev/shm"])
    kernel.refuse_calls(start.call_filter)


def start_process(start: Start) -> tuple[int, int]:
    """Fork; the process, and the pipe on which it reports."""
    reading, writing = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    process = os.fork()
    if process == 0:
        _run_command(start, writing)
    os.close(writing)
    return process, reading


def _run_command(start: Start, report: int) -> NoReturn:
    """If the submission names a program that it did not bring along, that is not our fault."""
    try:
        _arrange_descriptors(start, report)
        _enter_level(start)
        try:
            os.execve(start.command[0], start.command, start.environment)
        except OSError as error:
            if not start.order.program.is_own:
                raise
            os.write(2, f"{start.command[0]}: {error.strerror}\n".encode())
    except BaseException as error:
        _write_report({"fault": f"{type(error).__name__}: {error}"})
    os._exit(NOT_FOUND)


def _arrange_descriptors(start: Start, report: int) -> None:
    """Keep nothing open but the three standard files, the report and the network."""
    wanted = [os.open(os.devnull, os.O_RDONLY), start.stdout, start.stderr, report]
    if start.network is not None:
        wanted.append(start.network)
    aside = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, ASIDE) for each in wanted]
    for number, each in enumerate(aside):
        os.dup2(each, number, inheritable=number < REPORT)
    os.closerange(len(aside), MOST_DESCRIPTORS)


def _write_report(message: dict[str, object]) -> None:
    os.write(REPORT, json.dumps(message).encode() + b"\n")


def _detach(start: Start) -> None:
    """Leave the warden's session, signals and network, and open what is closed to the user."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    if start.network is not None:
        kernel.enter_network(NETWORK)
    if start.closed:  # replaced, in mounts of our own, by folders that show only what is needed
        kernel.unshare(kernel.CLONE_NEWNS)
    for folder, paths in start.closed.items():
        opened = [(path, os.open(path, os.O_PATH)) for path in paths if os.path.exists(path)]
        kernel.mount_tmpfs(folder, TREE_BYTES, 0o755)
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
    set_rlimits(start.order.job.limits, start.processes)
    if start.user is not None:
        become(start.user)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)  # lost with the user


def become(user: int) -> None:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def set_rlimits(limits: RunLimits, processes: int | None) -> None:
    """Limits that the kernel enforces, process by process.  The warden measures processor time
    and stops the run; here it is a backstop.  Memory is what can be written to, because Java,
    Go and Node reserve far more than they ever use."""
    wanted = {
        resource.RLIMIT_CPU: math.ceil(limits.cpu_s * GRACE) + 1,
        resource.RLIMIT_FSIZE: limits.output_bytes + 1,
        resource.RLIMIT_DATA: limits.memory_mb << 20,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: OPEN_FILES,
    }
    if processes is not None:
        wanted[resource.RLIMIT_NPROC] = processes
    for what, value in wanted.items():
        hardest = resource.getrlimit(what)[1]
        if hardest != resource.RLIM_INFINITY:
            value = min(value, hardest)
        resource.setrlimit(what, (value, value))


def limit_processes(level: Level, wanted: int, user: int | None) -> tuple[int | None, int | None]:
    """How many processes the user may have before the sandbox exists, and inside."""
    if user is not None:
        return wanted + (HELPERS if level is Level.BUBBLEWRAP else 0), None
    if level is Level.NAMESPACES:
        return wanted, None
    if level is Level.BUBBLEWRAP and PRLIMIT:
        return None, wanted
    return count_threads(os.geteuid()) + wanted + SPARE_PROCESSES, None


def _restrict_files(start: Start, readable: list[str], writable: list[str]) -> None:
    view = start.view
    readable = [*readable, *(bind.target for bind in view.binds if not bind.writable)]
    writable = [*writable, *(bind.target for bind in view.binds if bind.writable)]
    writable += [f"/dev/{device}" for device in DEVICES]
    writable += [view.temporary, f"{start.folder}/stdout", f"{start.folder}/stderr"]
    kernel.restrict_files(readable, writable)


def _make_namespaces(start: Start) -> None:
    """Returns in a grandchild, inside.  The process between is the first one inside: when the
    command ends it reports how and exits, and everything inside goes with it."""
    spaces = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS
    if start.network is None:
        spaces |= kernel.CLONE_NEWNET
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        kernel.unshare(spaces)
    else:
        kernel.unshare(spaces | kernel.CLONE_NEWUSER)
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    root = f"{start.folder}/root"
    _build_tree(start.view, root)
    first = os.fork()
    if first:
        os.waitpid(first, 0)
        os._exit(0)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    kernel.mount("proc", f"{root}/proc", "proc", kernel.MS_NOSUID | kernel.MS_NODEV)
    kernel.mount("none", root, "", kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY)
    kernel.change_root(root)
    command = os.fork()
    while command:
        process, status = os.waitpid(-1, 0)
        if process == command:
            _write_report({"status": status})
            os._exit(0)


def _build_tree(view: View, root: str) -> None:
    kernel.mount_tmpfs(root, TREE_BYTES, 0o755)
    for folder in ("/proc", "/dev/shm", "/tmp"):
        os.makedirs(root + folder)
    for folder in ("/dev/shm", "/tmp"):
        kernel.mount_tmpfs(root + folder, TEMPORARY_BYTES, 0o1777)
    for target, name in view.links:
        os.symlink(target, root + name)
    for bind in view.binds:
        _make_target(root + bind.target, os.path.isdir(bind.source))
        kernel.bind(bind.source, root + bind.target, bind.writable)
    for folder in view.hidden:
        kernel.mount_tmpfs(root + folder, HIDDEN_BYTES, 0o555)
    for device in DEVICES:
        _make_target(f"{root}/dev/{device}", folder=False)
        kernel.bind(f"/dev/{device}", f"{root}/dev/{device}", writable=True)
    for name, target in DEVICE_LINKS.items():
        os.symlink(target, root + name)


def wrap_in_bubblewrap(
    command: list[str], view: View, processes: int | None, own_network: bool, filtered: bool
) -> list[str]:
    """The command that runs `command` in a sandbox.  `processes` limits those inside, where
    others of the same user do not count."""
    size = str(TEMPORARY_BYTES)
    words = [BWRAP, "--unshare-all", "--die-with-parent", "--new-session"]
    if not own_network:
        words += ["--share-net"]
    if filtered:
        words += ["--seccomp", str(CALLS)]
    if _can_disable_namespaces():
        words += ["--unshare-user", "--disable-userns"]
    words += ["--json-status-fd", str(REPORT), "--size", size, "--tmpfs", "/tmp"]
    for target, name in view.links:
        words += ["--symlink", target, name]
    for bind in view.binds:
        words += ["--bind" if bind.writable else "--ro-bind", bind.source, bind.target]
    for folder in view.hidden:
        words += ["--size", str(HIDDEN_BYTES), "--tmpfs", folder, "--remount-ro", folder]
    words += ["--proc", "/proc", "--size", size, "--tmpfs", "/dev/shm"]
    for device in DEVICES:  # --dev would add terminals, which cost time
        words += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    for name, target in DEVICE_LINKS.items():
        words += ["--symlink", target, name]
    words += ["--remount-ro", "/", "--chdir", view.submission, "--"]
    if processes is not None:
        words += [PRLIMIT, f"--nproc={processes}", "--"]
    return words + command


@functools.cache
def _can_disable_namespaces() -> bool:
    """Whether it can forbid user namespaces inside, a way to reach more of the kernel."""
    text = subprocess.run([BWRAP, "--help"], capture_output=True, check=False, env={}).stdout
    return b"--disable-userns" in text
