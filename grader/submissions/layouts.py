"""Whose file is whose in the download of a whole class: the names that Canvas, Moodle and
Gradescope give, or a folder, archive or program for each student."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count

from grader.grading.records import Student
from grader.sandbox.job import File
from grader.submissions.archive import Member, SubmissionArchive, is_left_out
from solver.errors import UserError

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
FOLDER = re.compile(r"^(\w+):$", re.MULTILINE)
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
    text = (content or b"").decode("utf-8", "replace").replace("\r\n", "\n")
    _, *parts = FOLDER.split(text)
    students = {}
    for folder, lines in zip(parts[::2], parts[1::2], strict=True):
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
    if text.startswith('"'):
        with suppress(ValueError):
            return str(json.loads(text))
    return "" if text in ("~", "null") else text.strip("'\"").replace("''", "'")


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


@dataclass
class HandIn:
    """What belongs to one owner in a download."""

    owner: str
    archive: SubmissionArchive
    student: Student | None = None
    is_folder: bool = False
    fault: str = ""
    name: str = ""


def sort_by_owner(members: Iterable[Member], layout: Layout) -> tuple[list[HandIn], set[str]]:
    """The files of a download, and the names of what belongs to nobody."""
    found: dict[str, HandIn] = {}
    left = set()
    for member in members:
        path = member.path.removeprefix(layout.top)
        top = path.split("/")[0]
        if not path or top == METADATA or (is_left_out(top) and top != ".."):
            continue
        place = layout.find_place(path)
        if place is None or top in ("", ".."):
            left.add(top or path)
            continue
        each = found.setdefault(place.owner, HandIn(place.owner, SubmissionArchive(top)))
        each.is_folder |= "/" in path
        if each.student is None or not each.student.late:
            each.student = place.student
        try:
            if place.path and not each.fault:
                each.archive.add(place.path, member)
        except UserError as error:
            each.archive.files.clear()
            each.fault = str(error)
    hand_ins = list(found.values())
    for each in hand_ins if layout.name == CANVAS else ():
        each.archive.files = restore_names(each.archive.files)
    _name_all(hand_ins)
    return hand_ins, left


def _name_all(hand_ins: list[HandIn]) -> None:
    """No name twice: that of the student, or of the folder or file without its ending; with the id
    or the ending if others have the same."""
    long = {}
    for each in hand_ins:
        name = make_readable(each.student.name if each.student else each.owner)
        long[each.owner] = f"{name} {each.student.id or each.owner}" if each.student else name
        each.name = name if each.student or each.is_folder else ENDING.sub("", name)
    times = Counter(each.name for each in hand_ins)
    taken: set[str] = set()
    for each in hand_ins:
        first = each.name if times[each.name] == 1 else long[each.owner]
        numbers = (f"{long[each.owner]} ({number})" for number in count(2))
        # Some names differ only in what cannot be read.
        each.name = next(name for name in chain([first], numbers) if name not in taken)
        taken.add(each.name)
