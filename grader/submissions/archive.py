"""The files of a submission, from a folder or an archive, read without trusting any of it."""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath

from grader.grading.records import APPLICATION
from grader.sandbox.job import File
from solver.errors import UserError

MOST_FILES = 2_000
MOST_BYTES = 64 * 1024 * 1024
SQLITE = b"SQLite format 3\0"
OURS = APPLICATION.to_bytes(4, "big")  # where SQLite keeps the kind of file
LEFT_OUT = ("__pycache__", "__MACOSX", "node_modules")


class SubmissionArchive:
    """The files so far, and how many and how large they may become."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.files: dict[str, File] = {}
        self.bytes_left = MOST_BYTES

    def add(self, path: str, content: bytes, mode: int) -> None:
        self.files[path] = File(path, content, bool(mode & 0o111))
        self.bytes_left -= len(content)
        if len(self.files) > MOST_FILES or self.bytes_left < 0:
            raise UserError(
                f"{self.source}: more than {MOST_FILES} files or {MOST_BYTES >> 20} MB. "
                "Put the program into a folder of its own."
            )

    def packed(self) -> tuple[File, ...]:
        return tuple(self.files[path] for path in sorted(self.files))


def is_left_out(name: str) -> bool:
    return name.startswith(".") or name in LEFT_OUT


def pack_folder(
    root: Path,
    leave_out: Collection[Path] = (),
    only: Iterable[str] = (),
    refuse_links: bool = False,
) -> tuple[File, ...]:
    """The files below a folder, or below some of its entries.

    Links to files inside the folder are read.  Others are left out, or refused if they lead out
    of it.  `leave_out` are files and folders that must not be packed, such as expected answers.
    """
    archive = SubmissionArchive(root)
    secret = {path.resolve() for path in leave_out}
    for start in [root / name for name in only] or [root]:
        for path in _files_below(start) if start.is_dir() else [start]:
            real = _inside(path, root, refuse_links)
            if real is None or not secret.isdisjoint((real, *real.parents)):
                continue
            content, mode = read_regular(real, archive.bytes_left)
            if content is None or (content.startswith(SQLITE) and content[68:72] == OURS):
                continue  # a journal knows every answer
            archive.add(path.relative_to(root).as_posix(), content, mode)
    return archive.packed()


def _files_below(start: Path) -> Iterator[Path]:
    """Everything except folders; links to folders are included."""
    for folder, inner, names in os.walk(start, onerror=_refuse_unreadable):
        here = Path(folder)
        links = [name for name in inner if (here / name).is_symlink()]
        for name in [*sorted(names), *sorted(links)]:
            if not is_left_out(name):
                yield here / name
        inner[:] = sorted(
            name
            for name in inner
            if not is_left_out(name) and not (here / name / "pyvenv.cfg").is_file()
        )


def _refuse_unreadable(error: OSError) -> None:
    raise UserError(f"{error.filename}: {error.strerror}")


def _inside(path: Path, root: Path, refuse_links: bool) -> Path | None:
    """Where a path really leads, if that is below the root."""
    try:
        real = path.resolve(strict=True)
        fault = "" if real.is_relative_to(root.resolve()) else "out of the folder"
    except (OSError, RuntimeError):
        fault = "nowhere"
    if not fault:
        return real
    if refuse_links:
        raise UserError(f"{path.relative_to(root)} is a link that leads {fault}")
    return None


def read_regular(path: Path, most: int = MOST_BYTES) -> tuple[bytes | None, int]:
    """The content of a regular file, one byte more than `most` at most, and its mode.

    Pipes, sockets, devices and links are never opened for reading: None.
    """
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None, 0
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise UserError(f"{path.name}: {error.strerror}") from None
    with open(handle, "rb") as file:
        return file.read(most + 1), os.fstat(handle).st_mode


def unpack_zip(path: Path) -> tuple[File, ...]:
    """The files of an archive; sizes are counted while it is unpacked, whatever it claims."""
    archive = SubmissionArchive(path)
    try:
        with zipfile.ZipFile(path) as zipped:
            entries = zipped.infolist()
            if len(entries) > 2 * MOST_FILES:
                raise UserError(f"{path.name}: more than {MOST_FILES} files")
            for entry in entries:
                _unpack_entry(archive, zipped, entry)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UserError(f"{path.name}: cannot be unpacked: {error}") from None
    except OSError as error:
        raise UserError(f"{path.name}: {error.strerror or error}") from None
    for name in archive.files:
        for parent in PurePosixPath(name).parents:
            if parent.as_posix() in archive.files:
                raise UserError(f"{parent} in the archive is a file and a folder")
    return archive.packed()


def _unpack_entry(
    archive: SubmissionArchive, zipped: zipfile.ZipFile, entry: zipfile.ZipInfo
) -> None:
    name = entry.filename.replace("\\", "/")
    mode = entry.external_attr >> 16
    pure = PurePosixPath(name)
    if pure.is_absolute() or ".." in pure.parts or ":" in name or not pure.parts:
        raise UserError(f"{entry.filename!r} in the archive leads out of it")
    if stat.S_ISLNK(mode):
        raise UserError(f"{name} in the archive is a link")
    if name.endswith("/") or any(is_left_out(part) for part in pure.parts):
        return
    if pure.as_posix() in archive.files:
        raise UserError(f"{name} is twice in the archive")
    with zipped.open(entry) as file:
        archive.add(pure.as_posix(), file.read(archive.bytes_left + 1), mode)


def strip_folders(files: tuple[File, ...]) -> tuple[File, ...]:
    """The files without the folders that all of them are in, as archives often have them."""
    while files and all("/" in file.path for file in files):
        if len({file.path.split("/", 1)[0] for file in files}) > 1:
            break
        files = tuple(
            File(file.path.split("/", 1)[1], file.content, file.executable) for file in files
        )
    return files
