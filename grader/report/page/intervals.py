"""Intervals: a dot for what was found, a whisker for where the truth may be, and a line to be on
one side of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan

from grader.report.page.axis import Axis, linear, logarithmic, shown
from grader.report.page.bars import ROW, name_and_value
from grader.report.page.svg import WIDTH, element, line, marker, picture, text, upright_grid

LEFT, RIGHT, FOOT = 8.0, WIDTH - 8, 40.0
CAP = 5.0


@dataclass(frozen=True)
class Interval:
    """An end may be infinite, and the value too, where too little is known."""

    name: str
    value: float
    low: float
    high: float
    label: str

    @property
    def known(self) -> bool:
        return not (isnan(self.value) or isnan(self.low) or isnan(self.high))


def interval_plot(
    title: str,
    intervals: Sequence[Interval],
    unit: str,
    zero: float | None = None,
    log: bool = False,
    label: Callable[[float], str] = shown,
) -> str:
    """`zero` is the value that says nothing: 0 of a difference, 1 of a ratio."""
    ends = [end for each in intervals if each.known for end in (each.low, each.value, each.high)]
    values = ends if zero is None else [*ends, zero]
    axis = (logarithmic if log else linear)(_widened(values, log), LEFT, RIGHT)
    bottom = ROW * len(intervals)
    parts = upright_grid(axis, 0, bottom, label)
    if zero is not None:
        parts.append(line(axis.at(zero), 0, axis.at(zero), bottom, "zero"))
    parts += [_row(each, place * ROW, axis) for place, each in enumerate(intervals)]
    foot = f"{unit} (log scale)" if log else unit
    parts.append(text(WIDTH / 2, bottom + 34, foot, "title", "middle"))
    words = "; ".join(f"{each.name} {each.label}" for each in intervals) or "nothing"
    return picture(f"{title}, {unit}: {words}", bottom + FOOT, parts)


def _widened(values: list[float], log: bool) -> list[float]:
    """With room for the arrow of an interval that does not end."""
    finite = [value for value in values if isfinite(value) and not (log and value <= 0)]
    if not finite:
        return []
    low, high = min(finite), max(finite)
    beyond = [low / 2, high * 2] if log else [low - (high - low) / 8, high + (high - low) / 8]
    if all(value >= low for value in values):
        beyond[0] = low
    if inf not in values:
        beyond[1] = high
    return [*finite, *beyond]


def _row(interval: Interval, top: float, axis: Axis) -> str:
    words = name_and_value(interval.name, interval.label, top)
    if not interval.known:
        return words
    y = top + 27
    low, high = axis.at(interval.low), axis.at(interval.high)
    whisker = line(low, y, high, y, "whisker")
    no_low = interval.low == -inf or (axis.log and interval.low <= 0)
    ends = _end(low, y, -1, no_low) + _end(high, y, 1, interval.high == inf)
    dot = marker(0, axis.at(interval.value), y) if isfinite(interval.value) else ""
    return words + whisker + ends + dot


def _end(x: float, y: float, side: int, endless: bool) -> str:
    """A cap, or an arrow."""
    if endless:
        d = f"M{x + side * CAP:.1f} {y:.1f}l{-side * 7} -4.5v9z"
        return element("path", class_="arrow", d=d)
    return line(x, y - CAP, x, y + CAP, "whisker")
