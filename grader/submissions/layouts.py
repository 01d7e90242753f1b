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

from grader.grading.records import Student
from grader.sandbox.job import File
from grader.submissions.archive import is_left_out

CANVAS, MOODLE, GRADESCOPE = "Canvas", "Moodle", "Gradescope"
METADATA = "submission_metadata.yml"
CANVAS_FILE = re.compile(
    r"(?P<name>.+?)(?P<late>_LATE)?_(?P<id>\d+)_(?:\d+_(?P<path>.+)|(?:text|link)\.html)", re.DOTALL
)
MOODLE_ENTRY = re.compile(
    r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)_?(?P<path>.*)", re.DOTALL
)
AGAIN = re.compile(r"(.+)-\d+(\.\w+)")  # what Canvas makes of the name of a file handed in again
KEY = re.compile(r"(?P<indent> *)(?P<item>- )?:?(?P<key>\w+):(?: +(?P<value>.*))?")
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
    find_place: Callable[[str], Place | None]  # None: the file is nobody's

    def locate(self, path: str) -> Place | None:
        inside = path.removeprefix(self.top)
        return self.find_place(inside) if path.startswith(self.top) and inside else None


def recognise_layout(paths: Collection[str], metadata: str, may_strip: bool) -> Layout:
    """By the names in the outermost folder, or in the only folder there; `metadata` is what
    Gradescope tells about its submissions.  Where no course system is recognised, the only folder
    counts as the one around all students if `may_strip`."""
    names = _names_at_top(paths)
    top = f"{names[0]}/" if len(names) == 1 and names[0] not in paths else ""
    for around in dict.fromkeys(("", top)):
        names = _names_at_top(path.removeprefix(around) for path in paths)
        if METADATA in names:
            return Layout(GRADESCOPE, around, partial(_place_gradescope, read_students(metadata)))
        for name, pattern, place in (
            (MOODLE, MOODLE_ENTRY, _place_moodle),
            (CANVAS, CANVAS_FILE, _place_canvas),
        ):
            if 2 * sum(bool(pattern.fullmatch(each)) for each in names) > len(names):
                return Layout(name, around, place)
    return Layout("", top if may_strip else "", _place_plain)


def _names_at_top(paths: Iterable[str]) -> list[str]:
    names = dict.fromkeys(path.split("/")[0] for path in paths)
    return [name for name in names if name and not is_left_out(name)]


def _place_plain(path: str) -> Place:
    top, slash, rest = path.partition("/")
    return Place(top, rest if slash else top)


def _place_canvas(path: str) -> Place | None:
    found = CANVAS_FILE.fullmatch(path)
    if found is None:
        return None
    student = Student(make_readable(found["name"]), found["id"], bool(found["late"]))
    return Place(found["id"], found["path"] or path, student)


def _place_moodle(path: str) -> Place | None:
    top, _, rest = path.partition("/")
    found = MOODLE_ENTRY.fullmatch(top)
    if found is None or found["kind"] != "file":
        return None  # such as a text that was typed into a form
    inside = "/".join(part for part in (found["path"], rest) if part)
    return Place(found["id"], inside, Student(make_readable(found["name"]), found["id"]))


def _place_gradescope(students: Mapping[str, Student], path: str) -> Place | None:
    top, slash, rest = path.partition("/")
    return Place(top, rest, students.get(top)) if slash else None


def read_students(metadata: str) -> dict[str, Student]:
    """The students of each folder: the few lines of Gradescope's YAML that say who they are.
    A group has handed in together: its names and ids are joined."""
    found: dict[str, list[dict[str, str]]] = {}
    late: set[str] = set()
    folder = section = ""
    for line in metadata.splitlines():
        match = KEY.fullmatch(line)
        if match is None:
            continue
        indent, key, value = len(match["indent"]), match["key"], _scalar(match["value"] or "")
        if indent == 0 and not match["item"]:
            folder, section = key, ""
        elif indent == 2 and not match["item"]:
            section = key
            if key in ("late", "lateness") and value.strip("0:. ") not in ("", "false"):
                late.add(folder)
        elif section == "submitters" and indent <= 4:
            if match["item"]:
                found.setdefault(folder, []).append({})
            if folder in found:
                found[folder][-1][key] = make_readable(value)
    return {
        folder: Student(
            Student.JOINED.join(each.get("name") or "unknown" for each in group),
            Student.JOINED.join(each.get("sid") or each.get("email", "") for each in group),
            folder in late,
        )
        for folder, group in found.items()
    }


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


def restore_names(files: tuple[File, ...]) -> tuple[File, ...]:
    """Files that were handed to Canvas again, by the names the student gave them: `main.py` for
    `main-1.py`, where no other file has a claim to that name."""
    names = {file.path: AGAIN.sub(r"\1\2", file.path) for file in files}
    claims = Counter(names.values())
    return tuple(
        replace(file, path=names[file.path]) if claims[names[file.path]] == 1 else file
        for file in files
    )


def make_readable(text: str) -> str:
    """One line of printable characters, as composed as they can be, and not too long."""
    shown = (each if each.isprintable() or each in JOINERS else " " for each in text)
    words = " ".join(unicodedata.normalize("NFC", "".join(shown)).split())
    return words if len(words) <= LONGEST_NAME else f"{words[: LONGEST_NAME - 1]}…"


def name_owners(students: Mapping[str, Student | None], folders: Collection[str]) -> dict[str, str]:
    """A name for each owner, none twice: that of the student, with the id if another student has
    the same; else that of the folder or file, without its ending if that is enough."""
    short, long = {}, {}
    for owner, student in students.items():
        short[owner] = long[owner] = make_readable(owner)
        if student is not None:
            short[owner] = make_readable(student.name)
            long[owner] = f"{short[owner]} {student.id or owner}"
        elif owner not in folders:
            short[owner] = make_readable(re.sub(r"(?<=.)(\.tar\.gz|\.[^.]*)$", "", owner))
    times = Counter(short.values()) + Counter(
        name for owner, name in long.items() if short[owner] != name
    )
    names: dict[str, str] = {}
    for owner in students:
        name = short[owner] if times[short[owner]] == 1 else long[owner]
        number = 1
        while name in names.values():  # names that differ only in what cannot be read
            number += 1
            name = f"{long[owner]} ({number})"
        names[owner] = name
    return names
