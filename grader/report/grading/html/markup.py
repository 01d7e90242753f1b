"""Text as HTML."""

from __future__ import annotations

from html import escape

from grader.report.grading.wording import printable


def escaped(text: str) -> str:
    """Harmless in an element and in a quoted attribute."""
    return escape(printable(text), quote=True)
