"""Charts as a parser sees them: where things stand, and that no name or number breaks them."""

from __future__ import annotations

import re
from itertools import pairwise
from math import inf, isfinite
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.charts import (
    Row,
    Series,
    interval_chart,
    line_chart,
    linear_axis,
    log_axis,
    tick_label,
)

NUMBERS = st.floats(allow_nan=False, allow_infinity=True)


def test_equal_differences_or_equal_ratios_are_equally_far() -> None:
    axis = linear_axis([0, 100], 0, 200)
    assert [axis.at(value) for value in (0, 25, 50, 100)] == [0, 50, 100, 200]
    axis = log_axis([1, 10_000], 400, 0)  # upwards
    assert [axis.at(value) for value in (1, 10, 100, 10_000)] == [400, 300, 200, 0]
    assert [axis.at(value) for value in (0, -3, -inf, inf)] == [400, 400, 400, 0]


def test_ticks_are_round_and_enclose_the_values() -> None:
    assert linear_axis([-61, 93], 0, 1).ticks == (-100, -50, 0, 50, 100)
    assert linear_axis([0.31, 0.58], 0, 1).ticks == (0.3, 0.4, 0.5, 0.6)
    assert linear_axis([2, 4], 0, 1, least=1).ticks == (2, 3, 4)
    assert linear_axis([1, 40], 0, 1, least=1).ticks == (0, 10, 20, 30, 40)
    assert log_axis([3, 40], 0, 1).ticks == (2, 5, 10, 20, 50)
    assert log_axis([30, 4e6], 0, 1).ticks == (10, 100, 1e3, 1e4, 1e5, 1e6, 1e7)
    assert log_axis([2, 9e9], 0, 1).ticks == (1, 1e2, 1e4, 1e6, 1e8, 1e10)


@given(st.lists(NUMBERS))
def test_every_value_has_a_place_on_the_paper(values: list[float]) -> None:
    for axis in (linear_axis(values, 10, 90), log_axis(values, 10, 90)):
        places = [axis.at(value) for value in sorted(values)]
        assert places == sorted(places)
        assert all(10 <= place <= 90.001 for place in places)
        assert 2 <= len(axis.ticks) <= 8
        assert list(axis.ticks) == sorted(set(axis.ticks))
        assert all(map(isfinite, axis.ticks))


def test_a_tick_is_short() -> None:
    values = (0, 0.25, 999, 1500, 2e6, 1e9, 5e12, -2000)
    labels = ["0", "0.25", "999", "1.5k", "2M", "1G", "5T", "\N{MINUS SIGN}2k"]
    assert [tick_label(value) for value in values] == labels


def parse(markup: str) -> Element:
    assert not re.search(r'="[^"]*\b(inf|nan)\b', re.sub(r'aria-label="[^"]*"', "", markup))
    return ElementTree.fromstring(f"<div>{markup}</div>")


def having(root: Element, kind: str) -> list[Element]:
    return [each for each in root.iter() if kind in each.get("class", "").split()]


def spots(root: Element) -> list[tuple[float, float]]:
    """The places of the markers of a chart."""
    markers = having(having(root, "plot")[0], "marker")
    found = [re.findall(r"-?[0-9.]+", each.get("transform", "")) for each in markers]
    return [(float(x), float(y)) for x, y in found]


def test_doubled_values_rise_by_equal_steps_on_a_log_scale() -> None:
    series = [Series("a", tuple((depth, 100.0 * 2**depth) for depth in range(2, 7)))]
    root = parse(line_chart("Nodes", series, "depth", "nodes"))
    found = spots(root)
    steps = [(after[0] - before[0], before[1] - after[1]) for before, after in pairwise(found)]
    assert len(found) == 5
    for step in steps:
        assert step == pytest.approx(steps[0], abs=0.05)
        assert step[0] > 0 < step[1]
    (line,) = root.iter("polyline")
    places = [float(each) for point in line.get("points", "").split() for each in point.split(",")]
    assert places == pytest.approx([each for spot in found for each in spot], abs=0.1)


def test_a_whisker_ends_where_the_interval_ends() -> None:
    """The axis goes from -100 to 200 on 8 to 392.  An open end has no cap."""
    intervals = [Row("a", "", (50, -100, 200)), Row("b", "", (0, -50, inf))]
    root = parse(interval_chart("Elo", intervals, "Elo", zero=0))
    whiskers = [
        [float(each.get(at, "")) for at in ("x1", "x2")] for each in having(root, "whisker")
    ]
    assert whiskers == [[8, 392], [8, 8], [392, 392], [72, 392], [72, 72]]
    assert [x for x, _ in spots(root)] == [200, 136]
    (zero,) = having(root, "zero")
    assert zero.get("x1") == zero.get("x2") == "136.00"


VALUES: list[list[float]] = [
    *([], [0.0], [3.0, 3.0], [1e15, 1e15 + 2], [1.0, 1e300], [1e-300, 1e-9], [0.0, 1.7e308]),
]


def test_any_numbers_make_a_chart() -> None:
    for values in VALUES:
        rows = [Row("a", "", (value, value / 2, value * 2)) for value in values]
        for chart in (
            line_chart("Nodes", [Series("a", tuple(enumerate(values)))] * 9, "depth", "nodes"),
            interval_chart("Elo", rows, "Elo"),
            interval_chart("Nodes", rows, "ratio", 1, log=True),
        ):
            for each in parse(chart).iter():
                for name in ("x", "y", "x1", "x2", "y1", "y2"):
                    assert -1 <= float(each.get(name, 0)) <= 1000
