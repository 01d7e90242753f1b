"""Numbers with their intervals, short enough to stand beside a plot."""

from __future__ import annotations

from math import isinf

from grader.report.page.axis import MINUS
from grader.stats.elo import Strength
from grader.stats.ratios import Ratio
from grader.stats.shares import Share

TIMES = "\N{MULTIPLICATION SIGN}"
NOTHING = "-"


def times(ratio: float | None) -> str:
    """So much of the reference, as `0.45` and the sign for times."""
    return NOTHING if ratio is None else f"{_digits(ratio)} {TIMES}"


def ratio_words(ratio: Ratio | None) -> str:
    if ratio is None:
        return NOTHING
    return f"{times(ratio.ratio)} [{_digits(ratio.low)}, {_digits(ratio.high)}]"


def share_words(share: Share) -> str:
    """`45 of 60, 75 % [63, 84]`."""
    if not share.of:
        return NOTHING
    low, high = (f"{100 * end:.0f}" for end in (share.low, share.high))
    return f"{share.kept} of {share.of}, {100 * share.share:.0f} % [{low}, {high}]"


def elo_words(strength: Strength) -> str:
    ends = f"[{signed(strength.elo_low)}, {signed(strength.elo_high)}]"
    return f"{signed(strength.elo)} {ends}"


def nelo_words(strength: Strength) -> str:
    ends = f"[{signed(strength.nelo_low)}, {signed(strength.nelo_high)}]"
    return f"{signed(strength.nelo)} {ends}"


def signed(value: float) -> str:
    """One decimal at most, and a sign that is as wide as a digit."""
    digits = "\N{INFINITY}" if isinf(value) else f"{abs(value):.0f}"
    if abs(value) < 9.95:
        digits = f"{abs(value):.1f}"
    return digits if digits == "0.0" else f"{MINUS if value < 0 else '+'}{digits}"


def _digits(ratio: float) -> str:
    """Two or three that say something, or as many as there are before the point."""
    if isinf(ratio):
        return "\N{INFINITY}"
    if ratio >= 1000:
        return f"{ratio:,.0f}"
    if ratio >= 0.0995:
        return f"{ratio:.{0 if ratio >= 99.5 else 1 if ratio >= 9.95 else 2}f}"
    return f"{ratio:#.2g}" if ratio else "0"
