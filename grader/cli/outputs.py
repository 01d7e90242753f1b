"""The forms of a grading: what each can hold, and how it is written."""

from __future__ import annotations

from pathlib import Path

from grader.cli.forms import Form, checked_forms, write_forms
from grader.grading.records import Report
from grader.report import render_grading
from solver.errors import UserError

OF_ONE_STUDENT = {"gradescope"}
LIVE = {"gradescope"}  # written anew after every record: whoever stops the grader has a result
REMEDY = "Nothing is lost: 'grader export' writes it again from the journal."


def checked(forms: list[Form] | None, journal: str | Path, submissions: int = 1) -> list[Form]:
    """The forms, with the table if nothing else goes to the screen; fails if one cannot be
    written, or cannot hold so many submissions."""
    for each in forms or ():
        if submissions > 1 and each.name in OF_ONE_STUDENT:
            raise UserError(
                f"-o {each.name}: these are the results of one student, and here are"
                f" {submissions}. Use 'grader run' for each, or csv or html for all."
            )
    return checked_forms(forms, journal)


def write_all(forms: list[Form], report: Report) -> None:
    write_forms(forms, lambda name: render_grading(name, report), REMEDY)
