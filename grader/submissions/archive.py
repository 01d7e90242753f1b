"""The files of a submission, from a folder or an archive, read without trusting any of it."""

from __future__ import annotations

import gzip
import os
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from typing import IO, NoReturn

from grader.grading.records import APPLICATION
from grader.puzzles.find import decode_path
from grader.sandbox.job import File
from solver.errors import FileError, UserError

MOST_FILES = 2_000
MOST_BYTES = 64 * 1024 * 1024
MOST_FOLDERS = 40  # around a file
LONGEST_NAME, LONGEST_PATH = 255, 1_000  # in bytes: what every file system takes
SQLITE = b"SQLite format 3\0"
OURS = APPLICATION.to_bytes(4, "big")  # where SQLite keeps the kind of file
LEFT_OUT = ("__pycache__", "__MACOSX", "node_modules")
ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar")
UNSUPPORTED = (".7z", ".rar", ".tar.bz2", ".tar.xz", ".gz")
ZIP_ENTRY = b"PK\1\2"
UTF8_NAME = 0x800  # the flag of a zip entry
DAMAGED = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, LZMAError, struct.error),
    *(EOFError, RuntimeError, ValueError, OverflowError, OSError),
)
Content = tuple[bytes | None, int]  # of a file, and its mode; None is left out


@dataclass(frozen=True)
class Member:
    """A file in a folder or an archive, or a folder, if the path ends with a slash.  `read` takes
    the number of bytes to read at most, and gives one more if there are more."""

    path: str
    read: Callable[[int], Content]


class SubmissionArchive:
    """The files so far, and how many and how large they may become."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.files: dict[str, File] = {}
        self.bytes_left = MOST_BYTES

    def add(self, path: str, member: Member) -> None:
        """Add a file under a path that was not checked before."""
        parts = path.split("/")
        if path.endswith("/") or any(is_left_out(part) for part in parts if part != ".."):
            return
        if not all(parts) or ".." in parts or "\0" in path or re.match("[A-Za-z]:", path):
            raise UserError(f"{member.path!r} in the archive leads out of it")
        longest = max(len(part.encode()) for part in parts)
        if len(parts) > MOST_FOLDERS + 1 or longest > LONGEST_NAME or len(path) > LONGEST_PATH:
            raise UserError(f"a path is too long or too deep: {path[:60]}…")
        if path in self.files:
            raise UserError(f"{path} is twice in the archive")
        content, mode = member.read(self.bytes_left)
        if content is not None:
            self.put(File(path, content, bool(mode & 0o111)))

    def put(self, file: File) -> None:
        self.files[file.path] = file
        self.bytes_left -= len(file.content)
        if len(self.files) > MOST_FILES or self.bytes_left < 0:
            self.refuse()

    def refuse(self) -> NoReturn:
        most = f"{MOST_FILES} files or {MOST_BYTES >> 20} MB"
        raise UserError(
            f"{self.source}: more than {most}. Put the program into a folder of its own."
        )

    def packed(self) -> tuple[File, ...]:
        for name in self.files:
            for parent in PurePosixPath(name).parents:
                if parent.as_posix() in self.files:
                    raise UserError(f"{parent} in the archive is a file and a folder")
        return tuple(self.files[path] for path in sorted(self.files))


def is_left_out(name: str) -> bool:
    return name.startswith(".") or name in LEFT_OUT


def is_archive(path: str, endings: tuple[str, ...] = ARCHIVES) -> bool:
    return path.lower().endswith(endings)


def pack_folder(
    root: Path, leave_out: Collection[Path] = (), only: Iterable[str] = ()
) -> tuple[File, ...]:
    """The files below a folder, or below some of its entries, without links that lead out."""
    archive = SubmissionArchive(str(root))
    secret = {path.resolve() for path in leave_out}
    for start in [root / name for name in only] or [root]:
        for member in folder_members(root, start, secret):
            archive.add(member.path, member)
    return archive.packed()


def folder_members(
    root: Path, start: Path, secret: Set[Path], of_class: bool = False
) -> Iterator[Member]:
    """What is below the folder `start` or is that file, with paths below `root`, without `secret`
    files and folders, such as expected answers.  Links that lead out of the root are left out; in a
    class, those that lead out of a student's folder are refused."""
    if of_class and start.is_symlink():
        raise UserError("it is a link, and links are not followed")
    bound = start if of_class else root
    home = bound.resolve()

    def read(path: Path, most: int) -> Content:
        real = Path(os.path.realpath(path))
        inside = real.is_relative_to(home) and os.path.exists(real)
        if of_class and not inside:
            name = decode_path(str(path.relative_to(bound)))
            raise UserError(f"{name} is a link that leads nowhere or out of the folder")
        if not inside or not secret.isdisjoint((real, *real.parents)):
            return None, 0
        content, mode = read_regular(real, most)
        if content and content.startswith(SQLITE) and content[68:72] == OURS:
            return None, 0  # a journal knows every answer
        return content, mode

    try:
        for path in _files_below(start) if start.is_dir() else [start]:
            yield Member(decode_path(path.relative_to(root).as_posix()), partial(read, path))
    except OSError as error:
        raise UserError(f"{error.filename}: {error.strerror}") from None


def _files_below(folder: Path, depth: int = 0) -> Iterator[Path]:
    """Everything except folders; links to folders are included."""
    if depth > MOST_FOLDERS:
        raise UserError(f"a path is too deep: {decode_path(str(folder))[:60]}…")
    for path in sorted(folder.iterdir()):
        if is_left_out(path.name):
            continue
        if path.is_symlink() or not path.is_dir():
            yield path
        elif not (path / "pyvenv.cfg").is_file():
            yield from _files_below(path, depth + 1)


def read_regular(path: Path, most: int) -> Content:
    """The content of a regular file, one byte more than `most` at most, and its mode.  Anything
    else is never opened for reading: None."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None, 0
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise UserError(f"{decode_path(path.name)}: {error.strerror}") from None
    with open(handle, "rb") as file:
        return file.read(most + 1), os.fstat(handle).st_mode


@contextmanager
def open_class(source: Path, leave_out: Collection[Path] = ()) -> Iterator[list[Member]]:
    """Everything in the folder or archive of a class, to be read while it is open."""
    with explain_damage(str(source), FileError):
        if source.is_dir() or not is_archive(source.name):
            yield list(_class_folder(source, leave_out))
        else:
            with open(source, "rb") as file, open_archive(source.name, file) as members:
                yield list(members)


def _class_folder(source: Path, leave_out: Collection[Path]) -> Iterator[Member]:
    """What cannot be read stays with the entry it is in."""
    secret = {path.resolve() for path in leave_out}
    for entry in sorted(source.iterdir()):
        name = decode_path(entry.name)
        if is_left_out(name):
            continue
        if entry.is_dir():
            yield Member(f"{name}/", partial(_refuse, "it is a folder"))
        try:
            yield from folder_members(source, entry, secret, of_class=True)
        except UserError as error:
            yield Member(f"{name}/{name}", partial(_refuse, str(error)))


def _refuse(fault: str, _most: int) -> NoReturn:
    raise UserError(fault)


def unpack_archives(files: tuple[File, ...]) -> tuple[File, ...]:
    """The files with those of the archives beside them, which are limited like any others.  A file
    that is there already is kept.  Sizes are counted while unpacking, whatever archives claim."""
    archives = [file for file in files if is_archive(file.path) and "/" not in file.path]
    whole = SubmissionArchive(archives[0].path)
    for file in files:
        if file not in archives:
            whole.put(file)
    for each in archives:
        inner = SubmissionArchive(each.path)
        inner.bytes_left = whole.bytes_left
        with explain_damage(each.path, UserError):
            content = each.content
            if is_archive(each.path, (".gz", ".tgz")):
                with gzip.open(BytesIO(content)) as unzipped:
                    content = unzipped.read(2 * MOST_BYTES + 1)
            # What takes too long to list is refused before.
            if len(content) > 2 * MOST_BYTES or content.count(ZIP_ENTRY) > 2 * MOST_FILES:
                inner.refuse()
            with open_archive(each.path, BytesIO(content)) as members:
                for place, member in enumerate(members):
                    if place > 2 * MOST_FILES:
                        inner.refuse()
                    inner.add(member.path, member)
        for file in strip_folders(inner.packed()):
            if file.path not in whole.files:
                whole.put(file)
    return whole.packed()


@contextmanager
def explain_damage(name: str, kind: type[UserError]) -> Iterator[None]:
    try:
        yield
    except DAMAGED as error:
        reason = getattr(error, "strerror", None) or error
        raise kind(f"{name}: cannot be read: {reason}") from None


@contextmanager
def open_archive(name: str, file: IO[bytes]) -> Iterator[Iterable[Member]]:
    """What is in an archive.  Damage is found while listing and while reading."""
    if is_archive(name, (".zip",)):
        with zipfile.ZipFile(file) as zipped:
            entries = zipped.infolist()
            yield (Member(_zip_path(each), partial(_read_zipped, zipped, each)) for each in entries)
    else:
        with tarfile.open(fileobj=file) as tarred:
            yield _tar_members(tarred)


def _tar_members(tarred: tarfile.TarFile) -> Iterator[Member]:
    for each in tarred:
        path = _clean(f"{each.name}/" if each.isdir() else each.name)
        yield Member(path, partial(_read_tarred, tarred, each))
    # A damaged header looks like the end of the archive.
    if tarred.fileobj is not None:
        tarred.fileobj.seek(tarred.offset)
        if tarred.fileobj.read(tarfile.BLOCKSIZE).strip(b"\0"):
            raise tarfile.ReadError("a header is damaged")


def _zip_path(entry: zipfile.ZipInfo) -> str:
    """Many programs write UTF-8 without saying so."""
    name = entry.filename
    if not entry.flag_bits & UTF8_NAME:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode()
    return _clean(name.replace("\\", "/"))


def _clean(name: str) -> str:
    """Without `.` and double slashes; a folder ends with a slash."""
    return PurePosixPath(decode_path(name)).as_posix() + "/" * name.endswith("/")


def _read_zipped(zipped: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> Content:
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise UserError(f"{_zip_path(entry)} in the archive is a link or a device")
    with zipped.open(entry) as file:
        return file.read(most + 1), mode


def _read_tarred(tarred: tarfile.TarFile, entry: tarfile.TarInfo, most: int) -> Content:
    file = tarred.extractfile(entry) if entry.isreg() else None
    if file is None:
        raise UserError(f"{decode_path(entry.name)} in the archive is a link or a device")
    content = file.read(most + 1)
    if len(content) < min(entry.size, most + 1):
        raise EOFError("it ends too early")
    return content, entry.mode


def strip_folders(files: tuple[File, ...]) -> tuple[File, ...]:
    """The files without the folders that all of them are in, as archives often have them."""
    while files and all("/" in file.path for file in files):
        if len({file.path.split("/", 1)[0] for file in files}) > 1:
            break
        files = tuple(replace(file, path=file.path.split("/", 1)[1]) for file in files)
    return files
