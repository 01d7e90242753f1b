"""All attacks, run in a sandbox as a submission: a script that imports nothing of ours.

`where.json` names the attack, which is a function or one of `STEPS`, and what an attacker would
have to find out.  An attack exits with 66 if it succeeded, with 0 if it was stopped, and otherwise
as a limit should end it."""

from __future__ import annotations

import contextlib
import ctypes
import json
import mmap
import os
import signal
import socket
import sys
import threading
import time

TYPE_CHECKING = False
if TYPE_CHECKING:  # few imports: the script is started very often
    from collections.abc import Callable
    from typing import Any

SUCCEEDED = 66
MEGABYTE = 1 << 20

where: dict[str, Any] = {}


def _opens(*paths: str, flags: int = os.O_RDONLY) -> bool:
    """Whether one of these can be opened."""
    for path in paths:
        with contextlib.suppress(OSError):
            os.close(os.open(path, flags))
            return True
    return False


def _calls(*calls: tuple[object, ...]) -> bool:
    """Whether one of these system calls works; each begins with its numbers on x86_64 and ARM."""
    call, column = ctypes.CDLL(None).syscall, os.uname().machine == "aarch64"
    return any(call(each[column], *each[2:]) >= 0 for each in calls)


# It reaches for what it must not have.


def reads_files_of_checkmark() -> bool:
    found = list(filter(os.path.isfile, where["checkmark"]))
    for folder, _, names in (each for path in where["checkmark"] for each in os.walk(path)):
        found += [f"{folder}/{name}" for name in names]
    return _opens(*found)


def imports_checkmark() -> bool:
    import importlib

    sys.path += map(os.path.dirname, where["checkmark"])
    for name in ("solver", "grader", "checkmark__mypyc"):
        with contextlib.suppress(ImportError, OSError):
            if importlib.import_module(name).__file__:  # not only an empty folder
                return True
    return False


def runs_commands_of_checkmark() -> bool:
    import subprocess

    commands = [path for path in where["checkmark"] if os.path.dirname(path).endswith("/bin")]
    return any(subprocess.run([path, "-h"], check=False).returncode == 0 for path in commands)


def reads_the_environment_of_others() -> bool:
    names = [str(where["victim"])]
    with contextlib.suppress(OSError):
        names = os.listdir("/proc")
    seen = b""
    for name in names:
        with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
            seen += file.read()
    return where["token"].encode() in seen


def connects_to_sockets_with_a_path() -> bool:
    with contextlib.suppress(OSError):
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).connect(where["path_socket"])
        return True
    socket.socketpair(type=socket.SOCK_DGRAM)[0].connect(where["path_socket"])
    return True


def opens_odd_sockets() -> bool:
    """Of all families but AF_UNIX, AF_INET and AF_INET6."""
    families = {*range(3, 64)} - {10}
    return _calls(*((41, 198, family, kind, 0) for family in families for kind in range(1, 6)))


def limits_or_slows_other_processes() -> bool:
    victim = where["victim"]
    return _calls(
        (302, 261, victim, 7, bytes(16), None),  # prlimit64: no open files
        (141, 140, 0, victim, 19),  # setpriority: of a process
        (141, 140, 2, os.getuid(), 19),  # of a user
        (144, 119, victim, 5, bytes(4)),  # sched_setscheduler
        (203, 122, victim, 8, b"\1" + bytes(7)),  # sched_setaffinity
        (251, 30, 1, victim, 3 << 13),  # ioprio_set
        (434, 434, victim, 0),  # pidfd_open
        (310, 270, victim, None, 0, None, 0, 0),  # process_vm_readv
    )


def uses_forbidden_system_calls() -> bool:
    return _calls(
        (165, 40, b"none", b".", b"tmpfs", 0, None),  # mount
        (166, 39, b"/proc", 2),  # umount2
        (161, 51, b"."),  # chroot
        (155, 41, b".", b"."),  # pivot_root
        (430, 430, b"tmpfs", 0),  # fsopen
        (428, 428, -100, b"/", 1),  # open_tree
        *((272, 97, 1 << bit) for bit in (17, 25, 26, 27, 28, 29, 30)),  # unshare
        (425, 425, 8, bytes(120)),  # io_uring_setup
        (298, 241, bytes(128), 0, -1, -1, 0),  # perf_event_open
        (250, 219, 0, -4, 1),  # keyctl: a keyring that outlives us
        (323, 282, 1),  # userfaultfd
        (278, 75, 1, None, 0, 0),  # vmsplice
        (294, 26, 0),  # inotify_init1
        (103, 116, 3, bytes(16), 16),  # syslog
    )


def changes_kernel_settings() -> bool:
    names = ("sys/kernel/core_pattern", "sys/kernel/hostname", "sysrq-trigger", "1/oom_score_adj")
    cgroups = ("/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs")
    return _opens(*(f"/proc/{name}" for name in names), *cgroups, flags=os.O_WRONLY)


def kills_other_processes() -> None:
    import fcntl

    with contextlib.suppress(OSError):
        os.kill(where["victim"], signal.SIGKILL)
    pipe = os.pipe()  # which tells its owner when there is something to read
    fcntl.fcntl(pipe[0], 10, signal.SIGKILL)  # F_SETSIG
    fcntl.fcntl(pipe[0], fcntl.F_SETOWN, where["victim"])
    fcntl.fcntl(pipe[0], fcntl.F_SETFL, os.O_NONBLOCK | os.O_ASYNC)
    os.write(pipe[1], b"x")
    time.sleep(1)  # until it is gone, also on a busy machine


def keeps_rights_of_root() -> bool:
    with open("/proc/self/status") as file:
        status = dict(line.split(":\t", 1) for line in file if ":\t" in line)
    rights = int(status["CapEff"], 16) | int(status["CapPrm"], 16)
    return bool(rights) or not int(status["NoNewPrivs"]) or os.getuid() == 0


def finds_open_descriptors() -> bool:
    own = os.open(".", os.O_RDONLY)
    return bool(set(map(int, os.listdir("/proc/self/fd"))) - {0, 1, 2, own, own + 1})


# It takes more than it may.


def starts_too_many_processes() -> bool:
    count = 0
    with contextlib.suppress(OSError):
        while count < where["children"]:
            if os.fork() == 0:
                time.sleep(4 * where["seconds"])
                os._exit(0)
            count += 1
    return count > where["processes"] and _hold()


def _hold() -> bool:
    time.sleep(where["seconds"])  # long enough to be noticed
    return True


def starts_too_many_threads() -> bool:
    threading.stack_size(16 * 4096)
    with contextlib.suppress(RuntimeError):
        for _ in range(where["children"]):
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return threading.active_count() > where["processes"] + 1 and _hold()


def forks_for_ever() -> None:
    while True:
        with contextlib.suppress(OSError):
            os.fork()


def takes_too_much_memory() -> bool:
    taken: list[bytearray] = []
    while len(taken) < 64:
        taken.append(bytearray(b"x") * (16 * MEGABYTE))
    return True


def _in_children(number: int, act: Callable[[], object]) -> bool:
    """True if it succeeds in all of them: it stops by an exception or with False."""
    for _ in range(number):
        if os.fork() == 0:
            with contextlib.suppress(OSError, MemoryError):
                os._exit(act() is False)
            os._exit(1)
    return sum(os.wait()[1] for _ in range(number)) == 0


def _without_main_thread(act: Callable[[], object]) -> bool:
    """Of such a process, much of /proc is empty."""

    def go_on() -> None:
        time.sleep(0.1)
        os._exit(SUCCEEDED if act() else 0)

    threading.Thread(target=go_on).start()
    ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)  # exit
    return False


def memory_in_many_processes() -> bool:
    def take() -> None:
        taken = bytearray(b"x") * (where["memory_mb"] * 2 // 3 * MEGABYTE)
        time.sleep(where["seconds"] if taken else 0)

    return _in_children(4, take)


def memory_of_system_v_or_memfd() -> bool:
    libc = ctypes.CDLL(None)
    segment = libc.shmget(0, 16 * MEGABYTE, 0o1600)
    if segment >= 0:
        libc.shmctl(segment, 0, None)
        return True
    os.close(os.memfd_create("memory"))
    return True


def memory_in_shared_pages() -> bool:
    size = 8 * where["memory_mb"] * MEGABYTE
    shared = mmap.mmap(-1, size)
    for at in range(0, size, 4096):
        shared[at] = 1
    return _hold()


def memory_in_dropped_pages() -> bool:
    time.sleep(0.2)
    held = [mmap.mmap(-1, MEGABYTE) for _ in range(3 * where["memory_mb"])]
    for each in held:
        each.write(bytes(MEGABYTE))
        each.madvise(mmap.MADV_DONTNEED)
    return _hold()


def memory_for_a_moment() -> bool:
    shared = mmap.mmap(-1, 3 * where["memory_mb"] * MEGABYTE)
    for _ in range(3 * where["memory_mb"]):
        shared.write(bytes(MEGABYTE))
    return True


def memory_of_a_hidden_process() -> bool:
    ctypes.CDLL(None).prctl(4, 0)  # PR_SET_DUMPABLE: closed to others of the same user
    return memory_in_dropped_pages()


def memory_in_page_tables() -> bool:
    step = 2 * MEGABYTE  # of the zero page, which costs nothing, behind each page of a table
    size = 2 * where["memory_mb"] * MEGABYTE // 4096 * step
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    held = mmap.mmap(-1, size, flags, mmap.PROT_READ)
    return not any(held[at] for at in range(0, size, step)) and _hold()


def memory_in_many_mappings() -> bool:
    def take() -> None:
        held = [mmap.mmap(-1, 4096) for _ in range(500 * where["memory_mb"])]
        time.sleep(where["seconds"] if held else 0)

    return _in_children(4, take)


def _fill_buffers(make: Callable[[], tuple[int, ...]]) -> bool:
    def fill() -> bool:
        wanted = 2 * where["memory_mb"] * MEGABYTE // 12
        while wanted > 0:
            for descriptor in make():
                os.set_blocking(descriptor, False)
                with contextlib.suppress(OSError):
                    while wanted > 0:
                        wanted -= os.write(descriptor, bytes(4096))
        return _hold()

    return _in_children(12, fill)


def memory_in_names_of_files() -> bool:
    for number in range(2 * where["memory_mb"] * MEGABYTE // 1000):
        os.close(os.open(f"{os.environ['TMPDIR']}/{number:0200}", os.O_CREAT | os.O_WRONLY))
    return _hold()


def memory_in_attributes_of_files() -> bool:
    for number in range(2 * where["memory_mb"]):
        path = f"{os.environ['TMPDIR']}/{number}"
        open(path, "w").close()
        for name in range(16):
            os.setxattr(path, f"user.{name}", bytes(65536))
    return _hold()


def _make_tcp_pair() -> tuple[int, int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = socket.create_connection(server.getsockname())
        return one.detach(), server.accept()[0].detach()


def _use_time(seconds: float) -> None:
    while time.process_time() < seconds:
        pass


def takes_too_much_time() -> bool:
    _use_time(where["seconds"])
    return True


def _use_time_in_children() -> bool:
    """In children that are gone at most looks."""
    for _ in range(int(50 * where["seconds"])):
        with contextlib.suppress(OSError):  # too many on a busy machine
            if os.fork() == 0:
                _use_time(0.02)
                os._exit(0)
        time.sleep(0.02)
    return True


def time_in_unwaited_children() -> bool:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    return _use_time_in_children()


def time_in_dropped_children() -> bool:
    action = (ctypes.c_ulong * 19)()
    action[17] = 2  # after the handler and the mask: children are not waited for
    ctypes.CDLL(None).sigaction(signal.SIGCHLD, action, None)
    return _use_time_in_children()


def time_in_short_orphans() -> None:
    while True:
        if os.fork() == 0:
            if os.fork() == 0:
                _use_time(0.02)
            os._exit(0)
        os.wait()
        time.sleep(0.02)


def time_in_threads() -> bool:
    for _ in range(3):
        threading.Thread(target=takes_too_much_time).start()
    return takes_too_much_time()


def sleeps_and_ignores_signals() -> bool:
    for number in range(1, signal.NSIG):
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    time.sleep(4 * where["seconds"])
    return True


def floods_standard_output() -> bool:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    while os.fstat(1).st_size < 3 * where["output_bytes"]:
        os.write(1, b"x" * 10000)
    return True


def floods_its_output_file() -> bool:
    with open(sys.argv[2], "wb", buffering=0) as file:
        while file.tell() < 3 * where["output_bytes"]:
            file.write(b"x" * 10000)
    return True


def _write_block(path: str) -> None:
    with open(path, "wb") as file:
        file.write(b"x" * where["output_bytes"])
    time.sleep(0.0005)


def fills_its_temporary_folder() -> bool:
    for number in range(2000):
        _write_block(f"{os.environ['TMPDIR']}/{number}")
    return True


def fills_folders_below_its_output() -> bool:
    folder = os.path.dirname(sys.argv[2])
    for number in range(2000):
        if number % 50 == 0:
            folder += "/deeper"
            os.mkdir(folder)
        _write_block(f"{folder}/{number}")
    return True


def _make_deleted_file() -> tuple[int]:
    path = f"{os.path.dirname(sys.argv[2])}/{os.getpid()}"
    made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    os.unlink(path)
    return (made,)


def reserves_space_on_the_disk() -> bool:
    with open(os.path.dirname(sys.argv[2]) + "/reserved", "wb") as file:
        size = ctypes.c_long(256 * MEGABYTE)
        taken = ctypes.CDLL(None).fallocate(file.fileno(), 1, ctypes.c_long(0), size) == 0
        return taken and _hold()  # though the file is empty


def leaves_its_control_group() -> bool:
    def read_groups() -> list[list[str]]:
        with open("/proc/self/cgroup") as file:
            return [line.rstrip("\n").split(":", 2) for line in file]

    before = read_groups()
    for _, controllers, group in before:
        for name in (controllers, "unified", ""):
            path = f"/sys/fs/cgroup/{name}{os.path.dirname(group)}/cgroup.procs"
            with contextlib.suppress(OSError), open(path, "w") as file:
                file.write("0")
    return read_groups() != before


# It leaves something behind.


def leaves_a_daemon() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            time.sleep(120)
        os._exit(0)
    os.wait()


def closes_its_output() -> None:
    with open(sys.argv[2], "w") as file:
        file.write("answer")
    os.chmod(sys.argv[2], 0)
    os.chmod(os.path.dirname(sys.argv[2]), 0)


def makes_a_sparse_output() -> None:
    with open(sys.argv[2], "wb") as file:
        file.truncate(1 << 40)


def poisons_kept_bytecode() -> bool:
    found = os.path.exists("__pycache__")
    os.mkdir("__pycache__")
    return found


def deletes_its_own_folder() -> None:
    import shutil

    shutil.rmtree(os.getcwd(), ignore_errors=True)


def leaves_a_file_for_later() -> bool:
    paths = (os.environ["TMPDIR"] + "/note", "/dev/shm/" + where["token"])
    found = any(os.path.exists(path) for path in paths)
    for path in paths:
        with contextlib.suppress(OSError):
            open(path, "w").close()
    return found


def leaves_a_note_in_the_kernel() -> bool:
    libc = ctypes.CDLL(None)
    key = int(where["token"][-7:], 16)
    found = libc.shmget(key, 4096, 0) >= 0 or libc.msgget(key, 0) >= 0
    segment, queue = libc.shmget(key, 4096, 0o1666), libc.msgget(key, 0o1666)
    if found:
        libc.shmctl(segment, 0, None)
        libc.msgctl(queue, 0, None)
    return bool(found)


# Those that are a single step.
STEPS: dict[str, Callable[[], object]] = {
    "reads the expected answer": lambda: _opens(where["secret"]),
    "reads it by detours": lambda: _opens(
        *(
            f"/proc/{way}{where['secret']}"
            for way in ("self/root", "1/root", f"{os.getppid()}/root")
        ),
        f"/proc/self/cwd{'/..' * 9}{where['secret']}",
    ),
    "reads the grader's home": lambda: {*os.listdir(where["home"])} >= {*where["home_names"]},
    "writes outside its folder": lambda: open(where["open_folder"] + "/written", "w").close(),
    "changes modes of other files": lambda: os.chmod(where["secret"], 0o666),
    "connects by TCP": lambda: socket.create_connection(("127.0.0.1", where["tcp"]), timeout=5),
    # Whether it arrives is seen outside.
    "sends by UDP": lambda: (
        not socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(
            b"hello", ("127.0.0.1", where["udp"])
        )
    ),
    "connects to abstract sockets": lambda: (
        socket.socket(socket.AF_UNIX).connect_ex("\0" + where["token"]) == 0
    ),
    "sees other processes": lambda: _opens(f"/proc/{where['victim']}/cmdline"),
    # PTRACE_SEIZE, which does not stop anybody
    "traces other processes": lambda: _calls(
        *((101, 117, 0x4206, each, None, None) for each in (where["victim"], 1))
    ),
    # The first process of a sandbox reports how we have ended.
    "writes to memory of others": lambda: _opens(
        *(f"/proc/{each}/mem" for each in (1, os.getppid(), where["victim"])), flags=os.O_RDWR
    ),
    "memory without a main thread": lambda: _without_main_thread(memory_in_shared_pages),
    "memory in socket buffers": lambda: _fill_buffers(
        lambda: tuple(each.detach() for each in socket.socketpair())
    ),
    "memory in pipe buffers": lambda: _fill_buffers(os.pipe),
    "memory in TCP buffers": lambda: _fill_buffers(_make_tcp_pair),
    "memory in nameless files": lambda: _fill_buffers(
        lambda: (os.open(os.environ["TMPDIR"], os.O_TMPFILE | os.O_WRONLY),)
    ),
    "fills the disk with deleted files": lambda: _fill_buffers(_make_deleted_file),
    "time in many processes": lambda: _in_children(2, takes_too_much_time),
    "time without a main thread": lambda: _without_main_thread(takes_too_much_time),
    "makes its output a link": lambda: os.symlink(where["secret"], sys.argv[2]),
    "makes its output a pipe": lambda: os.mkfifo(sys.argv[2]),
    "links its output to the input": lambda: os.link(sys.argv[1], sys.argv[2]),
}


if __name__ == "__main__":
    with open("where.json") as opened:
        where.update(json.load(opened))
    try:
        function = where["attack"].lower().replace(" ", "_")
        sys.exit(SUCCEEDED if (STEPS.get(where["attack"]) or globals()[function])() else 0)
    except OSError:
        sys.exit(0)  # it was stopped
