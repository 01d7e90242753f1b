"""Paired ratios, Student's t, noise between repeats, and shares."""

from __future__ import annotations

import random
from math import exp, inf, sqrt
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.lab.ratios import Ratio, Share, noise_of, paired_ratio, t_below, t_quantile

POSITIVE = st.lists(st.tuples(st.floats(1e-3, 1e9), st.floats(1e-3, 1e9)), min_size=2, max_size=30)


@pytest.mark.parametrize(
    ("freedom", "two_sided_95", "two_sided_99"),
    [
        (1, 12.706, 63.657),
        (2, 4.303, 9.925),
        (3, 3.182, 5.841),
        (4, 2.776, 4.604),
        (9, 2.262, 3.250),
        (29, 2.045, 2.756),
        (30, 2.042, 2.750),
        (120, 1.980, 2.617),
    ],
)
def test_t_as_in_the_tables(freedom: int, two_sided_95: float, two_sided_99: float) -> None:
    assert t_quantile(0.975, freedom) == pytest.approx(two_sided_95, abs=5e-4)
    assert t_quantile(0.995, freedom) == pytest.approx(two_sided_99, abs=5e-4)


@pytest.mark.parametrize("freedom", [1, 2, 7, 50, 2001])
def test_t_there_and_back(freedom: int) -> None:
    assert t_quantile(0.5, freedom) == 0.0
    for chance in (0.6, 0.9, 0.999):
        assert t_below(t_quantile(chance, freedom), freedom) == pytest.approx(chance, abs=1e-12)
    assert t_below(-1.5, freedom) == pytest.approx(1.0 - t_below(1.5, freedom))


def test_t_is_normal_in_the_end() -> None:
    assert t_quantile(0.975, 100_000) == pytest.approx(NormalDist().inv_cdf(0.975), abs=5e-5)
    with pytest.raises(ValueError, match="degree of freedom"):
        t_quantile(0.975, 0)


def test_a_ratio_by_hand() -> None:
    """Ratios 1/2, 1/2, 2: the logarithms have mean -log(2)/3 and deviation 2 log(2)/sqrt(3)."""
    found = paired_ratio([50, 100, 400], [100, 200, 200])
    half = 0.6931471805599453
    reach = 4.302652729749 * (2.0 * half / sqrt(3.0)) / sqrt(3.0)
    assert found.ratio == pytest.approx(exp(-half / 3))
    assert found.low == pytest.approx(exp(-half / 3 - reach))
    assert found.high == pytest.approx(exp(-half / 3 + reach))
    assert not found.is_clear


def test_equal_and_few_and_none() -> None:
    assert paired_ratio([7, 0, 3], [7, 0, 3]) == Ratio(1.0, 1.0, 1.0)
    assert paired_ratio([0.0], [0.0]) == Ratio(1.0, 0.0, inf)
    assert paired_ratio([1], [1]) == Ratio(1.0, 0.0, inf)
    assert paired_ratio([1], [4]).ratio == pytest.approx(0.25)
    assert paired_ratio([], []) == Ratio(1.0, 0.0, inf)
    same = paired_ratio([1, 2, 3], [10, 20, 30])
    assert (same.low, same.ratio, same.high) == pytest.approx((0.1, 0.1, 0.1))
    assert same.is_clear


def test_zero_against_something_is_small_but_not_nothing() -> None:
    found = paired_ratio([0, 10], [20, 10])
    assert found.ratio == pytest.approx(sqrt(5 / 20))
    assert 0.0 < found.low < found.ratio < found.high < inf


@pytest.mark.parametrize(
    ("values", "reference"), [([1], [1, 2]), ([-1], [1]), ([1], [inf]), ([float("nan")], [1])]
)
def test_what_cannot_be_compared(values: list[float], reference: list[float]) -> None:
    with pytest.raises(ValueError, match=r"against|finite"):
        paired_ratio(values, reference)


@settings(max_examples=60)
@given(POSITIVE)
def test_the_reference_seen_from_the_variant(pairs: list[tuple[float, float]]) -> None:
    mine, theirs = [a for a, _ in pairs], [b for _, b in pairs]
    one, other = paired_ratio(mine, theirs), paired_ratio(theirs, mine)
    assert one.low <= one.ratio <= one.high
    assert one.ratio == pytest.approx(1.0 / other.ratio)
    if other.low > 0.0 and one.high < inf:
        assert one.high == pytest.approx(1.0 / other.low, rel=1e-6)


def test_the_interval_of_few_cases_contains_the_truth() -> None:
    chance = random.Random(3)
    kept = 0
    for _ in range(500):
        reference = [exp(chance.gauss(8, 3)) for _ in range(4)]
        found = paired_ratio([each * exp(chance.gauss(-0.5, 0.4)) for each in reference], reference)
        kept += found.low <= exp(-0.5) <= found.high
    assert 462 <= kept <= 488


def test_noise() -> None:
    quiet = noise_of([[1.00, 1.01, 0.99], [20.0, 20.2, 19.8]])
    assert quiet.spread == pytest.approx(0.01)
    assert not quiet.is_much
    assert quiet.hides(1.01)
    assert not quiet.hides(1.10)
    assert not quiet.hides(0.90)
    loud = noise_of([[1.0, 1.0, 1.4], [2.0, 2.0, 2.0]])
    assert loud.is_much
    assert loud.hides(1.1)


def test_noise_hides_less_of_a_mean_over_many_cases() -> None:
    """Of equal times with noise of 20 %, one mean ratio in twenty is taken for a difference."""
    chance = random.Random(4)
    times = [[exp(chance.gauss(0, 0.2)) for _ in range(3)] for _ in range(50)]
    noise = noise_of(times)
    assert noise.hides(1.03)
    assert not noise.hides(1.1)
    seen = 0
    for _ in range(400):
        logs = [chance.gauss(0, 0.2 * sqrt(2 / 3)) for _ in range(50)]
        seen += not noise.hides(exp(sum(logs) / len(logs)))
    assert 8 <= seen <= 34


def test_noise_that_nobody_knows() -> None:
    for cases in ([], [[1.0]], [[1.0, 1.1], [2.0]]):
        noise = noise_of(cases)
        assert not noise.is_known
        assert not noise.is_much
        assert noise.hides(5.0)
    assert noise_of([[0.0, 0.0]]).spread == 0.0


@pytest.mark.parametrize(
    ("kept", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (81, 263, 0.2553, 0.3662),
        (0, 0, 0.0, 1.0),
    ],
)
def test_shares_as_published(kept: int, of: int, low: float, high: float) -> None:
    share = Share(kept, of)
    assert (share.low, share.high) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_a_share_lies_in_its_interval(kept: int, lost: int) -> None:
    share = Share(kept, kept + lost)
    assert 0.0 <= share.low <= share.share <= share.high <= 1.0
    assert share.low < share.high
    other = Share(lost, kept + lost)
    assert share.low == pytest.approx(1.0 - other.high, abs=1e-12)


def test_no_share() -> None:
    for kept, of in ((-1, 3), (4, 3)):
        with pytest.raises(ValueError, match="no share"):
            Share(kept, of)
