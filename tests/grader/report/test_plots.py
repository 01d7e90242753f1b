"""Plots as a parser sees them: where things stand, and that no name or number breaks them."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import pairwise
from math import inf, nan
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from grader.report.page.bars import Bar, bar_chart
from grader.report.page.intervals import Interval, interval_plot
from grader.report.page.lines import Series, line_plot
from grader.report.page.stacks import Stack, kinds_legend, stack_chart
from grader.report.page.svg import COLOURS, SHAPES, WIDTH, swatch

HOSTILE = "<script>alert(1)</script>\"'&]]>\x07\u202e" + "W" * 80
KINDS = ("0", "1/2", "1", "3/2", "2")


def parsed(markup: str) -> Element:
    assert "nan" not in re.sub(r">[^<]*<", "><", markup.lower())
    assert not re.search(r'="[^"]*\binf\b[^"]*"', re.sub(r'aria-label="[^"]*"', "", markup))
    return ElementTree.fromstring(markup)


def having(root: Element, kind: str) -> list[Element]:
    return [each for each in root.iter() if kind in each.get("class", "").split()]


def number(element: Element, name: str) -> float:
    return float(element.get(name, "missing"))


def spot(marker: Element) -> tuple[float, float]:
    x, y = re.findall(r"-?[0-9.]+", marker.get("transform", ""))
    return float(x), float(y)


def words(root: Element) -> list[str]:
    return ["".join(each.itertext()) for each in root.iter("text")]


def test_doubled_values_rise_by_equal_steps_on_a_log_scale() -> None:
    series = [Series("a", tuple((depth, 100.0 * 2**depth) for depth in range(2, 7)))]
    root = parsed(line_plot("Nodes", series, "depth", "nodes"))
    spots = [spot(marker) for marker in having(root, "marker")]
    across = [after[0] - before[0] for before, after in pairwise(spots)]
    upwards = [before[1] - after[1] for before, after in pairwise(spots)]
    assert len(spots) == 5
    assert across == pytest.approx([across[0]] * 4, abs=0.05)
    assert upwards == pytest.approx([upwards[0]] * 4, abs=0.05)
    assert across[0] > 0 < upwards[0]


def test_a_line_goes_through_its_markers_in_order_of_depth() -> None:
    root = parsed(line_plot("Nodes", [Series("a", ((4, 10.0), (2, 1000.0)))], "depth", "nodes"))
    (line,) = root.iter("polyline")
    points = [tuple(map(float, point.split(","))) for point in line.get("points", "").split()]
    spots = [spot(marker) for marker in having(root, "marker")]
    assert [each for point in points for each in point] == pytest.approx(
        [each for one in spots for each in one], abs=0.1
    )
    assert points[0][0] < points[1][0]
    assert points[0][1] < points[1][1]  # falling: the larger value stands higher


def test_ticks_stand_at_their_values() -> None:
    root = parsed(line_plot("Nodes", [Series("a", ((1, 10.0), (2, 1000.0)))], "depth", "nodes"))
    labels = {"".join(each.itertext()): each for each in having(root, "tick")}
    (low, high) = (spot(marker)[1] for marker in having(root, "marker"))
    assert number(labels["10"], "y") - 4 == pytest.approx(low, abs=0.1)
    assert number(labels["1k"], "y") - 4 == pytest.approx(high, abs=0.1)


def test_series_differ_by_more_than_their_colour() -> None:
    looks = [re.sub(r' class="marker c\d"', "", swatch(each)) for each in range(COLOURS)]
    assert len(set(looks)) == COLOURS
    both = {(each % COLOURS, each % len(SHAPES)) for each in range(COLOURS * len(SHAPES))}
    assert len(both) == COLOURS * len(SHAPES)


def test_bars_of_a_log_scale_keep_ratios_and_the_least_can_be_seen() -> None:
    bars = [Bar("one", 100, "100"), Bar("two", 1000, "1,000"), Bar("three", 10_000, "10,000")]
    root = parsed(bar_chart("Ladder", bars, "nodes", log=True))
    widths = [number(each, "width") for each in having(root, "bar")]
    assert widths[0] > 10
    assert widths[2] - widths[1] == pytest.approx(widths[1] - widths[0], abs=0.05)
    assert "nodes (log scale)" in words(root)


def test_bars_of_a_linear_scale_begin_at_zero() -> None:
    bars = [
        Bar("one", 25, "25"),
        Bar("two", 100, "100"),
        Bar("three", 0, "0"),
        Bar("less", -50, ""),
    ]
    root = parsed(bar_chart("Ladder", bars, "nodes"))
    one, two, three, less = having(root, "bar")
    assert number(two, "width") == pytest.approx(4 * number(one, "width"), abs=0.1)
    assert number(one, "x") == number(two, "x") == number(three, "x")
    assert number(less, "x") + number(less, "width") == pytest.approx(number(one, "x"), abs=0.1)
    assert number(three, "width") < 1


def test_a_doubtful_bar_is_drawn_otherwise() -> None:
    root = parsed(bar_chart("Caches", [Bar("sound", 5, ""), Bar("not", 4, "", True)], "nodes"))
    assert len(having(root, "bar")) == 2
    assert len(having(root, "doubtful")) == 1


def test_a_whisker_ends_where_the_interval_ends() -> None:
    """The axis goes from -100 to 200 on 8 to 392."""
    intervals = [Interval("a", 50, -100, 200, ""), Interval("b", 0, -50, 100, "")]
    root = parsed(interval_plot("Elo", intervals, "Elo", zero=0))
    level = [each for each in having(root, "whisker") if each.get("y1") == each.get("y2")]
    assert [(number(each, "x1"), number(each, "x2")) for each in level] == [(8, 392), (72, 264)]
    assert [spot(each)[0] for each in having(root, "marker")] == [200, 136]
    (zero,) = having(root, "zero")
    assert (zero.get("x1"), zero.get("x2")) == ("136", "136")
    caps = [each for each in having(root, "whisker") if each.get("x1") == each.get("x2")]
    assert [number(each, "x1") for each in caps] == [8, 392, 72, 264]


def test_ratios_stand_around_one_on_a_log_scale() -> None:
    root = parsed(interval_plot("x", [Interval("a", 1, 0.1, 10, "")], "ratio", zero=1, log=True))
    (zero,) = having(root, "zero")
    assert number(zero, "x1") == pytest.approx(WIDTH / 2)


@pytest.mark.parametrize("log", [False, True])
def test_an_interval_without_end_has_an_arrow(log: bool) -> None:
    intervals = [
        Interval("won", inf, 120, inf, ""),
        Interval("all", 1, 0 if log else -inf, inf, ""),
    ]
    root = parsed(interval_plot("Elo", intervals, "Elo", zero=1, log=log))
    assert len(having(root, "arrow")) == 3
    assert len(having(root, "marker")) == 1
    for arrow in having(root, "arrow"):
        assert 0 <= float(re.findall(r"-?[0-9.]+", arrow.get("d", ""))[0]) <= WIDTH


def test_what_is_not_known_is_named_and_not_drawn() -> None:
    root = parsed(interval_plot("Elo", [Interval("who", nan, nan, nan, "-")], "Elo", zero=0))
    assert "who" in words(root)
    assert not having(root, "whisker")
    root = parsed(bar_chart("x", [Bar("who", nan, "-"), Bar("endless", inf, "-")], "nodes"))
    assert not having(root, "bar")


def test_the_parts_of_a_stack_are_its_shares() -> None:
    root = parsed(stack_chart("Pairs", [Stack("a", (1, 0, 5, 2, 2), "10 pairs")], KINDS))
    parts = having(root, "part")
    assert [number(each, "width") for each in parts] == [40, 200, 80, 80]
    assert [number(each, "x") for each in parts] == [0, 40, 240, 320]
    assert [each for each in words(root) if each.isdigit()] == ["1", "5", "2", "2"]
    legend = ElementTree.fromstring(kinds_legend((*KINDS[:4], HOSTILE)))
    assert len(list(legend.iter("rect"))) == 5


EVERY = {
    "lines": lambda name, values: line_plot(
        name, [Series(name, tuple(enumerate(values)))] * 9, name, name
    ),
    "linear lines": lambda name, values: line_plot(
        name, [Series(name, tuple(enumerate(values)))], name, name, log=False
    ),
    "bars": lambda name, values: bar_chart(name, [Bar(name, each, name) for each in values], name),
    "log bars": lambda name, values: bar_chart(
        name, [Bar(name, each, name) for each in values], name, log=True
    ),
    "intervals": lambda name, values: interval_plot(
        name, [Interval(name, each, each - 1, each + 1, name) for each in values], name
    ),
    "log intervals": lambda name, values: interval_plot(
        name, [Interval(name, each, each / 2, each * 2, name) for each in values], name, 1, True
    ),
    "stacks": lambda name, values: stack_chart(
        name, [Stack(name, tuple(map(int, (values * 5)[:5])), name)] if values else [], KINDS
    ),
}
VALUES = {
    "nothing": [],
    "one": [7.0],
    "zero": [0.0],
    "equal": [3.0, 3.0, 3.0],
    "close": [1e15, 1e15 + 2],
    "huge": [1.0, 1e300],
    "tiny": [1e-300, 1e-9],
    "both": [0.0, 5e-324, 1.7e308],
}


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("kind", EVERY)
def test_any_numbers_and_any_name_make_a_plot(kind: str, values: list[float]) -> None:
    markup = EVERY[kind](HOSTILE, values)
    root = parsed(markup)
    assert root.get("role") == "img"
    assert "<script" not in markup
    assert "script>alert(1)" in root.get("aria-label", "")
    assert {each.tag for each in root.iter()} <= {
        "svg", "line", "text", "polyline", "path", "rect", "title"
    }  # fmt: skip
    for each in root.iter():
        for name in ("x", "y", "x1", "x2", "y1", "y2", "width", "height"):
            assert -1 <= float(each.get(name, 0)) <= 1000
        assert not {name for name in each.keys() if name.startswith("on")}  # noqa: SIM118


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_colour_stands_out_from_what_is_behind_it(theme: int) -> None:
    """3 to 1 for what is drawn, 4.5 to 1 for text, as the accessibility guidelines have it."""
    plots = (files("grader.report.page") / "plots.css").read_text("utf-8")
    sheet = (files("grader.report.grading.html") / "style.css").read_text("utf-8")
    card = re.findall(r"--card: (#\w+)", sheet)[theme]
    for colour in range(COLOURS):
        assert contrast(re.findall(rf"--c{colour}: (#\w+)", plots)[theme], card) >= 3
    for part in range(5):
        behind = re.findall(rf"--p{part}: (#\w+)", plots)[theme]
        assert contrast(re.findall(rf"--on-p{part}: (#\w+)", plots)[theme], behind) >= 4.5


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(each * 2 for each in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
