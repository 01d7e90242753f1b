"""A comparison in one of the formats there are; each is a module with `render(report)`."""

from __future__ import annotations

from importlib import import_module

from grader.compare.results import Report

FORMATS = {
    "table": "grader.report.compare.table",
    "json": "grader.report.compare.json",
    "csv": "grader.report.compare.csv",
    "html": "grader.report.compare.html",
}


def render(form: str, report: Report) -> str:
    text: str = import_module(FORMATS[form]).render(report)
    return text
