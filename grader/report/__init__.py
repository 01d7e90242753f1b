"""Gradings, comparisons and matches, rendered for people and for other systems."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from grader.grading.records import Report

if TYPE_CHECKING:  # a grading loads nothing of the lab
    from grader.lab.compare_results import ComparisonReport
    from grader.lab.match_results import MatchResult

Output = str | dict[str, str]  # one text, or the texts of a folder by the names of their files

GRADING_FORMATS = {
    "table": "for the terminal: one row per puzzle, or a ranking and a matrix for a class",
    "marks": "CSV with one row per student: marks, share, a column per group of puzzles, a note",
    "records": "one row per answer with all its fields: CSV in a .csv file, otherwise JSON Lines",
    "html": "one page for the browser: the answers of a student, or a whole class",
    "md": "Markdown, for an issue or a chat",
    "junit": "JUnit XML (xunit2), for continuous integration",
    "gradescope": "results.json of one student; in a folder one for each",
    "canvas": "Canvas's gradebook (--worksheet) with the marks, or a new one",
    "moodle": "Moodle's grading worksheet (--worksheet) with marks and comments",
    "feedback": "a folder with one page and one Markdown file for each student",
}
# What the name of a file says about its format; the first that fits counts.
GRADING_FILES = {
    "records*.csv": "records",
    "*.csv": "marks",
    "*.jsonl": "records",
    "*.html": "html",
    "*.md": "md",
    "*.xml": "junit",
}
COMPARISON_FORMATS = ("table", "csv", "html")
MATCH_FORMATS = ("table", "pdn")


def is_folder(form: str, path: str) -> bool:
    """Whether a format writes a folder with the files of each student to this path."""
    results = form == "gradescope" and path != "-" and not path.endswith(".json")
    return results or form == "feedback"


def render_grading(form: str, report: Report, path: str = "-") -> Output:
    """In one of `GRADING_FORMATS`, without what the report's feedback level hides.  `path` is where
    it goes, which makes a difference to some of them."""
    from grader.grading.feedback import filter_report, split_report
    from grader.report import gradebook, grading_class, grading_files, grading_html, grading_text
    from grader.report.text import file_names

    if form == "records" and path.endswith(".csv"):
        form = "records.csv"
    forms: dict[str, Callable[[Report], str]] = {
        "table": grading_text.render_table,
        "marks": grading_class.render_marks,
        "records": grading_files.render_jsonl,
        "records.csv": grading_files.render_csv,
        "html": grading_html.render_html,
        "md": grading_text.render_md,
        "junit": grading_files.render_junit,
        "gradescope": grading_files.render_gradescope,
        "canvas": lambda own: gradebook.fill_gradebook(form, own).text,
        "moodle": lambda own: gradebook.fill_gradebook(form, own).text,
    }
    if not is_folder(form, path):
        return forms[form](filter_report(report))
    files = {"{}/results.json": forms["gradescope"]}
    if form == "feedback":
        files = {"{}.html": forms["html"], "{}.md": forms["md"]}
    students = split_report(report, hidden=form != "feedback")
    names = file_names(students)
    return {
        file.format(names[name]): render(filter_report(own))
        for name, own in students.items()
        for file, render in files.items()
    }


def find_gaps(form: str, report: Report) -> tuple[str, ...]:
    """Whose marks are not in a result of this format, in words; `UserError` if it cannot be made
    from the report's worksheet."""
    from grader.report.gradebook import FORMATS, fill_gradebook

    return fill_gradebook(form, report).gaps if form in FORMATS else ()


def render_comparison(form: str, report: ComparisonReport) -> str:
    """In one of `COMPARISON_FORMATS`."""
    from grader.report import compare

    forms = {"table": compare.render_table, "csv": compare.render_csv, "html": compare.render_html}
    return forms[form](report)


def render_match(form: str, result: MatchResult) -> str:
    """In one of `MATCH_FORMATS`."""
    from grader.report import match

    forms = {"table": match.render_table, "pdn": match.render_pdn}
    return forms[form](result)
