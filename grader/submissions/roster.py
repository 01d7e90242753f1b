"""The submissions of a class: a folder, an archive or a single file for each student.

One that cannot be understood stays in the list with its fault and does not affect the others.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from grader.puzzles.find import natural
from grader.sandbox.job import File
from grader.submissions.archive import (
    is_left_out,
    pack_folder,
    read_regular,
    strip_folders,
    unpack_zip,
)
from grader.submissions.find import SUBMISSION, Submission, check_call
from solver.errors import FileError, UserError, counted, did_you_mean

PYTHON = "python3"
PROGRAMS = ("checkers.py", "twoflags.py", "main.py", "__main__.py")
ADVICE = "'call' in grader.toml says how submissions are started"


def find_submissions(
    folder: Path, call: str | None = None, leave_out: Collection[Path] = ()
) -> tuple[list[Submission], list[str]]:
    """One submission for each entry of the folder, in the order of their names, and warnings
    about other entries.

    `call` is how all of them are started; without it the program is the file with a known
    name, or the only one.
    """
    template = None if call is None else check_call(call)
    submissions: list[Submission] = []
    warnings: list[str] = []
    entries = _entries(folder)
    names = _names(entries)
    for entry in entries:
        if not entry.is_dir() and not _may_be_submission(entry, template):
            warnings.append(f"{entry}: left out, not a program, an archive or a folder")
            continue
        fault = ""
        try:
            submissions.append(_submission(names[entry], entry, template, leave_out))
        except UserError as error:
            fault = str(error)
        except Exception as error:  # whatever is in it, the others are graded
            fault = f"it cannot be read: {error}"
        if fault:
            submissions.append(Submission(names[entry], (), (), fault=fault))
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


def _may_be_submission(entry: Path, template: tuple[str, ...] | None) -> bool:
    if entry.is_symlink() or entry.suffix in (".py", ".zip"):
        return True
    return entry.is_file() and (_is_wanted(entry, template) or os.access(entry, os.X_OK))


def _submission(
    name: str, entry: Path, template: tuple[str, ...] | None, leave_out: Collection[Path]
) -> Submission:
    if entry.is_symlink():
        raise UserError("it is a link, and links are not followed")
    if entry.is_dir():
        files = strip_folders(pack_folder(entry, leave_out, refuse_links=True))
    elif entry.suffix == ".zip":
        files = strip_folders(unpack_zip(entry))
    else:
        files = _single(entry, template)
    if not files:
        raise UserError("there are no files in it")
    wanted = _program_of(template)
    paths = [file.path for file in files]
    if wanted and wanted not in paths:
        raise UserError(f"there is no {wanted} in it.{did_you_mean(wanted, paths)}")
    return Submission(name, files, template or _guess_call(files)).with_style()


def _single(entry: Path, template: tuple[str, ...] | None) -> tuple[File, ...]:
    """A file by itself, under the name that the call asks for."""
    content, mode = read_regular(entry)
    if content is None:
        raise UserError("it is not a regular file")
    name = _program_of(template) if _is_wanted(entry, template) else entry.name
    return (File(name, content, bool(mode & 0o111)),)


def _program_of(template: tuple[str, ...] | None) -> str:
    """The file of the submission that a call starts, if it names one."""
    inside = f"{SUBMISSION}/"
    named = [word.removeprefix(inside) for word in template or () if word.startswith(inside)]
    return named[0] if named else ""


def _is_wanted(entry: Path, template: tuple[str, ...] | None) -> bool:
    """Whether a file is of the kind that the call starts."""
    wanted = _program_of(template)
    return bool(wanted) and Path(wanted).suffix == entry.suffix


def _guess_call(files: tuple[File, ...]) -> tuple[str, ...]:
    program = _entry_point(files)
    word = f"{SUBMISSION}/{program.path}"
    return (PYTHON, word) if program.path.endswith(".py") else (word,)


def _entry_point(files: tuple[File, ...]) -> File:
    """The file to start: one with a known name, the only Python file, the only executable."""
    top = [file for file in files if "/" not in file.path]
    for known in PROGRAMS:
        for file in top:
            if file.path.lower() == known:
                return file
    scripts = [file for file in top if file.path.endswith(".py")]
    executables = [file for file in top if file.executable]
    for found in (scripts, executables):
        if len(found) == 1:
            return found[0]
    if not scripts and not executables:
        raise UserError(f"there is no program among its {counted(len(files), 'file')}")
    names = ", ".join(file.path for file in (scripts or executables)[:5])
    raise UserError(f"it is not clear which file to start: {names}. {ADVICE}.")
