"""What a position is about, for who wants a nudge and not the answer."""

from __future__ import annotations

from typing import NamedTuple


class Theme(NamedTuple):
    """`about` completes "Think of ..."; the idea is one more sentence.  Neither names a square
    nor a number in digits, so that no hint can give the move away by accident."""

    name: str
    about: str
    idea: str
