"""A match in one of the formats there are; each is a module with `render(result)`."""

from __future__ import annotations

from importlib import import_module

from grader.match.results import MatchResult

FORMATS = {
    "table": "grader.report.match.table",
    "pdn": "grader.report.match.pdn",
    "json": "grader.report.match.json",
    "csv": "grader.report.match.csv",
    "html": "grader.report.match.html",
}


def render(form: str, result: MatchResult) -> str:
    text: str = import_module(FORMATS[form]).render(result)
    return text
