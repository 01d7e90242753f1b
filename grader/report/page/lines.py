"""Lines: how something grows with depth, for several variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from grader.report.page.axis import Axis, linear, logarithmic, shown, whole
from grader.report.page.svg import (
    WIDTH,
    element,
    level_grid,
    marker,
    picture,
    stroke,
    text,
    upright_grid,
)

HEIGHT = 270.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, WIDTH - 14, 30.0, HEIGHT - 42


@dataclass(frozen=True)
class Series:
    name: str
    points: tuple[tuple[int, float], ...]


def line_plot(
    title: str, series: Sequence[Series], across: str, upwards: str, log: bool = True
) -> str:
    """Points at whole numbers, such as depths.  `swatch` shows which line is which."""
    points = [point for each in series for point in each.points if isfinite(point[1])]
    x = whole([place for place, _ in points], LEFT + 10, RIGHT)
    y = (logarithmic if log else linear)([value for _, value in points], BOTTOM, TOP)
    parts = [
        *level_grid(y, LEFT, RIGHT),
        *upright_grid(x, BOTTOM, BOTTOM, shown),
        text(0, 14, f"{upwards} (log scale)" if log else upwards, "title"),
        text((LEFT + RIGHT) / 2, HEIGHT - 6, across, "title", "middle"),
        *(_drawn(number, each, x, y, upwards) for number, each in enumerate(series)),
    ]
    names = ", ".join(each.name for each in series) or "nothing"
    return picture(f"{title}: {upwards} by {across}, of {names}", HEIGHT, parts)


def _drawn(number: int, series: Series, x: Axis, y: Axis, unit: str) -> str:
    points = [(place, value) for place, value in sorted(series.points) if isfinite(value)]
    places = " ".join(f"{x.at(place):.1f},{y.at(value):.1f}" for place, value in points)
    line = element("polyline", class_=stroke(number), points=places)
    markers = [
        marker(number, x.at(place), y.at(value), f"{series.name}, {place}: {value:,.6g} {unit}")
        for place, value in points
    ]
    return "".join([line if len(points) > 1 else "", *markers])
