"""Wrapped paragraphs and plain tables for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

WIDTH = 100


def wrap(text: str, indent: str = "") -> str:
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
        for line in text.split("\n")
    )


def render_table(rows: Sequence[Sequence[object]], head: Sequence[str], left: int = 1) -> str:
    """A plain table: the first columns left-aligned, numbers right-aligned.  Below a column
    without a title there is no line."""
    cells = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    rules = ("-" * width if title else "" for title, width in zip(head, widths, strict=True))
    lines.insert(1, "  ".join(rules).rstrip())
    return "\n".join(lines)
