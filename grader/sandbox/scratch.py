"""Files of runs: unpacked submissions, the folder of the present run, and reading safely what a
run has left there."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable

from grader.sandbox.job import File, RunLimits

PRINTED_BYTES = 64 << 10  # of standard output and standard error
UNREADABLE = "the output is a file that cannot be read"
KINDS = (
    (stat.S_ISLNK, "a symbolic link, not a file"),
    (stat.S_ISFIFO, "a pipe, not a file"),
    (stat.S_ISDIR, "a folder, not a file"),
    (stat.S_ISSOCK, "a socket, not a file"),
    (stat.S_ISREG, "a second name of another file"),
)
COMPILE_LIMITS = RunLimits(cpu_s=20, wall_s=60, output_bytes=16 << 20)
COMPILE = (
    *("-I", "-S", "-X", "pycache_prefix={output}"),
    *("-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "{submission}"),
)


class BadName(Exception):
    """A path that leads out of its folder, or two files for one path."""


class Scratch:
    """The folder of a warden.  `owner` is the user and group of its runs, or None if that is our
    own."""

    def __init__(self, folder: str, owner: int | None) -> None:
        self.folder = folder
        self._owner = owner
        self._run = f"{folder}/run"
        self._submissions: dict[str, tuple[str, tuple[File, ...]]] = {}
        self._count = 0

    def keep(self, submission: str, files: tuple[File, ...]) -> None:
        self.forget(submission)
        self._restore()
        self._count += 1
        folder = f"{self.folder}/submission-{self._count}"
        os.mkdir(folder, 0o755)
        try:
            unpack(files, folder)
        except BaseException:
            remove_tree(folder)
            raise
        self._submissions[submission] = folder, files

    def add(self, submission: str, files: tuple[File, ...]) -> None:
        """More files for a submission that is kept already."""
        folder, known = self._submissions[submission]
        self._submissions[submission] = folder, known + files
        unpack(files, folder)

    def kept(self, submission: str) -> str:
        """A folder that runs may see but never change."""
        return self._submissions[submission][0]

    def copy(self, submission: str, run: str) -> str:
        """A copy for one run, which may change it.  It is made from memory, because a run with
        our own rights can change the modes of what is kept."""
        folder = f"{run}/submission"
        os.mkdir(folder, 0o755)
        unpack(self._submissions[submission][1], folder)
        for path, _, names in os.walk(folder):
            for name in ("", *names):
                self.give(os.path.join(path, name))
        return folder

    def forget(self, submission: str) -> None:
        known = self._submissions.pop(submission, None)
        if known is not None:
            with contextlib.suppress(OSError):  # a run may have done that before us
                remove_tree(known[0])

    def _restore(self) -> None:
        """Make the folder usable whatever the last run has done, if it had our own rights."""
        os.makedirs(self.folder, 0o711, exist_ok=True)
        os.chmod(self.folder, 0o711)

    def new_run(self) -> str:
        """A folder with `input`, `output`, `tmp` and `root`, where a sandbox builds its tree."""
        self._restore()
        self.clear()
        os.mkdir(self._run, 0o711)
        for name in ("input", "root"):
            os.mkdir(f"{self._run}/{name}", 0o755)
        for name in ("output", "tmp"):
            os.mkdir(f"{self._run}/{name}", 0o700)
            self.give(f"{self._run}/{name}")
        return self._run

    def clear(self) -> None:
        """Remove what the last run has left, or at least move it out of the way of the next."""
        if not os.path.lexists(self._run):
            return
        try:
            remove_tree(self._run)
        except OSError:
            self._count += 1
            os.rename(self._run, f"{self.folder}/left-{self._count}")

    def give(self, path: str) -> None:
        """Let the run's user own a file."""
        if self._owner is not None:
            os.chown(path, self._owner, self._owner)


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


def read_answer(folder: int, name: str, largest: int) -> tuple[bytes | None, str, bool]:
    """The content of the output file, or why there is none, and whether it is too large.

    `folder` is a descriptor from before the run: a path could have been replaced.  No process
    may be using it any more.
    """
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
            kind = next((words for test, words in KINDS if test(facts.st_mode)), "not a file")
            return None, f"the output is {kind}", False
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


def collect_bytecode(files: tuple[File, ...], output: int, tree: str) -> list[File]:
    """The modules of a Python submission as `COMPILE` has compiled them in a sandbox, where no
    source is trusted either: files to be put beside their sources.  `output` is a descriptor,
    `tree` the folder in it."""
    present = {file.path for file in files}
    collected: list[File] = []
    for parent in sorted({os.path.dirname(path) for path in present if path.endswith(".py")}):
        if os.path.join(parent, "__pycache__") in present:  # a file of that name
            continue
        folder = f"{tree}/{parent}".rstrip("/")
        for name in _list_bytecode(output, folder):
            path = os.path.join(parent, "__pycache__", name)
            content, _, _ = read_answer(output, f"{folder}/{name}", COMPILE_LIMITS.output_bytes)
            if content is not None and path not in present:
                collected.append(File(path, content))
    return collected


def _list_bytecode(output: int, folder: str) -> list[str]:
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY, dir_fd=output)
    except OSError:
        return []
    try:
        return [name for name in os.listdir(descriptor) if name.endswith(".pyc")]
    finally:
        os.close(descriptor)
