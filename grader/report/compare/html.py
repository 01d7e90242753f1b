"""One page with plots."""

from __future__ import annotations

from grader.compare.results import Report
from grader.report.page.compare_page import compare_page


def render(report: Report) -> str:
    return compare_page(report)
