"""A comparison in one of the formats there are; each is a module with `render(report)`."""

from __future__ import annotations

from importlib import import_module

from grader.compare.results import Report

FORMATS = {
    "table": "grader.compare.export.table",
    "json": "grader.compare.export.json",
    "csv": "grader.compare.export.csv",
    "html": "grader.compare.export.html",
}


def render(form: str, report: Report) -> str:
    text: str = import_module(FORMATS[form]).render(report)
    return text
