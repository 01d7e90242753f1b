"""Tables for the terminal: how rows, shares and ratios are set."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf

from tabulate import tabulate

from grader.stats.ratios import Ratio
from grader.stats.shares import Share

NOTHING = "-"


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """With so many columns of words at the left; numbers stand at the right."""
    aligned = ["left" if index < words else "right" for index in range(len(headers))]
    drawn = tabulate(rows, list(headers), colalign=aligned, disable_numparse=True)
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


def times(ratio: float | None) -> str:
    """So much of something else: `0.45 x`."""
    return NOTHING if ratio is None else f"{_digits(ratio)} x"


def times_of_reference(ratio: Ratio | None) -> str:
    """With its interval."""
    if ratio is None:
        return NOTHING
    return f"{times(ratio.ratio)} [{_digits(ratio.low)}, {_digits(ratio.high)}]"


def share(share: Share) -> str:
    """`45 of 60`."""
    return f"{share.kept} of {share.of}" if share.of else NOTHING


def share_with_interval(share: Share) -> str:
    """`75.0 % [62.8, 84.2]`."""
    if not share.of:
        return NOTHING
    return f"{100 * share.share:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def number(value: float | None, digits: int = 2) -> str:
    return NOTHING if value is None else f"{value:,.{digits}f}"


def count(value: int) -> str:
    return f"{value:,}"


def seconds(value: float, digits: int = 2) -> str:
    return f"{value:.{digits}f} s"


def _digits(ratio: float) -> str:
    if isinf(ratio):
        return "inf"
    if ratio >= 100:
        return f"{ratio:,.0f}"
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}" if ratio >= 0.01 else f"{ratio:.2g}"
