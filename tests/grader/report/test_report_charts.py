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

from grader.report.charts import line_chart, log_axis, tick_label, whole_axis

NUMBERS = st.floats(allow_nan=False, allow_infinity=True)


def test_equal_differences_or_equal_ratios_are_equally_far() -> None:
    axis = whole_axis([0, 7], 0, 140)
    assert [axis.at(value) for value in (0, 1, 3, 7)] == [0, 20, 60, 140]
    axis = log_axis([1, 10_000], 400, 0)  # upwards
    assert [axis.at(value) for value in (1, 10, 100, 10_000)] == [400, 300, 200, 0]
    assert [axis.at(value) for value in (0, -3, -inf, inf)] == [400, 400, 400, 0]


def test_ticks_are_round_and_enclose_the_values() -> None:
    assert [*whole_axis([2, 4], 0, 1).ticks] == [2, 3, 4]
    assert [*whole_axis([1, 40], 0, 1).ticks] == [1, 7, 13, 19, 25, 31, 37, 43]
    assert log_axis([3, 40], 0, 1).ticks == [2, 5, 10, 20, 50]
    assert log_axis([30, 4e6], 0, 1).ticks == [10, 100, 1e3, 1e4, 1e5, 1e6, 1e7]
    assert log_axis([2, 9e9], 0, 1).ticks == [1, 1e2, 1e4, 1e6, 1e8, 1e10]


@given(st.lists(NUMBERS), st.lists(st.integers(1, 99), min_size=1))
def test_every_value_has_a_place_on_the_paper(values: list[float], depths: list[int]) -> None:
    for found, axis in (
        (values, log_axis([1, *values], 10, 90)),
        (depths, whole_axis(depths, 10, 90)),
    ):
        places = [axis.at(value) for value in sorted(found)]
        assert places == sorted(places)
        assert all(10 <= place <= 90.001 for place in places)
        assert 2 <= len(axis.ticks) <= 8
        assert list(axis.ticks) == sorted(set(axis.ticks))
        assert all(map(isfinite, axis.ticks))


def test_a_tick_is_short() -> None:
    values = (0, 0.25, 999, 1500, 2e6, 1e9, 5e12)
    assert [tick_label(each) for each in values] == ["0", "0.25", "999", "1.5k", "2M", "1G", "5T"]


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
    series = {"a": [(depth, 100 * 2**depth) for depth in range(2, 7)]}
    root = parse(line_chart("Nodes", series))
    found = spots(root)
    steps = [(after[0] - before[0], before[1] - after[1]) for before, after in pairwise(found)]
    assert len(found) == 5
    for step in steps:
        assert step == pytest.approx(steps[0], abs=0.05)
        assert step[0] > 0 < step[1]
    (line,) = root.iter("polyline")
    places = [float(each) for point in line.get("points", "").split() for each in point.split(",")]
    assert places == pytest.approx([each for spot in found for each in spot], abs=0.1)


def test_any_numbers_make_a_chart() -> None:
    for value in (1, 3, 10**15):
        series = {name: [*enumerate((value, value + 2))] for name in "abcdefghi"}
        for chart in line_chart("Nodes", {"a": [(3, value)]}), line_chart("Nodes", series):
            for each in parse(chart).iter():
                for name in ("x", "y", "x1", "x2", "y1", "y2"):
                    assert -1 <= float(each.get(name, 0)) <= 1000
