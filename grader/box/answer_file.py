"""Reading what a submission has left behind, which may be anything but a file."""

from __future__ import annotations

import os
import stat

KEPT_WORDS = 64 << 10  # of standard output and standard error


def read_answer(folder: int, name: str, largest: int) -> tuple[bytes | None, str, bool]:
    """The output file's content, or why there is none, and whether it is larger than it may be.

    `folder` is a descriptor from before the run: a path could have been replaced.
    """
    try:
        descriptor = os.open(
            name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder
        )
    except FileNotFoundError:
        return None, "", False
    except OSError:
        return None, _what_lies_there(folder, name), False
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        os.close(descriptor)
        return None, _what_lies_there(folder, name), False
    with open(descriptor, "rb") as file:
        if found.st_size > largest:
            return None, "", True
        return file.read(largest), "", False


def _what_lies_there(folder: int, name: str) -> str:
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    for test, words in (
        (stat.S_ISLNK, "the output is a symbolic link, not a file"),
        (stat.S_ISFIFO, "the output is a pipe, not a file"),
        (stat.S_ISDIR, "the output is a folder, not a file"),
        (stat.S_ISSOCK, "the output is a socket, not a file"),
    ):
        if test(found.st_mode):
            return words
    if stat.S_ISREG(found.st_mode) and found.st_nlink != 1:
        return "the output is a second name of another file"
    return "the output is a file that cannot be read"


def read_words(descriptor: int, largest: int) -> tuple[bytes, bool]:
    """The beginning of what was printed, and whether it was more than it may be."""
    size = os.fstat(descriptor).st_size
    return os.pread(descriptor, KEPT_WORDS, 0), size > largest
