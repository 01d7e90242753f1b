"""Sentences in lines that fit a terminal."""

from __future__ import annotations

import textwrap

WIDTH = 100


def wrapped(text: str, indent: str = "") -> str:
    """Every line broken between words, never within a move; what follows a break is indented."""
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
        for line in text.split("\n")
    )
