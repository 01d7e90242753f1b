"""A match in one of the formats there are; each is a module with `render(result)`."""

from __future__ import annotations

from importlib import import_module

from grader.match.results import MatchResult

FORMATS = {
    "table": "grader.match.export.table",
    "pdn": "grader.match.export.pdn",
    "json": "grader.match.export.json",
    "csv": "grader.match.export.csv",
    "html": "grader.match.export.html",
}


def render(form: str, result: MatchResult) -> str:
    text: str = import_module(FORMATS[form]).render(result)
    return text
