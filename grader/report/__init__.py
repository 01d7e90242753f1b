"""Gradings, comparisons and matches, rendered for people and for other systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.grading.records import Report

if TYPE_CHECKING:  # a grading loads nothing of the lab
    from grader.lab.compare_results import ComparisonReport
    from grader.lab.match_results import MatchResult

GRADING_FORMATS = {
    "table": "for the terminal: one row per puzzle, or a ranking and a matrix for a class",
    "jsonl": "every record with all its fields, one JSON object per line",
    "csv": "every record, for a spreadsheet",
    "md": "Markdown, for an issue or a chat",
    "html": "one page for the browser with boards, filters and, for a class, a matrix",
    "junit": "JUnit XML (xunit2), for continuous integration",
    "gradescope": "Gradescope's results.json",
}
COMPARISON_FORMATS = ("table", "json", "csv", "html")
MATCH_FORMATS = ("table", "pdn", "json")


def render_grading(form: str, report: Report) -> str:
    """In one of `GRADING_FORMATS`, without what the report's feedback level hides."""
    from grader.grading.feedback import filter_report
    from grader.report import grading_files, grading_html, grading_text

    forms = {
        "table": grading_text.render_table,
        "jsonl": grading_files.render_jsonl,
        "csv": grading_files.render_csv,
        "md": grading_text.render_md,
        "html": grading_html.render_html,
        "junit": grading_files.render_junit,
        "gradescope": grading_files.render_gradescope,
    }
    return forms[form](filter_report(report))


def render_comparison(form: str, report: ComparisonReport, per_case: bool = False) -> str:
    """In one of `COMPARISON_FORMATS`; `per_case` adds every answer to the table."""
    from grader.report import compare

    if form == "table":
        return compare.render_table(report, per_case)
    forms = {"json": compare.render_json, "csv": compare.render_csv, "html": compare.render_html}
    return forms[form](report)


def render_match(form: str, result: MatchResult) -> str:
    """In one of `MATCH_FORMATS`."""
    from grader.report import match

    forms = {"table": match.render_table, "pdn": match.render_pdn, "json": match.render_json}
    return forms[form](result)
