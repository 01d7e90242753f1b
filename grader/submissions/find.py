"""A program to be graded: its files and how it is started.  It is never imported."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import solver
from grader.grading.records import Student, digest, sha256
from grader.puzzles.find import natural
from grader.sandbox import NotFound, find_program
from grader.sandbox.job import File
from grader.submissions.archive import (
    is_left_out,
    pack_folder,
    read_regular,
    strip_folders,
    unpack_zip,
)
from solver.errors import FileError, UserError, counted, did_you_mean
from solver.games import GAMES

OWN = "solver"  # the name of our own solver among submissions
PLACES = ("{input}", "{output}")
BY_PLACE: tuple[str, ...] = PLACES
BY_OPTION: tuple[str, ...] = ("--inputfile", "{input}", "--outputfile", "{output}")
SUBMISSION = "{submission}"
PROGRAMS = (*(f"{name}.py" for name in GAMES), "main.py", "__main__.py")


@dataclass(frozen=True)
class Submission:
    """`command` has places for the input, the output and the submission's folder, as in a
    `Job`.  With a `fault` there is nothing to run, and that is why."""

    name: str
    files: tuple[File, ...]
    command: tuple[str, ...]
    guessed: bool = False  # the style of the call is a guess; `in_other_style` is the other one
    fault: str = ""
    student: Student | None = None

    @cached_property
    def sha256(self) -> str:
        """The same for the same files and command, wherever they are."""
        files = [(file.path, sha256(file.content), file.executable) for file in self.files]
        return digest(sorted(files), self.command, self.fault)

    def in_other_style(self) -> Submission:
        """Called by `--inputfile IN --outputfile OUT` instead of `IN OUT`, or the reverse."""
        for style, other in ((BY_OPTION, BY_PLACE), (BY_PLACE, BY_OPTION)):
            if self.command[-len(style) :] == style:
                command = (*self.command[: -len(style)], *other)
                return replace(self, command=command, guessed=False)
        return replace(self, guessed=False)

    def with_style(self) -> Submission:
        """The command with places for input and output, unless it has them: as the program's
        text, or else that of the Python files beside it, seems to want them."""
        if any(place in word for word in self.command for place in PLACES):
            return self
        script = self._script()
        style = None if script is None else _style_of(script)
        guess = BY_PLACE
        if script is not None and script.path.endswith(".py"):
            python = [_style_of(file) for file in self.files if file.path.endswith(".py")]
            guess = BY_OPTION if BY_OPTION in python else BY_PLACE
        return replace(self, command=(*self.command, *(style or guess)), guessed=style is None)

    def _script(self) -> File | None:
        """The file that is started, if it is known."""
        words = self.command
        names = [word.removeprefix(SUBMISSION).strip("/") for word in words if SUBMISSION in word]
        modules = [word.replace(".", "/") for option, word in pairwise(words) if option == "-m"]
        files = {file.path: file for file in self.files}
        for name in [*names[:1], *modules]:
            for path in (name, f"{name}.py", f"{name}/__main__.py"):
                if path.strip("/") in files:
                    return files[path.strip("/")]
        return None


def _style_of(file: File) -> tuple[str, ...] | None:
    """How a program wants its files, if its text shows it."""
    if b"--inputfile" in file.content:
        return BY_OPTION
    return BY_PLACE if b"argv" in file.content else None


def check_call(call: str) -> tuple[str, ...]:
    """The words of a command line, which must have places for both files or for neither."""
    try:
        words = tuple(shlex.split(call))
    except ValueError:
        raise UserError(f"{call}: a quotation mark is not closed, or the end is escaped") from None
    if not words:
        raise UserError("The command is empty. Try 'python3 checkers.py {input} {output}'.")
    line = " ".join(words)
    known = [*PLACES, SUBMISSION]
    for word in re.findall(r"\{\w*\}", line):
        hint = did_you_mean(word, known)
        if word not in known and hint:
            raise UserError(f"{line}: {word} is unknown.{hint}")
    there = [place for place in PLACES if place in line]
    if len(there) == 1:
        raise UserError(f"{line}: has {there[0]} only. Give {' and '.join(PLACES)}, or neither.")
    return words


def own_solver(*options: str) -> Submission:
    """Our own solver, from a checkout or installed, compiled or not; it prints its nodes."""
    package = Path(solver.__file__).resolve().parent
    compiled = [path.name for path in package.parent.glob("checkmark__mypyc*")]
    files = pack_folder(package.parent, only=[package.name, *compiled])
    command = (sys.executable, "-m", package.name, "-v", *options, "{input}", "{output}")
    return Submission(OWN, files, command)


def from_command(
    call: str, cwd: Path, leave_out: Collection[Path] = (), name: str = ""
) -> Submission:
    """The program that a command line starts, as typed in the folder `cwd`.

    The folder of the files it names is packed, without `leave_out`; of a module (`-m`), its
    package.  Programs of this machine are used where they are.
    """
    words = check_call(call)
    named = _named_files(words, cwd)
    if named:
        folders = [path if path.is_dir() else path.parent for path in named.values()]
        root = Path(os.path.commonpath(folders))
        if root in (Path(root.anchor), Path.home()) and root != cwd:
            places = " and ".join(map(str, named.values()))
            raise UserError(f"{places}: too far apart. Put them into one folder.")
        files = pack_folder(root, leave_out)
        inside = {
            index: f"{SUBMISSION}/{path.relative_to(root).as_posix()}".removesuffix("/.")
            for index, path in named.items()
        }
        command = tuple(inside.get(index, word) for index, word in enumerate(words))
        first = next(iter(named.values()))
    else:
        module = _module_of(words, cwd)
        files = pack_folder(cwd, leave_out, only=[module]) if module else ()
        command, first = words, cwd / (module or words[0])
    if 0 not in named:
        _refuse_missing(words, cwd)
        command = (_program_path(cwd, words[0]), *command[1:])
    return Submission(name or first.stem, files, command).with_style()


def _named_files(words: Sequence[str], cwd: Path) -> dict[int, Path]:
    """The words that name files or folders of the submission, by their place."""
    named = {
        index: Path(os.path.normpath(cwd / word))
        for index, word in enumerate(words)
        if (index > 0 or "/" in word)
        and not word.startswith("-")
        and (index == 0 or words[index - 1] not in ("-m", "-c"))
        and "{" not in word
        and _exists(cwd / word)
    }
    first = named.get(0)
    if first is not None:  # a path: the submission's own program, or one of this machine?
        installed = (first.parent.parent / "pyvenv.cfg").is_file()
        system = first.is_relative_to("/usr") or first.is_relative_to("/bin")
        has_script = len(named) > 1 or "-m" in words
        if installed or system or (has_script and not first.is_relative_to(cwd)):
            del named[0]
    return named


def _exists(path: Path) -> bool:
    try:
        return path.is_file() or path.is_dir()
    except (OSError, ValueError):
        return False


def _program_path(cwd: Path, word: str) -> str:
    """A program as called in `cwd`, so that it can be called in any folder."""
    return os.path.normpath(cwd / word) if "/" in word else word


def _module_of(words: Sequence[str], cwd: Path) -> str:
    """The package folder or file in `cwd` that `-m` names, if it is there."""
    for option, name in pairwise(words):
        if option == "-m":
            top = name.split(".")[0]
            return next((each for each in (top, f"{top}.py") if _exists(cwd / each)), "")
    return ""


def _refuse_missing(words: Sequence[str], cwd: Path) -> None:
    for script in words[1:]:
        if script.endswith(".py") and "{" not in script and not _exists(cwd / script):
            raise UserError(f"{script}: there is no such file.")
    word = words[0]
    if shutil.which(_program_path(cwd, word)) is None:
        there = f" Did you mean './{word}'?" if _exists(cwd / word) else ""
        raise UserError(f"{word}: there is no such program.{there}")


def check_mounts(submissions: Iterable[Submission], secret: Collection[Path]) -> None:
    """Refuse programs of this machine that are not there, and those that bring a folder into
    the sandbox with something that a submission may not see."""
    places = {path: (path.resolve(), *path.resolve().parents) for path in secret}
    for word in sorted({each.command[0] for each in submissions if each.command}):
        try:
            folders = {Path(folder).resolve() for folder in find_program(word).reads}
        except NotFound as error:
            raise UserError(f"{word}: {error}") from None
        for path, above in places.items():
            for folder in folders.intersection(above):
                raise UserError(
                    f"{path}: every submission could read it, because {word} needs {folder}."
                    " Keep the puzzles elsewhere."
                )


def find_submissions(
    folder: Path, call: str | None = None, leave_out: Collection[Path] = ()
) -> tuple[list[Submission], list[str]]:
    """One submission for each folder, archive or program in the folder, in the order of their
    names, and warnings about other entries.  One that cannot be understood stays in the list with
    its fault.  `call` is how all are started; without it, the file with a known name or the only
    one is.
    """
    template = () if call is None else check_call(call)
    inside = f"{SUBMISSION}/"
    wanted = next((each.removeprefix(inside) for each in template if each.startswith(inside)), "")
    submissions: list[Submission] = []
    warnings: list[str] = []
    entries = _entries(folder)
    names = _names(entries)
    for entry in entries:
        if not _may_be_submission(entry, wanted):
            warnings.append(f"{entry}: left out, not a program, an archive or a folder")
            continue
        try:
            found = _submission(names[entry], entry, template, wanted, leave_out)
        except Exception as error:  # whatever is in it, the others are graded
            fault = f"{error}" if isinstance(error, UserError) else f"it cannot be read: {error}"
            found = Submission(names[entry], (), (), fault=fault)
        submissions.append(found)
    if not submissions:
        raise UserError(f"{folder}: no submissions found: a folder, a .zip or a .py for each.")
    return submissions, warnings


def _entries(folder: Path) -> list[Path]:
    try:
        names = [name for name in os.listdir(folder) if not is_left_out(name)]
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror}") from None
    return [folder / name for name in sorted(names, key=lambda name: (natural(name), name))]


def _names(entries: list[Path]) -> dict[Path, str]:
    """`alice` for `alice.py`, unless there is another alice."""
    short = {entry: entry.name if entry.is_dir() else entry.stem for entry in entries}
    times = Counter(short.values()) + Counter(
        entry.name for entry in entries if short[entry] != entry.name
    )
    return {
        entry: name if times[name] == 1 or entry.is_dir() else entry.name
        for entry, name in short.items()
    }


def _may_be_submission(entry: Path, wanted: str) -> bool:
    if entry.is_dir() or entry.is_symlink() or entry.suffix in (".py", ".zip"):
        return True
    return entry.is_file() and (_is_of_kind(entry, wanted) or os.access(entry, os.X_OK))


def _is_of_kind(entry: Path, wanted: str) -> bool:
    """Whether a file can be the one that the call starts, by its ending."""
    return bool(wanted) and Path(wanted).suffix == entry.suffix


def _submission(
    name: str, entry: Path, template: tuple[str, ...], wanted: str, leave_out: Collection[Path]
) -> Submission:
    """`wanted` is the file that the call starts, if it names one."""
    if entry.is_symlink():
        raise UserError("it is a link, and links are not followed")
    if entry.is_dir():
        files = strip_folders(pack_folder(entry, leave_out, refuse_links=True))
    elif entry.suffix == ".zip":
        files = strip_folders(unpack_zip(entry))
    else:
        content, mode = read_regular(entry)
        if content is None:
            raise UserError("it is not a regular file")
        path = wanted if _is_of_kind(entry, wanted) else entry.name  # as the call names it
        files = (File(path, content, bool(mode & 0o111)),)
    if not files:
        raise UserError("there are no files in it")
    paths = [file.path for file in files]
    if wanted and wanted not in paths:
        raise UserError(f"there is no {wanted} in it.{did_you_mean(wanted, paths)}")
    return Submission(name, files, template or _guess_call(files)).with_style()


def _guess_call(files: tuple[File, ...]) -> tuple[str, ...]:
    """Start the file with a known name, the only Python file, or the only executable."""
    top = [file for file in files if "/" not in file.path]
    known = [file.path for name in PROGRAMS for file in top if file.path.lower() == name][:1]
    scripts = [file.path for file in top if file.path.endswith(".py")]
    executables = [file.path for file in top if file.executable]
    for found in (known, scripts, executables):
        if len(found) == 1:
            word = f"{SUBMISSION}/{found[0]}"
            return ("python3", word) if word.endswith(".py") else (word,)
    if not scripts and not executables:
        raise UserError(f"there is no program among its {counted(len(files), 'file')}")
    names = ", ".join((scripts or executables)[:5])
    raise UserError(
        f"it is not clear which file to start: {names}."
        " 'call' in grader.toml says how submissions are started."
    )
