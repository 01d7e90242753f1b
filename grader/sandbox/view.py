"""What a box sees: system folders, the submission, one input, a folder for the output."""

from __future__ import annotations

import functools
import glob
import os
from dataclasses import dataclass

from grader.sandbox.scratch import RunFolder

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
LINKER_CACHE = "/etc/ld.so.cache"
SETTINGS = ("/etc/alternatives", "/etc/localtime", "/etc/ssl/openssl.cnf", "/etc/java-*")
DEVICES = ("null", "zero", "full", "random", "urandom")
DEVICE_LINKS = {
    "/dev/fd": "/proc/self/fd",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2",
}
TEMPORARY_BYTES = 64 << 20

# A solver that is installed beside the grader would be an answer to every puzzle.
INSTALLED_IN = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OURS = (f"{INSTALLED_IN}/solver", f"{INSTALLED_IN}/grader")

PATH = ("/usr/local/bin", "/usr/bin", "/bin")
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",  # the same answer today and tomorrow
    "PYTHONDONTWRITEBYTECODE": "1",
}


@dataclass(frozen=True)
class Bind:
    source: str
    target: str
    writable: bool = False


@dataclass(frozen=True)
class Place:
    """Where the command finds its files, and where they really are."""

    submission: Bind
    input: Bind  # the folder of the input
    output: Bind
    temporary: str
    input_name: str
    output_name: str

    def fill(self, word: str) -> str:
        """A word of the command with its placeholders replaced."""
        for name, path in (
            ("{input}", f"{self.input.target}/{self.input_name}"),
            ("{output}", f"{self.output.target}/{self.output_name}"),
            ("{submission}", self.submission.target),
        ):
            word = word.replace(name, path)
        return word

    def environment(self, program: str) -> dict[str, str]:
        """With the program's own folder first, so that its `python3` is ours."""
        folders = [os.path.dirname(program), *PATH]
        return {
            **ENVIRONMENT,
            "PATH": ":".join(dict.fromkeys(folders)),
            "HOME": self.temporary,
            "TMPDIR": self.temporary,
        }


OUTPUT_NAME = "output.txt"


def moved_place(run: RunFolder, submission: str, input_name: str) -> Place:
    """The short paths of a box with its own root."""
    return Place(
        Bind(submission, "/submission"),
        Bind(run.input, "/input"),
        Bind(run.output, "/output", writable=True),
        "/tmp",
        input_name,
        OUTPUT_NAME,
    )


def real_place(run: RunFolder, submission: str, input_name: str) -> Place:
    """The paths of this machine, for a box without an own root."""
    return Place(
        Bind(submission, submission),
        Bind(run.input, run.input),
        Bind(run.output, run.output, writable=True),
        run.temporary,
        input_name,
        OUTPUT_NAME,
    )


@dataclass(frozen=True)
class View:
    """A file tree: folders shown in it, symbolic links as (target, name), and folders below the
    shown ones that are empty in it, where a box has an own root."""

    binds: tuple[Bind, ...]
    links: tuple[tuple[str, str], ...]
    hidden: tuple[str, ...]
    place: Place


def view_of(place: Place, reads: tuple[str, ...], settings: bool) -> View:
    """`settings`: with files of /etc that Python does well without; each costs time."""
    common, links = _system(settings)
    own = [Bind(path, path) for path in sorted(reads) if not path.startswith("/usr/")]
    hidden = [path for path in OURS if any(path.startswith(f"{bind.source}/") for bind in own)]
    hidden += [path for path in OURS if path.startswith(SYSTEM)]
    binds = (*common, *own, place.submission, place.input, place.output)
    return View(binds, links, tuple(hidden), place)


@functools.cache
def _system(settings: bool) -> tuple[tuple[Bind, ...], tuple[tuple[str, str], ...]]:
    folders = [path for path in SYSTEM if os.path.isdir(path) and not os.path.islink(path)]
    links = [(os.readlink(path), path) for path in SYSTEM if os.path.islink(path)]
    patterns = (LINKER_CACHE, *SETTINGS) if settings else (LINKER_CACHE,)
    found = [path for pattern in patterns for path in sorted(glob.glob(pattern))]
    return tuple(Bind(path, path) for path in (*folders, *found)), tuple(links)
