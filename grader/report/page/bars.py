"""Bars with their names above them, so that a name may be long on a narrow screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from grader.report.page.axis import Axis, linear, logarithmic, shown
from grader.report.page.svg import LETTER, WIDTH, element, fitting, picture, text, upright_grid

ROW = 43.0
THICK = 16.0
LEFT, RIGHT, FOOT = 1.0, WIDTH - 1, 40.0


@dataclass(frozen=True)
class Bar:
    name: str
    value: float
    label: str  # what is written at its right
    doubtful: bool = False  # hatched


def bar_chart(title: str, bars: Sequence[Bar], unit: str, log: bool = False) -> str:
    values = [bar.value for bar in bars if isfinite(bar.value)]
    axis = _axis(values, log)
    bottom = ROW * len(bars)
    rows = [_row(bar, place * ROW, axis) for place, bar in enumerate(bars)]
    foot = f"{unit} (log scale)" if log else unit
    parts = [
        *upright_grid(axis, 0, bottom, shown),
        *rows,
        text(WIDTH / 2, bottom + 34, foot, "title", "middle"),
    ]
    words = "; ".join(f"{bar.name} {bar.label}" for bar in bars) or "nothing"
    return picture(f"{title}, {unit}: {words}", bottom + FOOT, parts)


def _axis(values: list[float], log: bool) -> Axis:
    """From zero, or else from so far below the least that its bar can be seen."""
    if log:
        least = min((value for value in values if value > 0), default=1.0)
        return logarithmic([*values, least / 2], LEFT, RIGHT)
    return linear([0.0, *values], LEFT, RIGHT)


def _row(bar: Bar, top: float, axis: Axis) -> str:
    words = name_and_value(bar.name, bar.label, top)
    if not isfinite(bar.value):
        return words
    begin = axis.at(axis.low if axis.log else 0.0)
    end = axis.at(bar.value)
    rect = element(
        "rect",
        class_="bar doubtful" if bar.doubtful else "bar",
        x=min(begin, end),
        y=top + 19,
        width=max(abs(end - begin), 0.5),
        height=THICK,
        rx=2,
    )
    return words + rect


def name_and_value(name: str, label: str, top: float) -> str:
    """The line above a bar or an interval."""
    room = WIDTH - (len(label) + 2) * LETTER
    return text(0, top + 13, fitting(name, room), "name") + text(
        WIDTH, top + 13, label, "value", "end"
    )
