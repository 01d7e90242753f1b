"""Who is in a class, from the lists that course systems export: a gradebook of Canvas, a list of
participants or a grading worksheet of Moodle, a roster of Gradescope, or a plain list of ids."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from pathlib import Path

from grader.grading.records import Student
from solver.errors import FileError, UserError

IDS = (
    *("id", "identifier", "student id", "studentid", "id number", "sid", "sis user id"),
    *("username", "sis login id", "login", "email", "email address"),
)
NAMES = ("name", "student", "student name", "full name")
FIRST, LAST = ("first name", "given name"), ("last name", "surname", "family name")
UNSAFE = re.compile(r"[^\w.@+-]")
LARGEST = 10_000_000  # bytes


def read_roster(path: Path) -> list[Student]:
    """The students of a file, each with an id: without one it is the name."""
    rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(_read(path)))]
    rows = [row for row in rows if any(row)]
    heads = [cell.lower() for cell in rows[0]] if rows else []

    def column(names: Iterable[str]) -> int | None:
        return next((heads.index(name) for name in names if name in heads), None)

    at, name = column(IDS), column(NAMES)
    first, last = column(FIRST), column(LAST)
    if at is None and name is None and first is None:
        at, name = 0, 1  # no line of heads: ids, and perhaps names
    else:
        rows = rows[1:]
    students = []
    for row in rows:
        full = " ".join(filter(None, (_cell(row, first), _cell(row, last)))) or _cell(row, name)
        found = _cell(row, at).removeprefix("Participant ")  # Moodle's worksheet
        # Canvas has a line of points that belongs to nobody.
        if found or (full and at is None):
            students.append(Student(full or found, found or full))
    folders = [folder_of(student) for student in students]
    twice = sorted({folder for folder in folders if folders.count(folder) > 1})
    if twice or not students:
        fault = f"these ids are there twice: {', '.join(twice)}" if twice else "no students found"
        raise UserError(f"{path}: {fault}. A roster has a column 'id' or 'name', or one id a line.")
    return students


def write_roster(students: Iterable[Student]) -> str:
    """What `read_roster` reads."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([("id", "name"), *((student.id, student.name) for student in students)])
    return text.getvalue()


def folder_of(student: Student) -> str:
    """The name of a student's folder, whatever the id is made of."""
    return UNSAFE.sub("_", student.id).lstrip(".") or "_"


def _cell(row: list[str], column: int | None) -> str:
    return "" if column is None or column >= len(row) else row[column]


def _read(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise UserError(f"{path}: more than {LARGEST} bytes, too large for a roster")
        return content.decode("utf-8-sig")
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: not UTF-8 text") from None
