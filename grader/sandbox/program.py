"""Finding the program that a command names, and the folders without which it cannot run."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from dataclasses import dataclass

SYSTEM = ("/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/")
PYTHON = re.compile(r"(python|pypy)[\d.]*")
FIRST_LINE = re.compile(rb"#!\s*(/\S+)")
LONGEST_LINE = 256  # bytes of it that Linux reads
WHERE = "import sys; print(sys.executable, sys.prefix, sys.base_prefix, sep='\\n')"
BESIDE_BIN = ("bin", "lib", "lib64", "libexec", "conf", "share")
PATIENCE = 30  # seconds


class NotFound(Exception):
    """There is no such program on this machine."""


@dataclass(frozen=True)
class Program:
    path: str  # may begin with `{submission}`
    reads: tuple[str, ...] = ()
    python: bool = False


def find_program(word: str) -> Program:
    """A bare name means what it means to the user outside; a path without a leading slash is
    one of the submission's own files."""
    if word.startswith("{submission}"):
        return Program(word)
    if "/" in word and not word.startswith("/"):
        return Program("{submission}/" + word.removeprefix("./"))
    found = shutil.which(word)
    if found is None:
        raise NotFound(f"there is no program {word!r} on this machine")
    return _program_at(os.path.abspath(found))


@functools.cache
def _program_at(path: str) -> Program:
    if PYTHON.fullmatch(os.path.basename(path)):
        return _python_at(path)
    real = os.path.realpath(path)
    needed = (*_folders_of(path), *_folders_of(real), *_folders_of_python(real))
    return Program(path, tuple(dict.fromkeys(needed)))


def _folders_of(path: str) -> list[str]:
    """The folder of a program and what is usually installed beside it."""
    if path.startswith(SYSTEM):
        return []
    folder = os.path.dirname(path)
    if os.path.basename(folder) != "bin":
        return [folder]
    above = os.path.dirname(folder)
    return [f"{above}/{name}" for name in BESIDE_BIN if os.path.isdir(f"{above}/{name}")]


def _folders_of_python(path: str) -> tuple[str, ...]:
    """What the Python needs that a script names in its first line, as installed commands do."""
    try:
        with open(path, "rb") as file:
            named = FIRST_LINE.match(file.readline(LONGEST_LINE))
    except OSError:  # a program may be run and not read
        return ()
    interpreter = os.fsdecode(named[1]) if named else ""
    return _python_at(interpreter).reads if PYTHON.fullmatch(os.path.basename(interpreter)) else ()


def _python_at(path: str) -> Program:
    """What this calls Python may be a script that starts it, or part of a virtual environment:
    only the interpreter itself knows where it lives."""
    try:
        said = subprocess.run(
            [path, "-I", "-c", WHERE],
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=True,
            text=True,
        ).stdout.splitlines()
        executable, prefix, base = said
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise NotFound(f"{path} does not start: {error}") from None
    places = [prefix, base, os.path.dirname(executable)]
    places += [os.path.realpath(prefix), os.path.realpath(base)]
    places += [os.path.dirname(os.path.realpath(executable))]
    needed = [folder for folder in places if not f"{folder}/".startswith(SYSTEM)]
    return Program(executable, tuple(dict.fromkeys(needed)), python=True)
