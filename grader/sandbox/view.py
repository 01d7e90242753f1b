"""What a sandbox sees: the program and the folders it needs, system folders, the submission,
one input, and a folder for the output."""

from __future__ import annotations

import contextlib
import functools
import glob
import json
import os
import re
import shutil
import stat
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

from grader.sandbox.job import Job

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS = (
    *("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime"),
    *("/etc/ssl/openssl.cnf", "/etc/java-*"),
)
DEVICES = ("null", "zero", "full", "random", "urandom")
DEVICE_LINKS = {
    "/dev/fd": "/proc/self/fd",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2",
}
TEMPORARY_BYTES = 64 << 20
OUTPUT_NAME = "output.txt"

# Checkmark itself would be an answer to every puzzle, wherever it is installed: its packages, known
# by a folder in each, its commands, and files beside them with these words in their names.
INSTALLED_IN = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUR_PACKAGES = {"solver": "games/checkers", "grader": "sandbox"}
OUR_NAMES = ("checkmark_solver", "checkmark__mypyc")
IN_CHECKOUT = ("expected", "tests", "dist", "build", ".git")
PACKAGES = ("lib*/py*/*-packages", "envs/*/lib/py*/*-packages")  # below a prefix

PATH = ("/usr/local/bin", "/usr/bin", "/bin")
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",  # the same answer today and tomorrow
    "PYTHONDONTWRITEBYTECODE": "1",
}

PYTHON = re.compile(r"(python|pypy)[\d.]*(\.exe)?")
SHEBANG = re.compile(rb"#!\s*(/\S+)")
SHEBANG_BYTES = 256  # as many as Linux reads
WHERE = (
    "import site, sys; print(sys.executable, sys.prefix, sys.base_prefix, "
    "site.getusersitepackages(), *sys.path, sep='\\n')"
)
BESIDE_BIN = ("bin", "lib", "lib64", "libexec", "conf", "share")
START_SECONDS = 30


class NotFound(Exception):
    """There is no such program on this machine."""


@dataclass(frozen=True)
class Program:
    path: str  # may begin with `{submission}`
    reads: tuple[str, ...] = ()
    python: bool = False
    ours: tuple[str, ...] = ()  # parts of Checkmark that it could find

    @property
    def is_own(self) -> bool:
        """Whether the submission brings it along."""
        return self.path.startswith("{submission}")


def find_program(word: str) -> Program:
    """The program that a command names, and the folders without which it cannot run.  A bare
    name means what it means to the user outside; a relative path is one of the submission's
    own files."""
    if word.startswith("{submission}"):
        return Program(word)
    if "/" in word and not os.path.isabs(word):
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
    needed = (*_folders_of(path), *_folders_of(real), *_folders_of_interpreter(real))
    reads = tuple(dict.fromkeys(needed))
    return Program(path, reads, ours=find_ours(reads))


def _folders_of(path: str) -> list[str]:
    """The folder of a program and what is usually installed beside it."""
    if _is_system(path):
        return []
    folder = os.path.dirname(path)
    if os.path.basename(folder) != "bin":
        return [folder]
    above = os.path.dirname(folder)
    return [f"{above}/{name}" for name in BESIDE_BIN if os.path.isdir(f"{above}/{name}")]


def _folders_of_interpreter(path: str) -> tuple[str, ...]:
    """What the Python in a script's first line needs; installed commands have one."""
    try:
        with open(path, "rb") as file:
            named = SHEBANG.match(file.readline(SHEBANG_BYTES))
    except OSError:  # a program may be executable but not readable
        return ()
    interpreter = os.fsdecode(named[1]) if named else ""
    return _python_at(interpreter).reads if PYTHON.fullmatch(os.path.basename(interpreter)) else ()


def _python_at(path: str) -> Program:
    """This may be a script that starts Python, or part of a virtual environment: only the
    interpreter itself knows where it lives."""
    try:
        printed = subprocess.run(
            [path, "-I", "-c", WHERE],
            cwd=os.path.abspath(os.sep),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=START_SECONDS,
            check=True,
            text=True,
        ).stdout.splitlines()
        executable, prefix, base, *packages = printed
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise NotFound(f"{path} does not start: {error}") from None
    folders = [prefix, base, os.path.dirname(executable)]
    folders += [*map(os.path.realpath, folders[:2]), os.path.dirname(os.path.realpath(executable))]
    needed = [folder for folder in folders if not _is_system(f"{folder}/")]
    reads = tuple(dict.fromkeys(needed))
    return Program(executable, reads, True, find_ours(reads, tuple(packages)))


def find_ours(reads: tuple[str, ...], packages: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The real paths of all parts of Checkmark in folders of packages: these, those below what a
    sandbox can read, our own, and those that they lead to, such as a checkout."""
    prefixes = {"/usr", "/usr/local", *reads, *map(os.path.dirname, reads)}
    waiting = [INSTALLED_IN, *packages]
    for prefix in prefixes:
        for pattern in PACKAGES:
            waiting += glob.glob(f"{glob.escape(prefix)}/{pattern}")
    seen: set[str] = set()
    found: list[str] = []
    while waiting:
        folder = os.path.realpath(waiting.pop())
        if os.path.isdir(folder) and os.access(folder, os.R_OK) and folder not in seen:
            seen.add(folder)
            found += _parts_in(folder)
            waiting += _places_named_in(folder)
        elif any(name in folder for name in OUR_NAMES):  # an archive
            found.append(folder)
    return tuple(sorted({os.path.realpath(path) for path in found if os.path.exists(path)}))


def _parts_in(folder: str) -> list[str]:
    found = [f"{folder}/{name}" for name in os.listdir(folder) if any(map(name.count, OUR_NAMES))]
    for name, sign in OUR_PACKAGES.items():
        if os.path.isdir(f"{folder}/{name}/{sign}"):
            found.append(f"{folder}/{name}")
            if os.path.exists(f"{folder}/pyproject.toml"):
                found += [f"{folder}/{each}" for each in IN_CHECKOUT]
        command = os.path.normpath(f"{folder}/../../../bin/{name}")
        if f"{name}.cli" in _read(command):
            found.append(command)
    return found


def _places_named_in(folder: str) -> list[str]:
    """Other folders of packages, by lines of `.pth` files and notes of where something was
    installed from."""
    places: list[str] = []
    for path in glob.glob(f"{glob.escape(folder)}/*.pth"):
        lines = [os.path.join(folder, line) for line in _read(path).splitlines() if line]
        places += filter(os.path.isdir, lines)
    for path in glob.glob(f"{glob.escape(folder)}/checkmark_solver-*/direct_url.json"):
        with contextlib.suppress(ValueError, KeyError):
            places.append(unquote(json.loads(_read(path))["url"].removeprefix("file://")))
    return places


def _read(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "replace")
    except OSError:
        return ""


def _is_system(path: str) -> bool:
    return path.startswith(tuple(f"{folder}/" for folder in SYSTEM))


@dataclass(frozen=True)
class Bind:
    source: str
    target: str
    writable: bool = False


@dataclass(frozen=True)
class View:
    """What a command sees: its own files at these paths, folders shown in its file tree, and
    symbolic links as (target, name).  Without a root of its own: trees that are `readable`, and
    folders whose names are."""

    submission: str
    input: str  # a file
    output: str  # a folder
    temporary: str
    binds: tuple[Bind, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    readable: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()

    def fill(self, word: str) -> str:
        """A word of the command with its placeholders replaced."""
        word = word.replace("{input}", self.input)
        word = word.replace("{output}", f"{self.output}/{OUTPUT_NAME}")
        return word.replace("{submission}", self.submission)

    def environment(self, program: str) -> dict[str, str]:
        """The program's own folder comes first, so that its `python3` is ours."""
        path = os.pathsep.join(dict.fromkeys([os.path.dirname(program), *PATH]))
        return {**ENVIRONMENT, "PATH": path, "HOME": self.temporary, "TMPDIR": self.temporary}


def plain_view(run: str, input_name: str) -> View:
    """The files of the run in folder `run` at the paths of this machine."""
    return View(f"{run}/submission", f"{run}/input/{input_name}", f"{run}/output", f"{run}/tmp")


def make_view(run: str, job: Job, program: Program, own_root: bool) -> View:
    view = plain_view(run, job.input_name)
    if own_root:
        view = View("/submission", f"/input/{job.input_name}", "/output", "/tmp")
    common, links = _system_binds()
    own = [Bind(path, path) for path in sorted(program.reads) if not path.startswith("/usr/")]
    files = (
        Bind(f"{run}/submission", view.submission),
        Bind(f"{run}/input", os.path.dirname(view.input)),
        Bind(f"{run}/output", view.output, writable=True),
    )
    shown = (*common, *own)
    if own_root:
        hidden = _find_hidden(shown, program.ours)
        empty = (Bind(f"{run}/empty" if folder else os.devnull, at) for at, folder in hidden)
        return replace(view, binds=(*shown, *empty, *files), links=links)
    trees, listed = _leave_out(shown, program.ours)
    readable = (*trees, *(file.target for file in files if not file.writable))
    return replace(view, binds=(*shown, *files), readable=readable, listed=listed)


@functools.cache
def _find_hidden(binds: tuple[Bind, ...], ours: tuple[str, ...]) -> tuple[tuple[str, bool], ...]:
    """Where parts of Checkmark would be seen, and whether each is a folder."""
    hidden = {}
    for bind in binds:
        real = os.path.realpath(bind.source)
        for path in ours:
            if path.startswith(f"{real}/"):
                hidden[bind.target + path[len(real) :]] = os.path.isdir(path)
    return tuple(hidden.items())


@functools.cache
def _leave_out(
    binds: tuple[Bind, ...], hidden: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where only whole trees can be allowed: those without anything hidden, and the folders on the
    way, which can be listed.  What a link leads to is allowed there or nowhere."""
    trees: list[str] = []
    listed: list[str] = []
    waiting = [os.path.realpath(bind.source) for bind in binds]
    while waiting:
        path = waiting.pop()
        if not any(each.startswith(f"{path}/") for each in hidden):
            trees.append(path)
            continue
        listed.append(path)
        with os.scandir(path) as entries:
            found = [entry.path for entry in entries if not entry.is_symlink()]
        waiting += [each for each in found if each not in hidden]
    return tuple(trees), tuple(listed)


@functools.cache
def _system_binds() -> tuple[tuple[Bind, ...], tuple[tuple[str, str], ...]]:
    folders = [path for path in SYSTEM if os.path.isdir(path) and not os.path.islink(path)]
    links = [(os.readlink(path), path) for path in SYSTEM if os.path.islink(path)]
    found = [path for pattern in SETTINGS for path in sorted(glob.glob(pattern))]
    return tuple(Bind(path, path) for path in (*folders, *found)), tuple(links)


def find_closed_folder(path: str) -> str:
    """The first folder on the way to a path, or the path itself, that other users may not
    enter, or an empty string."""
    for folder in (*reversed(Path(path).parents), Path(path)):
        try:
            mode = os.stat(folder).st_mode
        except OSError:
            return ""
        if stat.S_ISDIR(mode) and not mode & stat.S_IXOTH:
            return str(folder)
    return ""


def find_closed_folders(paths: tuple[str, ...]) -> dict[str, list[str]]:
    """Each closed folder with the needed paths behind it, such as an interpreter below /root.
    Of a needed folder that is itself closed, everything in it is needed."""
    closed: dict[str, list[str]] = {}
    for path in sorted(set(paths)):
        folder = find_closed_folder(path)
        if not folder:
            continue
        needed = [path]
        if os.path.isdir(path) and not os.stat(path).st_mode & stat.S_IXOTH:
            needed = [f"{path}/{name}" for name in os.listdir(path)]
        closed.setdefault(folder, []).extend(needed)
    return closed
