"""The folder of a warden: unpacked submissions, and the files of the run that is going on."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass

from grader.sandbox.job import File


class BadName(Exception):
    """A path that leads out of its folder, or two files for one path."""


@dataclass(frozen=True)
class RunFolder:
    """Made anew for every run."""

    folder: str

    @property
    def input(self) -> str:
        return f"{self.folder}/input"

    @property
    def output(self) -> str:
        return f"{self.folder}/output"

    @property
    def temporary(self) -> str:
        return f"{self.folder}/tmp"

    @property
    def root(self) -> str:
        """Where a box with an own root builds it."""
        return f"{self.folder}/root"

    @property
    def stdout(self) -> str:
        return f"{self.folder}/stdout"

    @property
    def stderr(self) -> str:
        return f"{self.folder}/stderr"


class Scratch:
    """`owner` is the user and group of a box, or None if that is our own."""

    def __init__(self, folder: str, owner: int | None) -> None:
        self.folder = folder
        self.owner = owner
        self._run = f"{folder}/run"
        self._submissions: dict[str, tuple[str, tuple[File, ...]]] = {}
        self._count = 0

    def keep(self, submission: str, files: tuple[File, ...]) -> None:
        self.forget(submission)
        self._be_there()
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
        """A folder that boxes may see but never touch."""
        return self._submissions[submission][0]

    def copy(self, submission: str, run: RunFolder) -> str:
        """A copy for one run, which may do to it what it likes.  It is made from memory, for
        where such a run has our own rights it can change the modes of what is kept."""
        folder = f"{run.folder}/submission"
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

    def _be_there(self) -> None:
        """Whatever the last run has done, if it had our own rights."""
        os.makedirs(self.folder, 0o711, exist_ok=True)
        os.chmod(self.folder, 0o711)

    def new_run(self) -> RunFolder:
        self._be_there()
        self.clear()
        run = RunFolder(self._run)
        os.mkdir(run.folder, 0o711)
        os.mkdir(run.input, 0o755)
        os.mkdir(run.root, 0o755)
        for folder in (run.output, run.temporary):
            os.mkdir(folder, 0o700)
            self.give(folder)
        return run

    def clear(self) -> None:
        """Remove what the last run has left; what cannot be removed is no trouble of the next."""
        if not os.path.lexists(self._run):
            return
        try:
            remove_tree(self._run)
        except OSError:
            self._count += 1
            os.rename(self._run, f"{self.folder}/left-{self._count}")

    def give(self, path: str) -> None:
        """Let the box own a file."""
        if self.owner is not None:
            os.chown(path, self.owner, self.owner)

    def remove(self) -> None:
        remove_tree(self.folder)


def unpack(files: tuple[File, ...], folder: str) -> None:
    """Write files below a folder, and nowhere else."""
    made = {folder}
    for file in files:
        parts = file.path.split("/")
        if not all(parts) or "." in parts or ".." in parts or "\0" in file.path:
            raise BadName(f"{file.path!r} is no path below a submission's folder")
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
    """Remove a folder, however deep, whatever its modes; nobody may be at work in it.

    Folders inside are first moved beside it, so that no path becomes too long.
    """
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
