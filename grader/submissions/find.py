"""A program to be graded: its files and how it is started.  It is never imported."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import solver
from grader.grading.records import Student, digest, sha256
from grader.puzzles.find import decode_path, natural
from grader.sandbox.job import File
from grader.sandbox.view import SYSTEM, NotFound, find_program
from grader.submissions.archive import (
    ARCHIVES,
    UNSUPPORTED,
    is_archive,
    open_class,
    pack_folder,
    strip_folders,
    unpack_archives,
)
from grader.submissions.layouts import HandIn, recognise_layout, sort_by_owner
from solver.errors import UserError, counted, did_you_mean
from solver.games import GAMES

OWN = "solver"  # the name of our own solver among submissions
PLACES = ("{input}", "{output}")
BY_PLACE: tuple[str, ...] = PLACES
BY_OPTION: tuple[str, ...] = ("--inputfile", "{input}", "--outputfile", "{output}")
SUBMISSION = "{submission}"
NOT_FOUND = "not a program, an archive or a folder"
DEEPEST_ARCHIVE = 2  # an archive in an archive
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
        script = self.script()
        style = None if script is None else _style_of(script)
        guess = BY_PLACE
        if script is not None and script.path.endswith(".py"):
            python = [_style_of(file) for file in self.files if file.path.endswith(".py")]
            guess = BY_OPTION if BY_OPTION in python else BY_PLACE
        return replace(self, command=(*self.command, *(style or guess)), guessed=style is None)

    def script(self) -> File | None:
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
    call: str | Sequence[str], cwd: Path, leave_out: Collection[Path] = (), name: str = ""
) -> Submission:
    """The program that a command line, or its words, starts in the folder `cwd`.  The folder of the
    files it names is packed, without `leave_out`; of a module (`-m`), its package."""
    words = check_call(call) if isinstance(call, str) else tuple(call)
    named = _named_files(words, cwd)
    if named:
        folders = {path if path.is_dir() else path.parent for path in named.values()}
        root = Path(os.path.commonpath(folders))
        if len(folders) > 1 and root in (Path(root.anchor), Path.home()) and root != cwd:
            places = " and ".join(map(str, named.values()))
            raise UserError(f"{places}: too far apart. Put them into one folder.")
        files = pack_folder(root, leave_out)
        inside = {
            index: f"{SUBMISSION}/{decode_path(path.relative_to(root).as_posix())}".removesuffix(
                "/."
            )
            for index, path in named.items()
        }
        command = tuple(inside.get(index, word) for index, word in enumerate(words))
        first = next(iter(named.values()))
    else:
        module = _module_of(words, cwd)
        files = pack_folder(cwd, leave_out, only=[module]) if module else ()
        command, first = words, cwd / (module or words[0])
    if 0 not in named:
        command = (_find_program(words, cwd), *command[1:])
    return Submission(name or decode_path(first.stem), files, command).with_style()


def from_program(path: Path, leave_out: Collection[Path] = ()) -> Submission:
    """A program by its file, started as itself or by its interpreter; or by its folder, as a
    student of a class hands it in."""
    if not _exists(path):
        raise UserError(f"{path}: there is no such file.")
    if path.is_file():
        words = [*_interpreter(path), str(path.absolute())]
        return from_command(words, Path.cwd(), leave_out)
    try:
        files = _unpack(strip_folders(pack_folder(path, leave_out)), "")
        name = decode_path(path.absolute().name)
        return Submission(name, files, _guess_call(files)).with_style()
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def _interpreter(path: Path) -> list[str]:
    """The words before a file that does not start as itself."""
    if path.suffix == ".py":
        return [sys.executable]
    if os.access(path, os.X_OK):
        return []
    with open(path, "rb") as file:
        first = file.readline(200).decode("utf-8", "replace")
    words = first.removeprefix("#!").split()
    if not first.startswith("#!") or not words:
        raise UserError(f"{path}: is not executable. Compile it, or try 'chmod +x {path}'.")
    return words[1:] if words[0].endswith("/env") else words


def _named_files(words: Sequence[str], cwd: Path) -> dict[int, Path]:
    """The words that name files or folders of the submission, by their place."""
    named = {
        index: Path(os.path.normpath(cwd / word))
        for index, word in enumerate(words)
        if (index > 0 or "/" in word)
        and not word.startswith("-")
        and (index == 0 or words[index - 1] not in ("-m", "-c"))
        and ("{" not in word or word.startswith("/"))
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


def _module_of(words: Sequence[str], cwd: Path) -> str:
    """The package folder or file in `cwd` that `-m` names, if it is there."""
    for option, name in pairwise(words):
        if option == "-m":
            top = name.split(".")[0]
            return next((each for each in (top, f"{top}.py") if _exists(cwd / each)), "")
    return ""


def _find_program(words: Sequence[str], cwd: Path) -> str:
    """The program of this machine that a command starts, to be called in any folder."""
    for script in words[1:]:
        if script.endswith(".py") and "{" not in script and not _exists(cwd / script):
            raise UserError(f"{script}: there is no such file.")
    word = words[0]
    program = os.path.normpath(cwd / word) if "/" in word else word
    if shutil.which(program) is None:
        there = f" Did you mean './{word}'?" if _exists(cwd / word) else ""
        raise UserError(f"{word}: there is no such program.{there}")
    return program


def check_mounts(submissions: Iterable[Submission], secret: Collection[Path]) -> None:
    """Refuse programs of this machine that are not there, and those that bring a folder into
    the sandbox with something that a submission may not see."""
    places = {path: (path.resolve(), *path.resolve().parents) for path in secret}
    for word in sorted({each.command[0] for each in submissions if each.command}):
        try:
            reads = (*SYSTEM, *find_program(word).reads)
            folders = {Path(folder).resolve() for folder in reads}
        except NotFound as error:
            raise UserError(f"{word}: {error}") from None
        for path, above in places.items():
            for folder in folders.intersection(above):
                raise UserError(
                    f"{path}: every submission could read it, because {word} needs {folder}."
                    " Keep the puzzles elsewhere."
                )


@dataclass(frozen=True)
class FoundClass:
    """The submissions of a class in the order of their names, the course system that they were
    downloaded from, if it was recognised, and warnings about what belongs to nobody."""

    submissions: tuple[Submission, ...]
    system: str
    warnings: tuple[str, ...]


def find_submissions(
    source: Path, call: str | None = None, leave_out: Collection[Path] = ()
) -> FoundClass:
    """One submission for each student in the download of a course system; or for each folder,
    archive or program in a folder or an archive.  One that cannot be understood stays in the list
    with its fault.  Without a `call`, the file with a known name or the only one is started."""
    template = () if call is None else check_call(call)
    inside = f"{SUBMISSION}/"
    wanted = next((each.removeprefix(inside) for each in template if each.startswith(inside)), "")
    with open_class(source, leave_out) as members:
        # An archive often has one folder around all students, unless it is that of the only one.
        single = any(each.path.split("/")[1:] == [name] for each in members for name in PROGRAMS)
        layout = recognise_layout(members, may_strip=source.is_file() and not single)
        hand_ins, left = sort_by_owner(members, layout)
    submissions = []
    for each in sorted(hand_ins, key=lambda each: (natural(each.name), each.name)):
        if _is_submission(each, wanted):
            submissions.append(_complete(each, template, wanted))
        else:
            left.add(each.owner)
    if not submissions:
        raise UserError(f"{source}: no submissions found: a folder, a .zip or a .py for each.")
    warnings = tuple(
        f"{source / layout.top / name}: left out, {NOT_FOUND}" for name in sorted(left)
    )
    return FoundClass(tuple(submissions), layout.name, warnings)


def _is_submission(hand_in: HandIn, wanted: str) -> bool:
    """And not a file that happens to be there."""
    if hand_in.student is not None or hand_in.is_folder or _is_of_kind(hand_in.owner, wanted):
        return True
    executable = any(file.executable for file in hand_in.archive.files.values())
    return executable or is_archive(hand_in.owner, (".py", *ARCHIVES, *UNSUPPORTED))


def _is_of_kind(name: str, wanted: str) -> bool:
    """Whether a file can be the one that the call starts, by its ending."""
    return bool(wanted) and Path(wanted).suffix == Path(name).suffix


def _complete(hand_in: HandIn, template: tuple[str, ...], wanted: str) -> Submission:
    """A submission with its files and command, or with its fault; `wanted` is the file that the
    call starts, if it names one."""
    found = Submission(hand_in.name, (), (), fault=hand_in.fault, student=hand_in.student)
    if found.fault:
        return found
    try:
        files = _unpack(strip_folders(hand_in.archive.packed()), wanted)
        if [file.path for file in files] == [hand_in.owner] and _is_of_kind(hand_in.owner, wanted):
            files = (replace(files[0], path=wanted),)  # as the call names it
        paths = [file.path for file in files]
        if wanted and wanted not in paths:
            raise UserError(f"there is no {wanted} in it.{did_you_mean(wanted, paths)}")
        return replace(found, files=files, command=template or _guess_call(files)).with_style()
    except Exception as error:  # whatever is in it, the others are graded
        fault = f"{error}" if isinstance(error, UserError) else f"it cannot be read: {error}"
        return replace(found, fault=fault)


def _unpack(files: tuple[File, ...], wanted: str) -> tuple[File, ...]:
    """The files, with archives unpacked if the program is not among them."""
    for _ in range(DEEPEST_ARCHIVE):
        top = [file for file in files if "/" not in file.path]
        if wanted in [file.path for file in top] or any(map(_is_program, top)):
            break
        if not any(is_archive(file.path) for file in top):
            break
        files = unpack_archives(files)
    if not files:
        raise UserError("there are no files in it")
    return files


def _is_program(file: File) -> bool:
    return file.path.endswith(".py") or (file.executable and not is_archive(file.path))


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
        for name in (file.path for file in top if is_archive(file.path, UNSUPPORTED)):
            raise UserError(f"{name}: cannot be unpacked. Only {', '.join(ARCHIVES)} can be.")
        raise UserError(f"there is no program among its {counted(len(files), 'file')}")
    names = ", ".join((scripts or executables)[:5])
    raise UserError(
        f"it is not clear which file to start: {names}."
        " 'call' in grader.toml says how submissions are started."
    )
