"""Gradings as text, for people and for other systems: one small file for each format."""

from __future__ import annotations

from importlib import import_module

from grader.records import Report

FORMATS = {
    "table": "for the terminal: one row for each puzzle, or a ranking and a matrix for a class",
    "jsonl": "every record with all its fields, one JSON object a line",
    "csv": "every record, for a spreadsheet",
    "md": "Markdown, for an issue or a chat",
    "html": "one page for the browser with boards, filters and, for a class, a matrix",
    "junit": "JUnit XML (xunit2), for continuous integration",
    "gradescope": "Gradescope's results.json",
}


def render(name: str, report: Report) -> str:
    """The report in the format of this name, which is one of `FORMATS`."""
    text: str = import_module(f"grader.report.grading.{name}").render(report)
    return text
