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
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from typing import IO

from grader.grading.records import APPLICATION
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
PLACES = re.compile(r"\{(input|output|submission)\}")  # would be filled in, in a command
DAMAGED = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, LZMAError, struct.error),
    *(EOFError, RuntimeError, ValueError, OverflowError, OSError),
)


@dataclass(frozen=True)
class Member:
    """A file in a folder or an archive, or a folder, if the path ends with a slash.  `read` takes
    the number of bytes to read at most, and gives one more if there are more; None is left out."""

    path: str
    read: Callable[[int], tuple[bytes | None, int]]


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
        longest = max(len(os.fsencode(part)) for part in parts)
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
            raise UserError(
                f"{self.source}: more than {MOST_FILES} files or {MOST_BYTES >> 20} MB. "
                "Put the program into a folder of its own."
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


def decode_path(path: str) -> str:
    """A path as text: names that are not UTF-8 are read as Latin-1, and no place of a command is
    in it."""
    text = os.fsencode(path)
    try:
        path = text.decode()
    except UnicodeDecodeError:
        path = text.decode("latin-1")
    return PLACES.sub(r"(\1)", path)


def pack_folder(
    root: Path, leave_out: Collection[Path] = (), only: Iterable[str] = ()
) -> tuple[File, ...]:
    """The files below a folder, or below some of its entries, without links that lead out."""
    archive = SubmissionArchive(str(root))
    secret = resolve_all(leave_out)
    for start in [root / name for name in only] or [root]:
        for member in folder_members(root, start, secret):
            archive.add(member.path, member)
    return archive.packed()


def resolve_all(paths: Iterable[Path]) -> frozenset[Path]:
    return frozenset(path.resolve() for path in paths)


def folder_members(
    root: Path, start: Path, secret: frozenset[Path], refuse_links: bool = False
) -> Iterator[Member]:
    """What is below a folder or is that file, with paths below `root`.

    Links to files inside the root are read.  Others are left out, or refused if they lead out
    of it.  `secret` are files and folders that must not be packed, such as expected answers.
    """

    def read(path: Path, most: int) -> tuple[bytes | None, int]:
        real = _inside(path, root, refuse_links)
        if real is None or not secret.isdisjoint((real, *real.parents)):
            return None, 0
        content, mode = read_regular(real, most)
        if content and content.startswith(SQLITE) and content[68:72] == OURS:
            return None, 0  # a journal knows every answer
        return content, mode

    for path in _files_below(start) if start.is_dir() else [start]:
        yield Member(decode_path(path.relative_to(root).as_posix()), partial(read, path))


def _files_below(start: Path) -> Iterator[Path]:
    """Everything except folders; links to folders are included."""
    for folder, inner, names in os.walk(start, onerror=_refuse_unreadable):
        here = Path(folder)
        if len(here.relative_to(start).parts) > MOST_FOLDERS:
            raise UserError(f"a path is too deep: {decode_path(str(here))[:60]}…")
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
        raise UserError(f"{decode_path(str(path.relative_to(root)))} is a link that leads {fault}")
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
        raise UserError(f"{decode_path(path.name)}: {error.strerror}") from None
    with open(handle, "rb") as file:
        return file.read(most + 1), os.fstat(handle).st_mode


def class_members(source: Path, leave_out: Collection[Path] = ()) -> Iterator[Member]:
    """Everything in the folder or archive of a class."""
    if source.is_dir() or not is_archive(source.name):
        yield from _class_folder(source, resolve_all(leave_out))
        return
    with explain_damage(str(source), FileError), open(source, "rb") as file:
        yield from archive_members(source.name, file)


def _class_folder(source: Path, secret: frozenset[Path]) -> Iterator[Member]:
    """What cannot be read stays with the entry it is in."""
    try:
        entries = sorted(path for path in source.iterdir() if not is_left_out(path.name))
    except OSError as error:
        raise FileError(f"{source}: {error.strerror}") from None
    for entry in entries:
        name = decode_path(entry.name)
        if entry.is_symlink():
            refuse = partial(_refuse, "it is a link, and links are not followed")
            yield Member(f"{name}/{name}", refuse)
        elif not entry.is_dir():
            yield Member(name, partial(_read_alone, entry))
        else:
            yield Member(f"{name}/", partial(_refuse, "it is a folder"))
            try:
                for member in folder_members(entry, entry, secret, refuse_links=True):
                    yield replace(member, path=f"{name}/{member.path}")
            except UserError as error:
                yield Member(f"{name}/{name}", partial(_refuse, str(error)))


def _refuse(fault: str, _most: int) -> tuple[bytes | None, int]:
    raise UserError(fault)


def _read_alone(path: Path, most: int) -> tuple[bytes | None, int]:
    content, mode = read_regular(path, most)
    return (content, mode) if content is not None else _refuse("it is not a regular file", most)


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
            for place, member in enumerate(archive_members(each.path, _open_nested(each))):
                if place > 2 * MOST_FILES:
                    raise UserError(f"{each.path}: more than {MOST_FILES} files")
                inner.add(member.path, member)
        for file in strip_folders(inner.packed()):
            if file.path not in whole.files:
                whole.put(file)
    return whole.packed()


def _open_nested(file: File) -> BytesIO:
    """An archive that a student has made, ready to be listed: with a bound on what that takes."""
    if is_archive(file.path, (".zip",)):
        if file.content.count(ZIP_ENTRY) > 2 * MOST_FILES:
            raise UserError(f"{file.path}: more than {MOST_FILES} files")
        return BytesIO(file.content)
    content = file.content
    if not file.path.lower().endswith(".tar"):
        with gzip.open(BytesIO(content)) as unzipped:
            content = unzipped.read(2 * MOST_BYTES + 1)
    if len(content) > 2 * MOST_BYTES:
        raise UserError(f"{file.path}: more than {MOST_BYTES >> 20} MB")
    return BytesIO(content)


@contextmanager
def explain_damage(name: str, kind: type[UserError]) -> Iterator[None]:
    try:
        yield
    except DAMAGED as error:
        reason = getattr(error, "strerror", None) or error
        raise kind(f"{name}: cannot be unpacked: {reason}") from None


def archive_members(name: str, file: IO[bytes]) -> Iterator[Member]:
    """What is in an archive.  Damage is found while listing and while reading."""
    if is_archive(name, (".zip",)):
        with zipfile.ZipFile(file) as zipped:
            for entry in zipped.infolist():
                yield Member(_zip_path(entry), partial(_read_zipped, zipped, entry))
        return
    with tarfile.open(fileobj=file) as tarred:
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


def _read_zipped(
    zipped: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int
) -> tuple[bytes | None, int]:
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise UserError(f"{_zip_path(entry)} in the archive is a link or a device")
    with zipped.open(entry) as file:
        return file.read(most + 1), mode


def _read_tarred(
    tarred: tarfile.TarFile, entry: tarfile.TarInfo, most: int
) -> tuple[bytes | None, int]:
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
