"""The files that go back to Canvas and Moodle: only the marks change, nobody gets lost."""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from support.grader_command import BY_HEART, grader, lay_out
from support.grading_plans import plan, record

from grader.grading.records import Report, Student, Verdict, Worksheet
from grader.report import find_gaps, render_grading
from solver.errors import UserError

CANVAS = (
    'Student,ID,SIS User ID,SIS Login ID,Section,Essay (77),"Checkers, 1 (12345)",Current Score\r\n'
    "    Manual Posting,,,,,,Manual Posting,\r\n"
    "    Points Possible,,,,,10,100.00,(read only)\r\n"
    '"Müller, Zoë",341,S1,zmueller,"A ""1""",9,,90\r\n'
    '"=Smith, Bob",340,S2,bsmith,A 1,8,12,80\r\n'
    '"Hopper, Grace",342,S3,ghopper,A 1,,,\r\n'
)
MOODLE = (
    '\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum Grade",'
    '"Grade can be changed","Last modified (grade)","Feedback comments"\n'
    '"Participant 341","Zoë Müller",z@example.org,"Submitted, - 2 days late",,10.00,Yes,-,\n'
    '"Participant 340","Bob Smith",b@example.org,Submitted,3.00,10.00,Yes,-,"See me,\n""soon"""\n'
    '"Participant 342","Grace Hopper",g@example.org,"No submission",,10.00,Yes,-,\n'
    '"Participant 343","Ada Lovelace",a@example.org,Submitted,9.00,10.00,No,-,'
)
STUDENTS = {
    "student0": Student("Zoë Müller", "341"),
    "student1": Student("Bob Smith", "340"),
    "student2": Student("Ada Lovelace", "343"),
    "student3": Student("Nobody", "999"),
    "student4": Student("Grace Hopper", "342"),
}


def make_report(sheet: str = "", column: str = "") -> Report:
    """All marks, two thirds, all, all, and a judge error."""
    wrong = {"student1": Verdict.ILLEGAL, "student4": Verdict.JUDGE_ERROR}
    records = tuple(
        record(task, wrong.get(task.submission.name, Verdict.EXACT) if last else Verdict.EXACT)
        for task in plan(submissions=5).tasks()
        for last in [task.case.name.endswith("2")]
    )
    worksheet = Worksheet("sheet.csv", sheet, column) if sheet else None
    return Report(records, students=STUDENTS, worksheet=worksheet)


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def find_differences(old: str, new: str) -> dict[tuple[str, str], str]:
    """The cells that have changed, by the name and the head."""
    (heads, *before), (_, *after) = cells(old), cells(new)
    return {
        (row[1], head): cell
        for was, row in zip(before, after, strict=True)
        for head, cell, last in zip(heads, row, was, strict=True)
        if cell != last
    }


def test_canvas_gets_its_gradebook_back() -> None:
    report = make_report(CANVAS, "checkers")
    filled = render_grading("canvas", report)
    assert isinstance(filled, str)
    column = "Checkers, 1 (12345)"
    assert find_differences(CANVAS, filled) == {("341", column): "100", ("340", column): "66.67"}
    assert filled.replace(",9,100,90", ",9,,90").replace(",66.67,", ",12,") == CANVAS
    assert find_gaps("canvas", report) == (
        "sheet.csv: no row for student2, student3",
        "sheet.csv: left as it was, judge errors: student4",
    )


def test_moodle_gets_its_worksheet_back() -> None:
    """With comments where there were none, and without marks that may not be changed."""
    report = make_report(MOODLE)
    filled = render_grading("moodle", report)
    assert isinstance(filled, str)
    assert find_differences(MOODLE, filled) == {
        ("Zoë Müller", "Grade"): "10",
        ("Zoë Müller", "Feedback comments"): "3 of 3 marks",
        ("Bob Smith", "Grade"): "6.67",
    }
    assert filled.startswith("\ufeffIdentifier,")
    again = replace(report, worksheet=Worksheet("sheet.csv", filled))
    assert render_grading("moodle", again) == filled


def test_ids_of_other_columns_and_names_are_found() -> None:
    """Of a group, both rows; of a folder with a login as its name, that one."""
    students = {"student0": Student("Zoë; Bob", "S1; bsmith"), "student1": Student("x", "ghopper")}
    filled = render_grading("canvas", replace(make_report(CANVAS, "Checkers"), students=students))
    assert [row[6] for row in cells(str(filled))[3:]] == ["100", "100", "66.67"]


def test_a_new_file_for_canvas_is_no_formula() -> None:
    report = replace(make_report(), students={"student0": Student("=1+1", "341")}, title="Checkers")
    assert cells(str(render_grading("canvas", report)))[:4] == [
        ["Student", "ID", "SIS Login ID", "Section", "Checkers"],
        ["    Points Possible", "", "", "", "3"],
        ["'=1+1", "341", "", "", "3"],
        ["student1", "", "student1", "", "2"],
    ]


@pytest.mark.parametrize(
    ("form", "sheet", "said"),
    [
        ("moodle", "", "give Moodle's grading worksheet with --worksheet FILE"),
        ("moodle", "a,b\n", "sheet.csv: no column for marks"),
        ("moodle", 'Grade,b\n"a\n', "sheet.csv: line 2: unexpected end of data"),
        ("canvas", CANVAS, r"several columns fit: Essay \(77\), Checkers, 1 \(12345\)"),
    ],
)
def test_worksheets_that_cannot_be_filled_in(form: str, sheet: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        find_gaps(form, make_report(sheet))


def test_a_download_goes_back_to_its_course(tmp_path: Path) -> None:
    """The whole round, then again from the journal, and with another worksheet."""
    lay_out(tmp_path, names=["take-one"])
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as zipped:
        for name in ("Zoë Müller_341", "Bob Smith_340"):
            entry = zipfile.ZipInfo(f"{name}_assignsubmission_file_/solve.sh")
            entry.external_attr = 0o755 << 16
            zipped.writestr(entry, BY_HEART if "341" in name else "#!/bin/sh\n")
        zipped.writestr("Ada Lovelace_343_assignsubmission_file_/work.rar", b"Rar!")
    (tmp_path / "sheet.csv").write_text(MOODLE, newline="")
    words = ["class", "class.zip", "-j", "1", "--sandbox", "off", "-o", "moodle:filled.csv"]
    refused = grader(*words, cwd=tmp_path)
    assert (refused.returncode, "--worksheet FILE" in refused.stderr) == (2, True)
    result = grader(*words, "--worksheet", "sheet.csv", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "class.zip: a download from Moodle: 3 submissions, 0 late" in result.stderr
    assert "Ada Lovelace: cannot be run: work.rar: cannot be unpacked." in result.stderr
    filled = (tmp_path / "filled.csv").read_text(encoding="utf-8")
    grades = {name: cell for (name, head), cell in find_differences(MOODLE, filled).items()}
    assert grades == {"Zoë Müller": "1 of 1 marks", "Bob Smith": "0"}
    for command in ("resume", "export"):
        (tmp_path / "filled.csv").unlink()
        again = ["moodle:filled.csv"] if command == "export" else []
        assert grader(command, *again, cwd=tmp_path).returncode == 0
        assert (tmp_path / "filled.csv").read_text(encoding="utf-8") == filled
    (tmp_path / "canvas.csv").write_text(CANVAS, newline="")
    words = ["export", "canvas:canvas-filled.csv", "--worksheet", "canvas.csv:Essay"]
    assert "no row for Ada Lovelace" in grader(*words, cwd=tmp_path).stderr
    assert cells((tmp_path / "canvas-filled.csv").read_text())[3][5] == "10"
