"""Files of a run: its folder, and reading safely what it has left there."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator

from grader.sandbox.job import File

PRINTED_BYTES = 64 << 10  # of standard output and standard error
UNREADABLE = "the output is a file that cannot be read"
NOT_A_FILE = "the output is a link, a folder or a pipe, not a file"
LEAST_ROOM, LEAST_FILES = 1 << 20, 100  # less is a full file system
SHORT_OF = (errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE)
FOLDERS = {"submission": 0o755, "input": 0o755, "empty": 0o755, "output": 0o700, "tmp": 0o700}


class BadName(Exception):
    """A path that leads out of its folder, or two files for one path."""


@contextlib.contextmanager
def open_folder(folder: str) -> Iterator[str]:
    """A new folder for one run below that of a warden, whatever the last run has done to it if it
    had our own rights."""
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o711)
    run = tempfile.mkdtemp(prefix="run-", dir=folder)
    os.chmod(run, 0o711)
    try:
        yield run
    finally:
        with contextlib.suppress(OSError):  # otherwise it goes with the warden
            os.chmod(folder, 0o711)
            remove_tree(run)


def lay_out(run: str, files: Iterable[File], owner: int | None) -> None:
    """What a run finds in its folder: `submission`, `output` and `tmp`, which it may change,
    `stdout`, `stderr`, `input`, and `empty`, to be shown in place of others.  `owner` is the user
    and group of the run, or None if that is our own."""
    for name, mode in FOLDERS.items():
        os.mkdir(f"{run}/{name}", mode)
    for name in ("stdout", "stderr"):
        os.close(os.open(f"{run}/{name}", os.O_CREAT | os.O_EXCL, 0o600))
    unpack(files, f"{run}/submission")
    if owner is not None:
        for name in ("output", "tmp", "stdout", "stderr"):
            os.chown(f"{run}/{name}", owner, owner)
        for path, _, names in os.walk(f"{run}/submission"):
            for name in ("", *names):
                os.chown(os.path.join(path, name), owner, owner)


def unpack(files: Iterable[File], folder: str) -> None:
    """Write files below a folder, and nowhere else."""
    made = {folder}
    for file in files:
        parts = file.path.split("/")
        if not all(parts) or "." in parts or ".." in parts or "\0" in file.path:
            raise BadName(f"{file.path!r} is not a path below a submission's folder")
        path = os.path.join(folder, *parts)
        try:
            if os.path.dirname(path) not in made:
                os.makedirs(os.path.dirname(path), 0o755, exist_ok=True)
                made.add(os.path.dirname(path))
            mode = 0o755 if file.executable else 0o644
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except (FileExistsError, NotADirectoryError):
            raise BadName(f"{file.path!r} is there twice") from None
        with open(descriptor, "wb") as target:
            target.write(file.content)


def remove_tree(folder: str) -> None:
    """Remove a folder, however deep, whatever its modes; no process may be using it.  Folders
    inside are first moved beside it, so that no path becomes too long."""
    waiting = [folder]
    count = 0
    while waiting:
        current = waiting.pop()
        os.chmod(current, 0o700)
        with os.scandir(current) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    os.chmod(entry.path, 0o700)
                    count += 1
                    waiting.append(f"{folder}.{count}.gone")
                    os.rename(entry.path, waiting[-1])
                else:
                    os.unlink(entry.path)
        os.rmdir(current)


def is_shortage(error: Exception) -> bool:
    """Whether this machine has too little of something.  Of errors in other processes we have only
    the words."""
    if isinstance(error, OSError) and error.errno:
        return error.errno in SHORT_OF
    return any(os.strerror(number) in str(error) for number in SHORT_OF)


def find_shortage(folder: str) -> str:
    """Why a run may have been unable to write to its folder, if there is no room, in words.  No
    run can remove the folder in which those of the wardens are."""
    above = os.path.dirname(os.path.dirname(folder))
    found = os.statvfs(above)
    few = found.f_files and found.f_favail < LEAST_FILES
    if found.f_bavail * found.f_frsize >= LEAST_ROOM and not few:
        return ""
    return f"there is no room left on the file system of {above}"


def read_answer(folder: int, name: str, largest: int) -> tuple[bytes | None, str, bool]:
    """The content of the output file, or why there is none, and whether it is too large.  `folder`
    is a descriptor from before the run: a path could have been replaced."""
    try:
        os.fchmod(folder, 0o700)  # whatever the run has made of it
        found = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None, "", False
    except OSError:
        return None, UNREADABLE, False
    try:
        facts = os.fstat(found)
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1:
            return None, NOT_A_FILE, False
        if facts.st_size > largest:
            return None, "", True
        path = f"/proc/self/fd/{found}"
        os.chmod(path, 0o600)
        with open(path, "rb") as file:
            return file.read(facts.st_size), "", False
    except MemoryError:
        return None, "", True
    except OSError:
        return None, UNREADABLE, False
    finally:
        os.close(found)


def read_printed(descriptor: int, largest: int) -> tuple[bytes, bool]:
    """The beginning of what was printed, and whether it was too much."""
    size = os.fstat(descriptor).st_size
    return os.pread(descriptor, PRINTED_BYTES, 0), size > largest
