"""Whose file is whose in the download of a whole class: the names that Canvas, Moodle and
Gradescope give, or a folder, archive or program for each student."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count

from grader.grading.records import Student
from grader.sandbox.job import File
from grader.submissions.archive import Member, is_left_out

CANVAS, MOODLE, GRADESCOPE = "Canvas", "Moodle", "Gradescope"
METADATA = "submission_metadata.yml"
MOST_METADATA = 1 << 30  # bytes: it tells the results of every attempt
CANVAS_FILE = re.compile(
    r"(?P<name>.+?)(?P<late>_LATE)?_(?P<id>\d+)_(?:\d+_|(?=(?:text|link)\.html))(?P<path>.+)",
    re.DOTALL,
)
MOODLE_FILE = re.compile(  # without a path: such as a text that was typed into a form
    r"(?P<name>[^/]+?)(?P<late>(?!))?_(?P<id>\d+)_assignsubmission_(?:file_?/?(?P<path>.*)|[a-z].*)",
    re.DOTALL,
)
AGAIN = re.compile(r"(.+)-\d+(\.\w+)")  # what Canvas makes of the name of a file handed in again
FOLDER = re.compile(r"^(\w+):\n((?:[ -].*\n?)*)", re.MULTILINE)
SUBMITTERS = re.compile(r"^  :?submitters:\n((?:  - .*\n?|    .*\n?)*)", re.MULTILINE)
FIELD = re.compile(r"^(?:    )?:?(\w+): +(.*)", re.MULTILINE)
LATE = re.compile(r"^  :?late(?:ness)?: +['\"]?(?:true|[\d:.]*[1-9])", re.MULTILINE)
ENDING = re.compile(r"(?<=.)(\.tar\.gz|\.[^.]*)$")
JOINERS = "\u200c\u200d"  # are not printed, but change how names in some scripts look
LONGEST_NAME = 80


@dataclass(frozen=True)
class Place:
    """Where a file of the download belongs."""

    owner: str  # the same for all files of one submission
    path: str  # in the submission; empty for the folder itself
    student: Student | None = None


@dataclass(frozen=True)
class Layout:
    name: str  # of the course system; empty if there is none
    top: str  # the folder around everything, with its slash
    find_place: Callable[[str], Place | None]  # of a path in it; None: the file is nobody's


def recognise_layout(members: Iterable[Member], may_strip: bool) -> Layout:
    """By the names in the outermost folder, or in the only folder there.  Where no course system is
    recognised, the only folder counts as the one around all students if `may_strip`."""
    found = {member.path: member for member in members}
    names = _names_at_top(found)
    top = f"{names[0]}/" if len(names) == 1 and names[0] not in found else ""
    for around in dict.fromkeys(("", top)):
        names = _names_at_top(path.removeprefix(around) for path in found)
        if around + METADATA in found:
            students = read_students(found[around + METADATA])
            return Layout(GRADESCOPE, around, partial(_place_gradescope, students))
        for name, pattern in ((MOODLE, MOODLE_FILE), (CANVAS, CANVAS_FILE)):
            if 2 * sum(bool(pattern.fullmatch(each)) for each in names) > len(names):
                return Layout(name, around, partial(_place_named, pattern))
    return Layout("", top if may_strip else "", _place_plain)


def _names_at_top(paths: Iterable[str]) -> list[str]:
    names = dict.fromkeys(path.split("/")[0] for path in paths)
    return [name for name in names if name and not is_left_out(name)]


def _place_plain(path: str) -> Place:
    top, slash, rest = path.partition("/")
    return Place(top, rest if slash else top)


def _place_named(pattern: re.Pattern[str], path: str) -> Place | None:
    found = pattern.fullmatch(path)
    if found is None or found["path"] is None:
        return None
    student = Student(make_readable(found["name"]), found["id"], bool(found["late"]))
    return Place(found["id"], found["path"], student)


def _place_gradescope(students: Mapping[str, Student], path: str) -> Place | None:
    top, slash, rest = path.partition("/")
    return Place(top, rest, students.get(top)) if slash else None


def read_students(metadata: Member) -> dict[str, Student]:
    """The students of each folder: the few lines of Gradescope's YAML that say who they are.
    A group has handed in together: its names and ids are joined."""
    content, _ = metadata.read(MOST_METADATA)
    students = {}
    for folder, lines in FOLDER.findall((content or b"").decode("utf-8", "replace")):
        section = SUBMITTERS.search(lines)
        people = [
            {key: make_readable(_scalar(value)) for key, value in FIELD.findall(each)}
            for each in (section[1].split("  - ")[1:] if section else ())
        ]
        if people:
            names = Student.JOINED.join(each.get("name") or "unknown" for each in people)
            ids = Student.JOINED.join(each.get("sid") or each.get("email", "") for each in people)
            students[folder] = Student(names, ids, bool(LATE.search(lines)))
    return students


def _scalar(text: str) -> str:
    text = text.strip()
    if text.startswith("'"):
        return text.strip("'").replace("''", "'")
    if text.startswith('"'):
        try:
            return str(json.loads(text))
        except ValueError:
            return text.strip('"')
    return "" if text in ("~", "null") else text


def restore_names(files: Mapping[str, File]) -> dict[str, File]:
    """Files that were handed to Canvas again, by the names the student gave them: `main.py` for
    `main-1.py`, where no other file has a claim to that name."""
    names = {path: AGAIN.sub(r"\1\2", path) for path in files}
    claims = Counter(names.values())
    kept = {path: name if claims[name] == 1 else path for path, name in names.items()}
    return {kept[path]: replace(file, path=kept[path]) for path, file in files.items()}


def make_readable(text: str) -> str:
    """One line of printable characters, as composed as they can be, and not too long."""
    shown = (each if each.isprintable() or each in JOINERS else " " for each in text)
    words = " ".join(unicodedata.normalize("NFC", "".join(shown)).split())
    return words if len(words) <= LONGEST_NAME else f"{words[: LONGEST_NAME - 1]}…"


def name_owners(students: Mapping[str, Student | None], folders: Collection[str]) -> dict[str, str]:
    """A name for each owner, none twice: that of the student, or of the folder or file without its
    ending; with the id or the ending if others have the same."""
    short, long = {}, {}
    for owner, student in students.items():
        if student is not None:
            short[owner] = make_readable(student.name)
            long[owner] = f"{short[owner]} {student.id or owner}"
        else:
            long[owner] = make_readable(owner)
            short[owner] = long[owner] if owner in folders else ENDING.sub("", long[owner])
    times = Counter(short.values())
    names: dict[str, str] = {}
    for owner in students:
        name = short[owner] if times[short[owner]] == 1 else long[owner]
        numbers = (f"{long[owner]} ({number})" for number in count(2))
        taken = names.values()  # also those that differ only in what cannot be read
        names[owner] = next(each for each in chain([name], numbers) if each not in taken)
    return names
