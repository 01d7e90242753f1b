"""System calls that Python has no name for, Landlock and seccomp; all raise `OSError`.  Linux."""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import signal
import stat
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

CLONE_NEWNS = 1 << 17
CLONE3, CLONE_INTO_CGROUP = 435, 1 << 33
ALL_NAMESPACES = 0x7E020000  # all that a process can have of its own
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 1 << 12, 1 << 14, 1 << 18

PR_SET_PDEATHSIG, PR_SET_SECCOMP = 1, 22
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def prctl(option: int, *values: int) -> None:
    words = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0)[:4]]
    _check(_libc().prctl(option, *words), f"prctl {option}")


def unshare_mounts() -> None:
    """What is mounted from now on is not seen outside."""
    _check(_libc().unshare(CLONE_NEWNS), "unshare")
    mount("none", "/", "", MS_REC | MS_PRIVATE)


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    paths, words = (os.fsencode(source), os.fsencode(target)), options.encode() or None
    result = _libc().mount(*paths, kind.encode() or None, ctypes.c_ulong(flags), words)
    _check(result, f"mount {target}")


def _syscall(number: int, *words: object) -> int:
    return _check(_libc().syscall(ctypes.c_long(number), *words), f"system call {number}")


def become(user: int) -> None:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def fork_into(group: str) -> int:
    """Like `os.fork`, for a process without threads; the child starts in a control group of
    version 2.  To move a process later can take as long as a run."""
    folder = os.open(group, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    words = (CLONE_INTO_CGROUP, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, folder)
    try:
        packed = ctypes.create_string_buffer(struct.pack("11Q", *words))
        return _check(ctypes.PyDLL(None).syscall(CLONE3, packed, 88), "clone3")
    finally:
        os.close(folder)


def try_in_child(act: Callable[[], None]) -> bool:
    """Whether something can be done here, tried where it does no harm to us."""
    child = os.fork()
    if child == 0:
        try:
            act()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


# Landlock: a process gives up rights on files, TCP and signals for itself and its children.

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, DEVICE_CONTROL = 1 << 14, 1 << 15
READING = EXECUTE | READ_FILE | READ_DIR
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_CONTROL
NO_DEVICE_NODES = ~((1 << 6) | (1 << 11))
RIGHTS_OF_VERSION = (0, 13, 14, 15, 15, 16)  # how many rights on files each version knows
TCP = 3  # bind and connect, from version 4
SCOPES = 3  # abstract sockets and signals, from version 6


@functools.cache
def landlock_version() -> int:
    """0 if the kernel has no Landlock."""
    try:
        return _syscall(CREATE_RULESET, None, 0, 1)  # the flag that asks for the version
    except OSError:
        return 0


def restrict_files(readable: list[str], writable: list[str], listed: Iterable[str]) -> None:
    """Give up everything but these files and folders, and with it TCP and signals to others.  What
    is below a `listed` folder can be listed too, but not read."""
    version = landlock_version()
    rights = (1 << RIGHTS_OF_VERSION[min(version, len(RIGHTS_OF_VERSION) - 1)]) - 1
    words = [rights, TCP if version >= 4 else 0, SCOPES if version >= 6 else 0]
    packed = struct.pack("QQQ", *words)[: 8 if version < 4 else 16 if version < 6 else 24]
    ruleset = _syscall(CREATE_RULESET, ctypes.c_char_p(packed), ctypes.c_size_t(len(packed)), 0)
    allowed = {READING: readable, NO_DEVICE_NODES: writable, READ_DIR: listed}
    for right, path in ((right, path) for right, paths in allowed.items() for path in paths):
        _allow(ruleset, path, rights & right)
    _syscall(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
        rights &= FILE_RIGHTS
    rule = struct.pack("=Qi", rights, descriptor)
    _syscall(ADD_RULE, ruleset, PATH_BENEATH, ctypes.c_char_p(rule), 0)
    os.close(descriptor)


# Seccomp: system calls that do not exist for a submission, with their numbers on x86_64 and on
# aarch64.  Runtimes that only try one of them go on without it.

REFUSED = (
    # memory that is charged to no process
    *(("memfd_create", 319, 279), ("memfd_secret", 447, 447), ("io_uring_setup", 425, 425)),
    *(("shmget", 29, 194), ("msgget", 68, 186), ("semget", 64, 190), ("mq_open", 240, 180)),
    # what outlives a process
    *(("add_key", 248, 217), ("request_key", 249, 218), ("keyctl", 250, 219)),
    # other processes
    *(("process_vm_readv", 310, 270), ("process_vm_writev", 311, 271), ("ptrace", 101, 117)),
    *(("pidfd_open", 434, 434), ("pidfd_send_signal", 424, 424), ("pidfd_getfd", 438, 438)),
    *(("process_madvise", 440, 440), ("process_mrelease", 448, 448), ("kcmp", 312, 272)),
    *(("migrate_pages", 256, 238), ("move_pages", 279, 239), ("ioprio_set", 251, 30)),
    # another root or other mounts
    *(("mount", 165, 40), ("umount2", 166, 39), ("pivot_root", 155, 41), ("chroot", 161, 51)),
    *(("fsopen", 430, 430), ("fsmount", 432, 432), ("fspick", 433, 433), ("open_tree", 428, 428)),
    *(("move_mount", 429, 429), ("mount_setattr", 442, 442), ("open_by_handle_at", 304, 265)),
    # names of files that others make
    *(("fanotify_init", 300, 262), ("inotify_init", 253, 26), ("inotify_init1", 294, 26)),
    *(("inotify_add_watch", 254, 27), ("syslog", 103, 116)),
    # parts of the kernel that no solver needs
    *(("unshare", 272, 97), ("setns", 308, 268), ("bpf", 321, 280), ("vmsplice", 278, 75)),
    *(("perf_event_open", 298, 241), ("userfaultfd", 323, 282)),
    # its flags cannot be seen by a filter; callers fall back to clone
    ("clone3", 435, 435),
)
HIGHEST_CALL = 0x3FFFFFFF  # above is another set of calls on the same kind of processor


@dataclass(frozen=True)
class Checked:
    """A call that is allowed only if one of its arguments is among some values, or lacks `bits`."""

    name: str
    numbers: tuple[int, int]
    argument: int
    values: tuple[int, ...] = ()
    bits: int = 0


OWN = (0,)  # instead of a process: the caller
CHECKED = (
    Checked("clone", (56, 220), 0, bits=ALL_NAMESPACES),
    Checked("prlimit64", (302, 261), 0, OWN),
    Checked("setpriority", (141, 140), 0, OWN),  # its kind: a process
    Checked("setpriority", (141, 140), 1, OWN),
    Checked("sched_setparam", (142, 118), 0, OWN),
    Checked("sched_setscheduler", (144, 119), 0, OWN),
    Checked("sched_setaffinity", (203, 122), 0, OWN),
    Checked("sched_setattr", (314, 274), 0, OWN),
)
SOCKET = Checked("socket", (41, 198), 0)
# Datagrams could be sent from one of a pair to any path.
SOCKETPAIR = Checked("socketpair", (53, 199), 1, bits=2)

# Kinds of processors as the kernel's audit knows them, in the order of the numbers above.
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

NUMBER, AUDIT, ARGUMENTS = 0, 4, 16  # offsets in what a filter sees
LOAD, EQUALS, EXCEEDS, HAS_BITS, RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.ENOSYS
DENY = 0x00050000 | errno.EPERM
KILL = 0x80000000


def assemble_filter(machine: str, families: tuple[int, ...]) -> bytes:
    """The filter in the form that the kernel and bubblewrap take, with these families of sockets
    or none.  Jumps are counted in steps."""
    column = [*MACHINES].index(machine)
    tests = [(EXCEEDS, HIGHEST_CALL)]
    tests += [(EQUALS, numbers[column]) for _, *numbers in REFUSED]
    steps = [
        (LOAD, 0, 0, AUDIT),
        (EQUALS, 1, 0, MACHINES[machine]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
    ]
    for test, value in tests:
        steps += [(test, 0, 1, value), (RETURN, 0, 0, REFUSE)]
    sockets = (replace(SOCKET, values=families), *(() if families else (SOCKETPAIR,)))
    for call in (*CHECKED, *sockets):
        checks = [(HAS_BITS, 0, 1, call.bits)] if call.bits else []
        for index, value in enumerate(call.values):
            checks.append((EQUALS, len(call.values) - index, 0, value))
        steps += [
            (EQUALS, 0, len(checks) + 3, call.numbers[column]),
            (LOAD, 0, 0, ARGUMENTS + 8 * call.argument),
            *checks,
            (RETURN, 0, 0, DENY),
            (LOAD, 0, 0, NUMBER),
        ]
    steps.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


@functools.cache
def call_filter(families: tuple[int, ...]) -> bytes:
    """For this machine; empty if its numbers are unknown or the kernel takes no filter."""
    machine = os.uname().machine
    if machine not in MACHINES or struct.calcsize("P") != 8:
        return b""
    made = assemble_filter(machine, families)
    return made if try_in_child(lambda: refuse_calls(made)) else b""


def refuse_calls(made: bytes) -> None:
    """Apply a filter to this process and its descendants; an empty one does nothing.  Without
    PR_SET_NO_NEW_PRIVS first, only root could do it."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    if made:
        steps = ctypes.create_string_buffer(made, len(made))
        head = struct.pack("@HP", len(made) // 8, ctypes.addressof(steps))
        place = ctypes.create_string_buffer(head, len(head))
        prctl(PR_SET_SECCOMP, 2, ctypes.addressof(place))
