"""Marks for the gradebook of a course system.  In a worksheet that was downloaded from Canvas or
Moodle, only the cells of the marks change, and empty comments."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.grading.records import Report, Student, Verdict, Worksheet
from grader.report.grading_class import describe_submission
from grader.report.grading_text import Totals, add_up, group_by, select_marked
from grader.report.text import number, one_line, to_csv
from solver.errors import BYTE_ORDER_MARK, UserError

FORMATS = ("canvas", "moodle")
POINTS = "Points Possible"  # in the row of Canvas with the best marks there can be
CANVAS_HEADS = ("Student", "ID", "SIS Login ID", "Section")
PARTICIPANTS = "Identifier"  # a column of Moodle: "Participant 657737", in any language
COMMENTS = "Feedback comments"
# Where ids and names are looked for, the surest first: by Canvas, then by Moodle.
IDS = (
    *("ID", "SIS User ID", "SIS Login ID", "Student"),
    *(PARTICIPANTS, "ID number", "Email address", "Username", "Full name"),
)
MARKS = re.compile(r"Grade|.*\(\d+\)", re.DOTALL)  # the usual column: of Moodle, of Canvas
OUR_COMMENT = re.compile(r"|[\d.]+ of [\d.]+ marks.*", re.DOTALL)


class Sheet:
    """A worksheet as cells, and back."""

    def __init__(self, worksheet: Worksheet) -> None:
        self.worksheet = worksheet
        text = worksheet.text.removeprefix(BYTE_ORDER_MARK)
        self.mark = max(",;\t", key=text.partition("\n")[0].count)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=self.mark, strict=True)
        try:
            self.heads: list[str] = next(reader, [])
            self.rows: list[list[str]] = list(reader)
        except csv.Error as error:
            raise UserError(f"{worksheet.name}: line {reader.line_num}: {error}") from None

    def __str__(self) -> str:
        text = self.worksheet.text
        out = io.StringIO()
        end = "\r\n" if "\r\n" in text else "\n"
        writer = csv.writer(out, delimiter=self.mark, lineterminator=end)
        writer.writerows([self.heads, *self.rows])
        return (BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else "") + out.getvalue()

    def get(self, row: list[str], head: str) -> str:
        """The text of a cell; empty if there is none."""
        column = self.heads.index(head) if head in self.heads else len(row)
        return row[column].strip() if column < len(row) else ""

    def put(self, row: list[str], head: str, text: str) -> None:
        """Replace a cell, if the row has it."""
        if self.heads.index(head) < len(row):
            row[self.heads.index(head)] = text

    def choose_column(self) -> str:
        """The column that was asked for, by a part of its name; or the only usual one."""
        word = self.worksheet.column.casefold()
        fits = list(filter(MARKS.fullmatch, self.heads))
        if word:
            fits = [head for head in self.heads if word in head.casefold()]
            fits = [head for head in fits if head.casefold() == word] or fits
        if len(fits) == 1:
            return fits[0]
        what = f"several columns fit: {', '.join(fits)}" if fits else "no column for marks"
        raise UserError(f"{self.worksheet.name}: {what}. Try --worksheet FILE:COLUMN")

    def find_rows(self) -> Iterator[dict[str, int]]:
        """For each column with ids or names, the row of each that is there once."""
        for head in IDS:
            rows: dict[str, list[int]] = {}
            for place, row in enumerate(self.rows):
                text = self.get(row, head)
                key = re.sub(r"^\D+(?=\d+$)", "", text) if head == PARTICIPANTS else text
                rows.setdefault(key, []).append(place)
            yield {key: same[0] for key, same in rows.items() if key and len(same) == 1}


@dataclass(frozen=True)
class Gradebook:
    text: str
    gaps: tuple[str, ...] = ()  # whose marks are missing, in words


def fill_gradebook(form: str, report: Report) -> Gradebook:
    """The worksheet of Canvas or Moodle with the marks in the row of each student, and who has
    none.  Without a worksheet, a new gradebook for Canvas."""
    if report.worksheet is None and form == "moodle":
        raise UserError("-o moodle: give Moodle's grading worksheet with --worksheet FILE")
    if report.worksheet is None:
        return Gradebook(_new_canvas(report))
    sheet = Sheet(report.worksheet)
    column = sheet.choose_column()
    places = list(sheet.find_rows())
    lost, unjudged = [], []
    filled = set[int]()
    for name, records in group_by("submission", report.records).items():
        student = report.students.get(name, Student(name, name))
        keys = [*student.ids, *name.split(Student.JOINED)]  # such a name is there once
        rows = {key: [rows[key] for rows in places if key in rows][:1] for key in keys}
        ids = {row for key in student.ids for row in rows[key]}
        found = (ids or {row for each in rows.values() for row in each}) - filled
        marked = select_marked(records)
        if any(record.verdict is Verdict.JUDGE_ERROR for record in marked):
            unjudged.append(name)
            continue
        if len(found) < max(1, len(student.ids)):
            lost.append(name)
        note = describe_submission(records, report.diagnoses)
        for row in found:
            _fill_row(sheet, sheet.rows[row], column, add_up(name, marked), note)
        filled |= found
    file = sheet.worksheet.name
    said = ((f"{file}: no row for", lost), (f"{file}: left as it was, judge errors:", unjudged))
    gaps = tuple(f"{what} {', '.join(names)}" for what, names in said if names)
    return Gradebook(str(sheet), gaps)


def _fill_row(sheet: Sheet, row: list[str], column: str, sums: Totals, note: str) -> None:
    """Marks, and a comment where there is none but an earlier one of ours."""
    if sheet.get(row, "Grade can be changed") == "No":
        return
    points = (
        sheet.get(each, column) for each in sheet.rows if POINTS in sheet.get(each, "Student")
    )
    sheet.put(row, column, _scale(sums, sheet.get(row, "Maximum Grade") or next(points, "")))
    if COMMENTS in sheet.heads and OUR_COMMENT.fullmatch(sheet.get(row, COMMENTS)):
        sheet.put(row, COMMENTS, ". ".join(filter(None, (f"{sums.marks} marks", note))))


def _scale(sums: Totals, most: str) -> str:
    """The marks, as a part of the best marks in the course system."""
    known = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*", most)
    if known is None or not sums.max_score:
        return number(sums.score)
    return number(sums.score * float(known[1]) / sums.max_score)


def _new_canvas(report: Report) -> str:
    column = one_line(report.title)
    groups = group_by("submission", select_marked(report.records))
    most = max((add_up("", own).max_score for own in groups.values()), default=0.0)
    rows: list[dict[str, str]] = [{"Student": f"    {POINTS}", column: number(most)}]
    for name, own in groups.items():
        student = report.students.get(name)
        score = number(add_up("", own).score)
        if student is None:
            rows.append({"Student": name, "SIS Login ID": name, column: score})
            continue
        for each in student.ids or [""]:
            rows.append({"Student": student.name, "ID": each, column: score})
    return to_csv([*CANVAS_HEADS, column], rows)
