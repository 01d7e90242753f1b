"""Reading what a submission has left behind, which may be anything but a file."""

from __future__ import annotations

import os
import stat

KEPT_WORDS = 64 << 10  # of standard output and standard error
UNREADABLE = "the output is a file that cannot be read"


def read_answer(folder: int, name: str, largest: int) -> tuple[bytes | None, str, bool]:
    """The output file's content, or why there is none, and whether it is larger than it may be.

    `folder` is a descriptor from before the run: a path could have been replaced.  Nobody may
    be at work in it any more.
    """
    try:
        os.fchmod(folder, 0o700)  # whatever the run has made of it
        found = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None, "", False
    except OSError:
        return None, UNREADABLE, False
    try:
        return _content(found, largest)
    except OSError:
        return None, UNREADABLE, False
    finally:
        os.close(found)


def _content(found: int, largest: int) -> tuple[bytes | None, str, bool]:
    facts = os.fstat(found)
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1:
        return None, _what_lies_there(facts), False
    if facts.st_size > largest:
        return None, "", True
    path = f"/proc/self/fd/{found}"
    os.chmod(path, 0o600)
    with open(path, "rb") as file:
        try:
            return file.read(facts.st_size), "", False
        except MemoryError:
            return None, "", True


def _what_lies_there(facts: os.stat_result) -> str:
    for test, words in (
        (stat.S_ISLNK, "the output is a symbolic link, not a file"),
        (stat.S_ISFIFO, "the output is a pipe, not a file"),
        (stat.S_ISDIR, "the output is a folder, not a file"),
        (stat.S_ISSOCK, "the output is a socket, not a file"),
        (stat.S_ISREG, "the output is a second name of another file"),
    ):
        if test(facts.st_mode):
            return words
    return "the output is no file"


def read_words(descriptor: int, largest: int) -> tuple[bytes, bool]:
    """The beginning of what was printed, and whether it was more than it may be."""
    size = os.fstat(descriptor).st_size
    return os.pread(descriptor, KEPT_WORDS, 0), size > largest
