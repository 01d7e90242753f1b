"""Elo, normalized Elo and LOS from counts: by hand, by the textbook, and where little is known."""

from __future__ import annotations

import random
from math import inf, isnan, sqrt
from statistics import NormalDist

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.lab.elo import (
    Pentanomial,
    Strength,
    Trinomial,
    elo_of_score,
    meaning,
    nelo_of,
    score_of_elo,
    strength_of,
    strength_of_games,
)

ZERO = (0, 0, 0, 0, 0)
SOME = st.one_of(st.just(0), st.integers(0, 5), st.integers(0, 1000))
PAIRS = st.tuples(SOME, SOME, SOME, SOME, SOME).map(Pentanomial)
ENDS = ("score", "elo", "nelo")


def ends(strength: Strength, of: str) -> tuple[float, float, float]:
    low, middle, high = (getattr(strength, f"{of}{end}") for end in ("_low", "", "_high"))
    return low, middle, high


@pytest.mark.parametrize(
    ("score", "elo"),
    [(0.5, 0.0), (10 / 11, 400.0), (1 / 11, -400.0), (0.75, 190.848502), (0.0, -inf), (1.0, inf)],
)
def test_elo_of_a_score(score: float, elo: float) -> None:
    assert elo_of_score(score) == pytest.approx(elo)
    if 0.0 < score < 1.0:
        assert score_of_elo(elo) == pytest.approx(score)


def test_a_match_by_hand() -> None:
    """20 wins, 30 draws, 10 losses: 35 points of 60, five more than half."""
    found = strength_of_games(20, 30, 10)
    assert found.score == pytest.approx(35 / 60)
    assert found.elo == pytest.approx(58.45, abs=0.01)
    deviation = sqrt((20 * (25 / 60) ** 2 + 30 * (5 / 60) ** 2 + 10 * (35 / 60) ** 2) / 60)
    assert found.nelo == pytest.approx(347.4356 * (5 / 60) / deviation, abs=0.01)
    assert found.draw_ratio == 0.5
    assert found.pairs_ratio is None


def test_pairs_by_hand() -> None:
    found = strength_of(Pentanomial((1, 2, 4, 2, 3)))
    assert found.games == 24
    assert found.score == pytest.approx((2 * 1 + 4 * 2 + 2 * 3 + 3 * 4) / 48)
    assert found.draw_ratio == pytest.approx(4 / 12)
    assert found.pairs_ratio == pytest.approx(5 / 3)


def test_a_known_report_of_a_match_of_engines() -> None:
    """Pairs 0 0 2 0 37, for which a widely used match program says 631.91 and 1056.68."""
    found = strength_of(Pentanomial((0, 0, 2, 0, 37)))
    assert (round(found.elo, 2), round(found.nelo, 2)) == (631.91, 1056.68)


@pytest.mark.parametrize(
    "counts", [(379, 10170, 21828, 10640, 343), (177, 1629, 3083, 1780, 221), (90, 900, 999, 90, 9)]
)
def test_many_games_give_the_textbook_intervals(counts: tuple[int, int, int, int, int]) -> None:
    pairs = Pentanomial(counts)
    found = strength_of(pairs)
    error = pairs.deviation / sqrt(pairs.pairs)
    shown = 0.05 if pairs.pairs > 5000 else 0.5
    for sign, elo, nelo in (
        (-1, found.elo_low, found.nelo_low),
        (1, found.elo_high, found.nelo_high),
    ):
        score = pairs.score + sign * 1.959964 * error
        assert elo == pytest.approx(elo_of_score(score), abs=shown / 10)
        if pairs.pairs > 5000:
            assert nelo == pytest.approx(nelo_of(score, pairs.deviation, 2), abs=shown / 10)
    assert found.los == pytest.approx(NormalDist().cdf((pairs.score - 0.5) / error), abs=1e-4)


def test_drawn_pairs_never_prove_equality() -> None:
    """For pairs drawn without exception the interval is Wilson's: its width is known."""
    widths = []
    for number in (1, 3, 10, 1000):
        found = strength_of(Pentanomial((0, 0, number, 0, 0)))
        assert found.elo == found.nelo == 0.0
        assert found.los == 0.5
        assert found.elo_low == pytest.approx(-found.elo_high)
        reach = 1.959964**2 / (number + 1.959964**2) / 2.0
        assert found.score_high == pytest.approx(0.5 + reach, abs=1e-3)
        widths.append(found.elo_high)
    assert widths == sorted(widths, reverse=True)
    assert widths[1] > 200.0
    assert widths[-1] > 0.5


def test_wins_only() -> None:
    found = strength_of(Pentanomial((0, 0, 0, 0, 10)))
    assert found.elo == found.elo_high == found.nelo == found.nelo_high == inf
    assert found.score_low == pytest.approx(10 / (10 + 1.959964**2), abs=1e-3)
    assert 0.99 < found.los < 1.0
    assert meaning(found) == "Stronger, by at least 166.3 Elo (95 % sure)."
    one = strength_of(Pentanomial((0, 0, 0, 0, 1)))
    assert one.elo_low < 0.0 < one.elo_high == inf


def test_nothing_played_says_nothing() -> None:
    for found in (strength_of(Pentanomial(ZERO)), strength_of_games(0, 0, 0)):
        assert ends(found, "elo") == ends(found, "nelo") == (-inf, 0.0, inf)
        assert (found.los, found.score, found.pairs_ratio) == (0.5, 0.5, None)
        assert meaning(found) == "Nothing was played."


def test_words_tell_the_sides_apart() -> None:
    better = Pentanomial((5, 20, 50, 60, 20))
    assert meaning(strength_of(better)).startswith("Stronger, by ")
    assert meaning(strength_of(better.reversed())).startswith("Weaker, by ")
    assert "-220.7 to +220.7 Elo" in meaning(strength_of(Pentanomial((0, 0, 3, 0, 0))))


@pytest.mark.parametrize("chances", [(5, 20, 40, 25, 10), (0, 2, 20, 38, 40)])
def test_the_interval_contains_the_truth_as_often_as_it_says(chances: tuple[int, ...]) -> None:
    """Ten pairs only, where the textbook's interval contains it in 90 % of matches."""
    chance = random.Random(6)
    truth = sum(at * weight for at, weight in enumerate(chances)) / 400
    kept = 0
    for _ in range(100):
        found = strength_of(Pentanomial.of_pairs(chance.choices(range(5), chances, k=10)))
        kept += found.score_low <= truth <= found.score_high
    assert kept >= 93


@settings(max_examples=40, deadline=None)
@given(PAIRS)
def test_the_other_side_sees_the_opposite(pairs: Pentanomial) -> None:
    mine, theirs = strength_of(pairs), strength_of(pairs.reversed())
    for of in ENDS[1:]:
        opposite = [-value for value in reversed(ends(theirs, of))]
        assert list(ends(mine, of)) == pytest.approx(opposite, rel=1e-3, abs=1e-3)
    assert mine.los == pytest.approx(1.0 - theirs.los, abs=1e-9)


@example(Pentanomial((47, 266, 0, 0, 0)))
@settings(max_examples=40, deadline=None)
@given(PAIRS)
def test_intervals_are_in_order_and_agree_with_each_other(pairs: Pentanomial) -> None:
    found = strength_of(pairs)
    for of in ENDS:
        low, middle, high = ends(found, of)
        assert not any(map(isnan, (low, middle, high)))
        assert low <= middle <= high
        assert low < high
    assert found.elo_low > 0 or found.nelo_low <= 0
    assert found.elo_high < 0 or found.nelo_high >= 0
    if abs(found.los - 0.975) > 1e-6:
        assert (found.los > 0.975) == (found.elo_low > 0)


@settings(max_examples=20, deadline=None)
@given(PAIRS)
def test_more_points_mean_more_strength(pairs: Pentanomial) -> None:
    zero, one, two, three, four = pairs.counts
    more = strength_of(Pentanomial((zero, one, two, three, four + 1)))
    less = strength_of(Pentanomial((zero + 1, one, two, three, four)))
    assert less.elo_low < more.elo_low
    assert less.elo_high < more.elo_high
    assert less.los < more.los or not 1e-9 < less.los < 1.0 - 1e-9


def test_counting_pairs() -> None:
    assert Pentanomial.of_pairs([0, 4, 4, 2, 3, 3, 3]).counts == (1, 0, 1, 3, 2)
    assert Pentanomial.of_pairs([]).counts == ZERO
    assert Pentanomial((1, 2, 3, 4, 5)).reversed().counts == (5, 4, 3, 2, 1)
    assert Trinomial.of_games(1, 2, 3).reversed() == Trinomial.of_games(3, 2, 1)
    with pytest.raises(ValueError, match="from 0 to 4"):
        Pentanomial.of_pairs([2, 5])
    with pytest.raises(ValueError, match="below 0"):
        Pentanomial((0, 0, -1, 0, 0))
    with pytest.raises(ValueError, match="5 are needed"):
        Pentanomial((1, 2, 3))  # type: ignore[arg-type]
