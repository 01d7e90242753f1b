"""One page with plots."""

from __future__ import annotations

from grader.match.results import MatchResult
from grader.report.page.match_page import match_page


def render(result: MatchResult) -> str:
    return match_page(result)
