"""Marks for the gradebook of a course system.  In a worksheet that was downloaded from Canvas or
Moodle, only the cells of the marks change: the rest stays as it is, character by character."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from grader.grading.records import Report, Student, Verdict, Worksheet
from grader.report.grading_class import describe_submission
from grader.report.grading_text import Totals, add_up, group_by, select_marked
from grader.report.text import number, one_line, to_csv
from solver.errors import BYTE_ORDER_MARK, UserError

POINTS = "Points Possible"  # in the row of Canvas with the best marks there can be
CANVAS_HEADS = ("Student", "ID", "SIS Login ID", "Section")
# Where ids and names are looked for, the surest first.
CANVAS_IDS = ("ID", "SIS User ID", "SIS Login ID", "Student")
MOODLE_IDS = ("Identifier", "ID number", "Email address", "Username", "Full name")
ASSIGNMENT = re.compile(r".*\(\d+\)", re.DOTALL)
OUR_COMMENT = re.compile(r"|[\d.]+ of [\d.]+ marks.*", re.DOTALL)
PARTICIPANT = re.compile(r"\D+(\d+)")  # "Participant 657737", in any language


@dataclass
class Sheet:
    """A worksheet as cells; those that are not changed keep their quotation marks."""

    worksheet: Worksheet
    rows: list[list[str]] = field(default_factory=list)  # as they are in the file
    ends: list[list[str]] = field(default_factory=list)  # what follows each cell

    def __post_init__(self) -> None:
        text = self.worksheet.text.removeprefix(BYTE_ORDER_MARK)
        first = text.partition("\n")[0]
        mark = max(",;\t", key=first.count)
        pattern = re.compile(rf'("(?:[^"]|"")*"|(?!")[^{mark}\r\n]*)({mark}|\r?\n|\r|\Z)')
        place = 0
        while place < len(text):
            if not self.rows or self.ends[-1][-1] != mark:
                self.rows.append([])
                self.ends.append([])
            found = pattern.match(text, place)
            if found is None:
                line = text.count("\n", 0, place) + 1
                raise UserError(f"{self.worksheet.name}: line {line}: a quotation mark is wrong")
            self.rows[-1].append(found[1])
            self.ends[-1].append(found[2])
            place = found.end()
        self.heads = [_unquote(cell) for cell in self.rows[0]] if self.rows else []

    def __str__(self) -> str:
        mark = BYTE_ORDER_MARK if self.worksheet.text.startswith(BYTE_ORDER_MARK) else ""
        pairs = zip(self.rows, self.ends, strict=True)
        cells = (cell + end for row, ends in pairs for cell, end in zip(row, ends, strict=True))
        return mark + "".join(cells)

    def get(self, row: int, head: str) -> str:
        """The text of a cell; empty if there is none."""
        column = self.heads.index(head) if head in self.heads else len(self.heads)
        return _unquote(self.rows[row][column]) if column < len(self.rows[row]) else ""

    def put(self, row: int, head: str, text: str) -> None:
        """Replace a cell, if the row has it."""
        column = self.heads.index(head)
        if column < len(self.rows[row]):
            quoted = self.rows[row][column].startswith('"') or not re.fullmatch(r"[\w.]*", text)
            self.rows[row][column] = '"{}"'.format(text.replace('"', '""')) if quoted else text

    def choose_column(self, usual: Callable[[str], object]) -> str:
        """The column that was asked for, by a part of its name; or the only usual one."""
        word = self.worksheet.column.casefold()
        fits = [head for head in self.heads if (word in head.casefold() if word else usual(head))]
        exact = [head for head in fits if head.casefold() == word]
        chosen = exact or fits
        if len(chosen) == 1:
            return chosen[0]
        what = f"several columns fit: {', '.join(chosen)}" if chosen else "no column for marks"
        raise UserError(f"{self.worksheet.name}: {what}. Try --worksheet FILE:COLUMN")

    def find_rows(self, heads: Iterable[str]) -> list[dict[str, int]]:
        """For each column with ids or names, the row of each that is there once."""
        found = []
        for head in heads:
            rows: dict[str, list[int]] = {}
            for row in range(1, len(self.rows)):
                text = self.get(row, head).strip()
                participant = PARTICIPANT.fullmatch(text) if head == MOODLE_IDS[0] else None
                rows.setdefault(participant[1] if participant else text, []).append(row)
            found.append({text: same[0] for text, same in rows.items() if text and len(same) == 1})
        return found


def _unquote(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if cell.startswith('"') else cell


@dataclass(frozen=True)
class Gradebook:
    text: str
    gaps: tuple[str, ...] = ()  # whose marks are missing, in words


def fill_canvas(report: Report) -> Gradebook:
    """Canvas's gradebook with the marks in the column of the assignment; without a worksheet, what
    the download tells."""
    if report.worksheet is None:
        return Gradebook(_new_canvas(report))
    sheet = Sheet(report.worksheet)
    column = sheet.choose_column(ASSIGNMENT.fullmatch)
    heads = [row for row in range(len(sheet.rows)) if POINTS in sheet.get(row, "Student")]
    points = sheet.get(heads[0], column) if heads else ""

    def write(row: int, sums: Totals, _note: str) -> None:
        sheet.put(row, column, _scale(sums, points))

    return _fill(report, sheet, CANVAS_IDS, write)


def fill_moodle(report: Report) -> Gradebook:
    """Moodle's grading worksheet with marks and comments."""
    if report.worksheet is None:
        raise UserError("-o moodle: give Moodle's grading worksheet with --worksheet FILE")
    sheet = Sheet(report.worksheet)
    column = sheet.choose_column(lambda head: head == "Grade")

    def write(row: int, sums: Totals, note: str) -> None:
        if sheet.get(row, "Grade can be changed") == "No":
            return
        sheet.put(row, column, _scale(sums, sheet.get(row, "Maximum Grade")))
        for head in sheet.heads:
            if head == "Feedback comments" and OUR_COMMENT.fullmatch(sheet.get(row, head)):
                sheet.put(row, head, ". ".join(filter(None, (f"{sums.marks} marks", note))))

    return _fill(report, sheet, MOODLE_IDS, write)


FILLERS = {"canvas": fill_canvas, "moodle": fill_moodle}


def _fill(
    report: Report, sheet: Sheet, heads: Iterable[str], write: Callable[[int, Totals, str], None]
) -> Gradebook:
    """Write the marks into the row of each student, and say who has none."""
    columns = sheet.find_rows(heads)
    lost, unjudged = [], []
    filled = set[int]()
    for name, records in group_by("submission", report.records).items():
        student = report.students.get(name, Student(name, name))
        keys = [*student.ids, *name.split(Student.JOINED)]  # such a name is there once
        rows = {key: [rows[key] for rows in columns if key in rows][:1] for key in keys}
        ids = {row for key in student.ids for row in rows[key]}
        found = (ids or {row for each in rows.values() for row in each}) - filled
        marked = select_marked(records)
        if any(record.verdict is Verdict.JUDGE_ERROR for record in marked):
            unjudged.append(name)
            continue
        if len(found) < max(1, len(student.ids)):
            lost.append(name)
        for row in found:
            write(row, add_up(name, marked), describe_submission(records, report.diagnoses))
        filled |= found
    file = sheet.worksheet.name
    said = ((f"{file}: no row for", lost), (f"{file}: left as it was, judge errors:", unjudged))
    gaps = tuple(f"{what} {', '.join(names)}" for what, names in said if names)
    return Gradebook(str(sheet), gaps)


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
