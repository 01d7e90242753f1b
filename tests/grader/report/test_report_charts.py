"""Charts as a parser sees them: where things stand, and that no name or number breaks them."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.html import line_chart

POINTS = st.tuples(st.integers(1, 99), st.integers(0, 10**15))


def having(root: Element, kind: str) -> list[Element]:
    return [each for each in root.iter() if kind in each.get("class", "").split()]


def parse(series: dict[str, list[tuple[int, int]]]) -> Element:
    return ElementTree.fromstring(f"<div>{line_chart('Nodes', series)}</div>")


def spots(root: Element) -> list[tuple[float, float]]:
    """The places of the markers of a chart."""
    markers = [each for each in having(root, "marker") if each.tag == "text"]
    return [(float(each.attrib["x"]), float(each.attrib["y"])) for each in markers]


def test_ticks_are_round_and_enclose_the_values() -> None:
    root = parse({"a": [(1, 30), (40, 4_000)]})
    words = [each.text for each in having(root, "tick")]
    assert words == ["10", "100", "1,000", "10,000", *map(str, range(1, 41, 5))]


@given(st.dictionaries(st.text("<&é 'a"), st.lists(POINTS, min_size=1), min_size=1))
def test_every_value_has_a_place_on_the_paper(series: dict[str, list[tuple[int, int]]]) -> None:
    root = parse(series)
    assert len(spots(root)) == sum(map(len, series.values()))
    assert all(90 <= x <= 400 and 30 <= y <= 228 for x, y in spots(root))


def test_doubled_values_rise_by_equal_steps_on_a_log_scale() -> None:
    root = parse({"a": [(depth, 100 * 2**depth) for depth in range(2, 7)]})
    found = spots(root)
    steps = [(after[0] - before[0], before[1] - after[1]) for before, after in pairwise(found)]
    assert len(found) == 5
    for step in steps:
        assert step == pytest.approx(steps[0], abs=0.11)
        assert step[0] > 0 < step[1]
    (line,) = root.iter("polyline")
    places = [float(each) for point in line.get("points", "").split() for each in point.split(",")]
    assert places == pytest.approx([each for spot in found for each in spot])
