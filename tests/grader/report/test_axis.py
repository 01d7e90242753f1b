"""Where values stand on an axis, and what is written beside it."""

from __future__ import annotations

from math import inf, isfinite, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.page.axis import MINUS, Axis, linear, logarithmic, shown, whole

NUMBERS = st.floats(allow_nan=True, allow_infinity=True)


def test_equal_differences_are_equally_far_on_a_linear_axis() -> None:
    axis = linear([0, 100], 0, 200)
    assert [axis.at(value) for value in (0, 25, 50, 100)] == [0, 50, 100, 200]


def test_equal_ratios_are_equally_far_on_a_logarithmic_axis() -> None:
    axis = logarithmic([1, 10_000], 0, 400)
    assert [axis.at(value) for value in (1, 10, 100, 10_000)] == [0, 100, 200, 400]
    steps = [axis.at(2 * value) - axis.at(value) for value in (1, 3, 70, 5000)]
    assert steps == pytest.approx([30.103] * 4)


def test_an_axis_may_run_upwards() -> None:
    axis = logarithmic([1, 100], 300, 100)
    assert [axis.at(value) for value in (1, 10, 100)] == [300, 200, 100]


def test_ticks_are_round_and_enclose_the_values() -> None:
    assert linear([-61, 93], 0, 1).ticks == (-100, -50, 0, 50, 100)
    assert linear([0.31, 0.58], 0, 1).ticks == (0.3, 0.4, 0.5, 0.6)
    assert linear([0, 1], 0, 1).ticks == (0, 0.2, 0.4, 0.6, 0.8, 1)
    assert logarithmic([3, 40], 0, 1).ticks == (2, 5, 10, 20, 50)
    assert logarithmic([30, 4e6], 0, 1).ticks == (10, 100, 1e3, 1e4, 1e5, 1e6, 1e7)
    assert logarithmic([2, 9e9], 0, 1).ticks == (1, 1e2, 1e4, 1e6, 1e8, 1e10)
    assert whole([2, 3, 4, 5], 0, 1).ticks == (2, 3, 4, 5)
    assert whole([2, 10], 0, 1).ticks == (2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert whole([1, 40], 0, 1).ticks == (1, 6, 11, 16, 21, 26, 31, 36)


def test_one_value_stands_in_the_middle() -> None:
    assert whole([4], 0, 100).at(4) == 50
    assert whole([4], 0, 100).ticks == (4,)
    assert logarithmic([100], 0, 100).at(100) == pytest.approx(50)
    assert linear([10, 10], 0, 100).at(10) == pytest.approx(50)


def test_what_has_no_logarithm_stands_at_the_edge() -> None:
    axis = logarithmic([0, -3, 10, 1000], 0, 100)
    assert [axis.at(value) for value in (0, -3, -inf)] == [0, 0, 0]
    assert axis.at(inf) == 100


@given(st.lists(NUMBERS))
def test_every_value_has_a_place_on_the_paper(values: list[float]) -> None:
    for axis in (linear(values, 10, 90), logarithmic(values, 10, 90)):
        for value in [*axis.ticks, *(each for each in values if each == each)]:
            assert 10 <= axis.at(value) <= 90.001
        assert 1 <= len(axis.ticks) <= 8
        assert list(axis.ticks) == sorted(set(axis.ticks))
        assert all(isfinite(each) for each in (*axis.ticks, axis.low, axis.high))


@given(st.lists(st.floats(1e-3, 1e12), min_size=2))
def test_a_larger_value_is_never_nearer_to_the_beginning(values: list[float]) -> None:
    for axis in (linear(values, 0, 100), logarithmic(values, 0, 100)):
        places = [axis.at(value) for value in sorted(values)]
        assert places == sorted(places)


def test_an_axis_of_nothing() -> None:
    axes: list[Axis] = [
        linear([], 0, 1),
        logarithmic([], 0, 1),
        whole([], 0, 1),
        linear([nan], 0, 1),
    ]
    assert all(axis.low < axis.high for axis in axes)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"),
        (0.25, "0.25"),
        (999, "999"),
        (1500, "1.5k"),
        (2e6, "2M"),
        (1e9, "1G"),
        (5e12, "5T"),
        (1e15, "1e15"),
        (2e300, "2e300"),
        (-50, f"{MINUS}50"),
        (-2000, f"{MINUS}2k"),
    ],
)
def test_a_tick_is_short(value: float, words: str) -> None:
    assert shown(value) == words
