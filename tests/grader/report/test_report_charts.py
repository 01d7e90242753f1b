"""Charts as a parser sees them: where things stand, and that no name or number breaks them."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from math import inf, isfinite, nan
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.charts import (
    MINUS,
    WIDTH,
    Row,
    Series,
    bar_chart,
    interval_chart,
    line_chart,
    linear_axis,
    log_axis,
    tick_label,
    whole_axis,
)

HOSTILE = "<script>alert(1)</script>\"'&]]>\x07\u202e" + "W" * 80
NUMBERS = st.floats(allow_nan=True, allow_infinity=True)


def test_equal_differences_or_equal_ratios_are_equally_far() -> None:
    axis = linear_axis([0, 100], 0, 200)
    assert [axis.at(value) for value in (0, 25, 50, 100)] == [0, 50, 100, 200]
    axis = log_axis([1, 10_000], 400, 0)  # upwards
    assert [axis.at(value) for value in (1, 10, 100, 10_000)] == [400, 300, 200, 0]
    assert [axis.at(value) for value in (0, -3, -inf, inf)] == [400, 400, 400, 0]


def test_ticks_are_round_and_enclose_the_values() -> None:
    assert linear_axis([-61, 93], 0, 1).ticks == (-100, -50, 0, 50, 100)
    assert linear_axis([0.31, 0.58], 0, 1).ticks == (0.3, 0.4, 0.5, 0.6)
    assert log_axis([3, 40], 0, 1).ticks == (2, 5, 10, 20, 50)
    assert log_axis([30, 4e6], 0, 1).ticks == (10, 100, 1e3, 1e4, 1e5, 1e6, 1e7)
    assert log_axis([2, 9e9], 0, 1).ticks == (1, 1e2, 1e4, 1e6, 1e8, 1e10)
    assert whole_axis([2, 10], 0, 1).ticks == (2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert whole_axis([1, 40], 0, 1).ticks == (1, 6, 11, 16, 21, 26, 31, 36)
    assert whole_axis([4], 0, 100).at(4) == 50
    for axis in (linear_axis([nan], 0, 1), log_axis([], 0, 1), whole_axis([], 0, 1)):
        assert axis.low < axis.high


@given(st.lists(NUMBERS))
def test_every_value_has_a_place_on_the_paper(values: list[float]) -> None:
    known = sorted(each for each in values if each == each)
    for axis in (linear_axis(values, 10, 90), log_axis(values, 10, 90)):
        places = [axis.at(value) for value in known]
        assert places == sorted(places)
        assert all(10 <= axis.at(value) <= 90.001 for value in (*axis.ticks, *known))
        assert 1 <= len(axis.ticks) <= 8
        assert list(axis.ticks) == sorted(set(axis.ticks))
        assert all(isfinite(each) for each in (*axis.ticks, axis.low, axis.high))


def test_a_tick_is_short() -> None:
    values = (0, 0.25, 999, 1500, 2e6, 1e9, 5e12, 1e15, 2e300, -2000)
    labels = ["0", "0.25", "999", "1.5k", "2M", "1G", "5T", "1e15", "2e300", f"{MINUS}2k"]
    assert [tick_label(value) for value in values] == labels


def parse(markup: str) -> Element:
    assert "nan" not in re.sub(r">[^<]*<", "><", markup.lower())
    assert not re.search(r'="[^"]*\binf\b[^"]*"', re.sub(r'aria-label="[^"]*"', "", markup))
    return ElementTree.fromstring(f"<div>{markup}</div>")


def having(root: Element, kind: str) -> list[Element]:
    return [each for each in root.iter() if kind in each.get("class", "").split()]


def number(element: Element, name: str) -> float:
    return float(element.get(name, "missing"))


def spots(root: Element) -> list[tuple[float, float]]:
    """The places of the markers of a chart."""
    markers = having(having(root, "plot")[0], "marker")
    found = [re.findall(r"-?[0-9.]+", each.get("transform", "")) for each in markers]
    return [(float(x), float(y)) for x, y in found]


def words(root: Element) -> list[str]:
    return ["".join(each.itertext()) for each in root.iter("text")]


def test_doubled_values_rise_by_equal_steps_on_a_log_scale() -> None:
    series = [Series("a", tuple((depth, 100.0 * 2**depth) for depth in range(6, 1, -1)))]
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


def test_bars_of_a_log_scale_keep_ratios_and_the_least_can_be_seen() -> None:
    bars = [Row("one", "", (100,)), Row("two", "", (1000,)), Row("three", "", (10_000,))]
    root = parse(bar_chart("Ladder", bars, "nodes"))
    widths = [number(each, "width") for each in having(root, "bar")]
    assert widths[0] > 10
    assert widths[2] - widths[1] == pytest.approx(widths[1] - widths[0], abs=0.05)
    assert "nodes (log scale)" in words(root)


def test_a_whisker_ends_where_the_interval_ends() -> None:
    """The axis goes from -100 to 200 on 8 to 392."""
    intervals = [Row("a", "", (50, -100, 200)), Row("b", "", (0, -50, 100))]
    root = parse(interval_chart("Elo", intervals, "Elo", zero=0))
    level = [each for each in having(root, "whisker") if each.get("y1") == each.get("y2")]
    assert [(number(each, "x1"), number(each, "x2")) for each in level] == [(8, 392), (72, 264)]
    assert [x for x, _ in spots(root)] == [200, 136]
    (zero,) = having(root, "zero")
    assert (zero.get("x1"), zero.get("x2")) == ("136", "136")
    caps = [each for each in having(root, "whisker") if each.get("x1") == each.get("x2")]
    assert [number(each, "x1") for each in caps] == [8, 392, 72, 264]
    root = parse(interval_chart("Elo", [Row("who", "-", (nan, nan, nan))], "Elo", zero=0))
    assert "who" in words(root)
    assert not having(root, "whisker")


@pytest.mark.parametrize("log", [False, True])
def test_an_interval_without_end_has_an_arrow(log: bool) -> None:
    intervals = [
        Row("won", "", (inf, 120, inf)),
        Row("all", "", (1, 0 if log else -inf, inf)),
    ]
    root = parse(interval_chart("Elo", intervals, "Elo", zero=1, log=log))
    assert len(having(root, "arrow")) == 3
    assert len(having(root, "marker")) == 1
    for arrow in having(root, "arrow"):
        assert 0 <= float(re.findall(r"-?[0-9.]+", arrow.get("d", ""))[0]) <= WIDTH


def rows(values: list[float], *spread: float) -> list[Row]:
    return [Row(HOSTILE, HOSTILE, (value, *(value * by for by in spread))) for value in values]


EVERY: dict[str, Callable[[list[float], bool], str]] = {
    "lines": lambda values, log: line_chart(
        HOSTILE, [Series(HOSTILE, tuple(enumerate(values)))] * 9, HOSTILE, HOSTILE, log
    ),
    "bars": lambda values, _: bar_chart(HOSTILE, rows(values), HOSTILE),
    "intervals": lambda values, log: interval_chart(
        HOSTILE, rows(values, 0.5, 2), HOSTILE, 1 if log else None, log
    ),
}
VALUES = {
    "nothing": [],
    "zero": [0.0],
    "equal": [3.0, 3.0, 3.0],
    "close": [1e15, 1e15 + 2],
    "huge": [1.0, 1e300],
    "tiny": [1e-300, 1e-9],
    "both": [0.0, 5e-324, 1.7e308],
}


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("log", [False, True])
def test_any_numbers_and_any_name_make_a_chart(kind: str, values: list[float], log: bool) -> None:
    root = parse(EVERY[kind](values, log))
    assert "script>alert(1)" in root[0].get("aria-label", "")
    assert {each.tag for each in root[0].iter()} <= {
        "svg", "g", "line", "text", "polyline", "path", "rect", "title"
    }  # fmt: skip
    for each in root.iter():
        for name in ("x", "y", "x1", "x2", "y1", "y2", "width", "height"):
            assert -1 <= float(each.get(name, 0)) <= 1000
        assert not [name for name in each.attrib if name.startswith("on")]
