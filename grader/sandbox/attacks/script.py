"""All attacks, run in a sandbox as a submission: a script that imports nothing of ours.

`where.json` names the attack and what an attacker would have to find out.  An attack exits with
66 if it succeeded, with 0 if it was stopped, and otherwise as a limit should end it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:  # few imports, and those late: the script is started very often
    from collections.abc import Callable
    from typing import Any

SUCCEEDED = 66
MEGABYTE = 1 << 20
PTRACE_SEIZE = 0x4206  # unlike an attachment this does not stop anybody

where: dict[str, Any] = {}


# It reaches for what it must not have.


def reads_expected() -> bool:
    with open(where["secret"]) as file:
        return bool(file.read())


def reads_home() -> bool:
    return set(os.listdir(where["home"])) >= set(where["home_names"])


def reads_environment() -> bool:
    names = [str(where["victim"])]
    with contextlib.suppress(OSError):
        names = os.listdir("/proc")
    seen = b""
    for name in names:
        with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
            seen += file.read()
    return where["token"].encode() in seen


def writes_outside() -> None:
    open(where["open_folder"] + "/written", "w").close()


def changes_modes() -> None:
    os.chmod(where["secret"], 0o666)


def connects_by_tcp() -> bool:
    import socket

    socket.create_connection(("127.0.0.1", where["tcp"]), timeout=5)
    return True


def sends_by_udp() -> None:
    import socket

    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hello", ("127.0.0.1", where["udp"]))


def connects_to_abstract_sockets() -> bool:
    import socket

    socket.socket(socket.AF_UNIX).connect("\0" + where["token"])
    return True


def sees_processes() -> bool:
    with open(f"/proc/{where['victim']}/cmdline") as file:
        return bool(file.read())


def traces_processes() -> bool:
    import ctypes

    trace = ctypes.CDLL(None).ptrace
    trace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    return any(trace(PTRACE_SEIZE, each, None, None) == 0 for each in (where["victim"], 1))


def kills_processes() -> None:
    os.kill(where["victim"], signal.SIGKILL)
    time.sleep(1)  # until it is gone, also on a busy machine


def keeps_rights() -> bool:
    with open("/proc/self/status") as file:
        status = dict(line.split(":\t", 1) for line in file if ":\t" in line)
    rights = int(status["CapEff"], 16) | int(status["CapPrm"], 16)
    return bool(rights) or not int(status["NoNewPrivs"]) or os.getuid() == 0


def finds_descriptors() -> bool:
    own = os.open(".", os.O_RDONLY)
    return bool(set(map(int, os.listdir("/proc/self/fd"))) - {0, 1, 2, own, own + 1})


# It takes more than it may.


def forks() -> bool:
    count = 0
    with contextlib.suppress(OSError):
        while count < where["children"]:
            if os.fork() == 0:
                time.sleep(4 * where["seconds"])
                os._exit(0)
            count += 1
    if count <= where["processes"]:
        return False
    time.sleep(where["seconds"])  # long enough to be noticed
    return True


def forks_for_ever() -> None:
    while True:
        with contextlib.suppress(OSError):
            os.fork()


def takes_memory() -> bool:
    taken: list[bytearray] = []
    while len(taken) < 64:
        taken.append(bytearray(b"x") * (16 * MEGABYTE))
    return True


def _in_children(number: int, act: Callable[[], object]) -> bool:
    for _ in range(number):
        if os.fork() == 0:
            act()
            os._exit(0)
    for _ in range(number):
        os.wait()
    return True


def takes_memory_together() -> bool:
    def take() -> None:
        taken = bytearray(b"x") * (where["memory_mb"] * 2 // 3 * MEGABYTE)
        time.sleep(where["seconds"] if taken else 0)

    return _in_children(4, take)


def takes_system_v_memory() -> bool:
    import ctypes

    libc = ctypes.CDLL(None)
    segment = libc.shmget(0, 16 * MEGABYTE, 0o1600)
    if segment >= 0:
        libc.shmctl(segment, 0, None)
        return True
    os.close(os.memfd_create("memory"))
    return True


def takes_shared_pages() -> bool:
    import mmap

    size = 8 * where["memory_mb"] * MEGABYTE
    shared = mmap.mmap(-1, size)
    for at in range(0, size, 4096):
        shared[at] = 1
    return True


def drops_shared_pages() -> bool:
    import mmap

    time.sleep(0.2)
    held = [mmap.mmap(-1, MEGABYTE) for _ in range(3 * where["memory_mb"])]
    for each in held:
        each.write(bytes(MEGABYTE))
        each.madvise(mmap.MADV_DONTNEED)
    time.sleep(where["seconds"])
    return True


def _use_time(seconds: float) -> None:
    while time.process_time() < seconds:
        pass


def takes_time() -> bool:
    _use_time(where["seconds"])
    return True


def takes_time_together() -> bool:
    return _in_children(2, takes_time)


def takes_time_unwaited() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        if os.fork() == 0:
            _use_time(0.2)
            os._exit(0)
        time.sleep(0.2)


def takes_time_in_orphans() -> None:
    while True:
        if os.fork() == 0:
            if os.fork() == 0:
                _use_time(0.02)
            os._exit(0)
        os.wait()
        time.sleep(0.02)


def sleeps() -> bool:
    for number in range(1, signal.NSIG):
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    time.sleep(4 * where["seconds"])
    return True


def floods_stdout() -> bool:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    while os.fstat(1).st_size < 3 * where["output_bytes"]:
        os.write(1, b"x" * 10000)
    return True


def floods_output() -> bool:
    with open(sys.argv[2], "wb", buffering=0) as file:
        while file.tell() < 3 * where["output_bytes"]:
            file.write(b"x" * 10000)
    return True


def _write_block(path: str) -> None:
    with open(path, "wb") as file:
        file.write(b"x" * where["output_bytes"])
    time.sleep(0.0005)


def fills_temporary_folder() -> bool:
    for number in range(2000):
        _write_block(f"{os.environ['TMPDIR']}/{number}")
    return True


def fills_folders() -> bool:
    folder = os.path.dirname(sys.argv[2])
    for number in range(2000):
        if number % 50 == 0:
            folder += "/deeper"
            os.mkdir(folder)
        _write_block(f"{folder}/{number}")
    return True


def fills_deleted_files() -> bool:
    def fill() -> None:
        held = []
        for _ in range(100):
            path = f"{os.path.dirname(sys.argv[2])}/{os.getpid()}"
            held.append(open(path, "wb", buffering=0))  # noqa: SIM115
            os.unlink(path)
            held[-1].write(b"x" * where["output_bytes"])
        time.sleep(where["seconds"])

    return _in_children(12, fill)


# It leaves something behind.


def leaves_daemon() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            time.sleep(120)
        os._exit(0)
    os.wait()


def closes_output() -> None:
    with open(sys.argv[2], "w") as file:
        file.write("answer")
    os.chmod(sys.argv[2], 0)
    os.chmod(os.path.dirname(sys.argv[2]), 0)


def links_output() -> None:
    os.symlink(where["secret"], sys.argv[2])


def pipes_output() -> None:
    os.mkfifo(sys.argv[2])


def deletes_itself() -> None:
    import shutil

    shutil.rmtree(os.getcwd(), ignore_errors=True)


def leaves_file() -> bool:
    paths = (os.environ["TMPDIR"] + "/note", "/dev/shm/" + where["token"])
    found = any(os.path.exists(path) for path in paths)
    for path in paths:
        with contextlib.suppress(OSError):
            open(path, "w").close()
    return found


def leaves_note_in_kernel() -> bool:
    import ctypes

    libc = ctypes.CDLL(None)
    key = int(where["token"][-7:], 16)
    found = libc.shmget(key, 4096, 0) >= 0 or libc.msgget(key, 0) >= 0
    segment, queue = libc.shmget(key, 4096, 0o1666), libc.msgget(key, 0o1666)
    if found:
        libc.shmctl(segment, 0, None)
        libc.msgctl(queue, 0, None)
    return bool(found)


if __name__ == "__main__":
    with open("where.json") as opened:
        where.update(json.load(opened))
    try:
        sys.exit(SUCCEEDED if globals()[where["attack"]]() else 0)
    except OSError:
        sys.exit(0)  # it was stopped
