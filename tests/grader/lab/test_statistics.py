"""Ratios, shares, Elo and the sequential test: known values, slow twins, and what they promise."""

from __future__ import annotations

import random
from math import inf, isnan, log, sqrt
from statistics import NormalDist

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.lab.stats import (
    Decision,
    Pentanomial,
    Share,
    Sprt,
    Strength,
    chances_with_mean,
    chances_with_t_value,
    elo_of_score,
    meaning,
    nelo_of,
    paired_difference,
    paired_ratio,
    strength_of,
    student,
)

SOME = st.one_of(st.just(0), st.integers(0, 5), st.integers(0, 1000))
PAIRS = st.tuples(SOME, SOME, SOME, SOME, SOME).filter(any).map(Pentanomial)
ENDS = ("score", "elo", "nelo")


def test_quantiles_of_t_go_on_beyond_the_table() -> None:
    """Those of 40, 60, 120 and many degrees of freedom are published, too."""
    assert [student(freedom) for freedom in (1, 4, 30)] == [12.706, 2.776, 2.042]
    found = [student(freedom) for freedom in (31, 40, 60, 120, 10**6)]
    assert found == pytest.approx([2.0395, 2.0211, 2.0003, 1.9799, 1.9600], abs=1e-4)


def test_ratios_by_hand() -> None:
    for values, reference, wanted in (
        ([1], [4], (0.25, 0.0, inf)),
        ([1, 2, 3], [10, 20, 30], (0.1, 0.1, 0.1)),
        # Logarithms of mean -log(2)/3 and deviation 2 log(2)/sqrt(3); t is 4.3027.
        ([50, 100, 400], [100, 200, 200], (0.793701, 0.108694, 5.795658)),
    ):
        found = paired_ratio(values, reference)
        assert tuple(found) == pytest.approx(wanted, rel=1e-3)


@pytest.mark.parametrize(("more", "less", "cases"), [(9, 3, 60), (0, 0, 20), (5, 0, 5), (1, 7, 30)])
def test_differences_have_the_interval_of_tango(more: int, less: int, cases: int) -> None:
    """By Tango's own formula: both ends are as unlikely as 1.96 standard errors."""
    values = [True] * more + [False] * (cases - more)
    reference = [False] * more + [True] * less + [False] * (cases - more - less)
    found = paired_difference(values, reference)
    assert found.value == pytest.approx(100 * (more - less) / cases)

    def statistic(difference: float) -> float:
        b = -more - less + (2 * cases - more + less) * difference
        c = -less * difference * (1 - difference)
        share = (sqrt(b * b - 8 * cases * c) - b) / (4 * cases)
        variance = cases * (2 * share + difference * (1 - difference))
        return (more - less - cases * difference) / sqrt(variance)

    for end, wanted in ((found.low, 1.96), (found.high, -1.96)):
        assert abs(end) == 100 or statistic(end / 100) == pytest.approx(wanted, abs=0.01)
    assert -100 <= found.low <= found.value <= found.high <= 100


def test_shares_as_published() -> None:
    for kept, of, low, high in (
        *((0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634)),
        *((81, 263, 0.2553, 0.3662), (0, 0, 0.0, 1.0)),
    ):
        assert Share(kept, of).interval == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_a_share_lies_in_its_interval(kept: int, lost: int) -> None:
    of = kept + lost
    low, high = Share(kept, of).interval
    assert 0.0 <= low <= (kept / of if of else 0.0) <= high <= 1.0
    assert low < high
    assert low == pytest.approx(1.0 - Share(lost, of).interval[1], abs=1e-12)


def ends(strength: Strength, of: str) -> tuple[float, float, float]:
    middle, low, high = getattr(strength, of)
    return low, middle, high


@pytest.mark.parametrize(
    ("counts", "numbers", "words"),
    [
        ((1, 2, 4, 2, 3), (28 / 48, 58.45, 65.66), "Not clear yet who is stronger"),
        # as match programs report it
        ((0, 0, 2, 0, 37), (76 / 78, 631.91, 1056.68), "Stronger, by 357.9 to 858.6"),
        ((0, 0, 0, 0, 10), (1.0, inf, inf), "Stronger, by at least 166.3 Elo (95 %"),
        ((20, 60, 50, 20, 5), (120 / 310, -79.829, -113.395), "Weaker, by "),
        ((0, 0, 3, 0, 0), (0.5, 0.0, 0.0), "-220.7 to +220.7 Elo is plausible."),
    ],
)
def test_matches_by_hand(counts: tuple[int, ...], numbers: tuple[float, ...], words: str) -> None:
    found = strength_of(Pentanomial(counts))
    assert (found.score.value, found.elo.value, found.nelo.value) == pytest.approx(
        numbers, rel=1e-4
    )
    assert words in meaning(found)


@pytest.mark.parametrize(
    "counts", [(379, 10170, 21828, 10640, 343), (177, 1629, 3083, 1780, 221), (90, 900, 999, 90, 9)]
)
def test_many_games_give_the_textbook_intervals(counts: tuple[int, ...]) -> None:
    pairs = Pentanomial(counts)
    found = strength_of(pairs)
    error = pairs.deviation / sqrt(pairs.pairs)
    exact = 0.005 if pairs.pairs > 5000 else 0.05
    for sign, elo, nelo in (
        (-1, found.elo.low, found.nelo.low),
        (1, found.elo.high, found.nelo.high),
    ):
        score = pairs.score + sign * 1.959964 * error
        assert elo == pytest.approx(elo_of_score(score), abs=exact)
        if pairs.pairs > 5000:
            assert nelo == pytest.approx(nelo_of(score, pairs.deviation), abs=exact)
    assert found.los == pytest.approx(NormalDist().cdf((pairs.score - 0.5) / error), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("chances", [(5, 20, 40, 25, 10), (0, 2, 20, 38, 40)])
def test_the_interval_contains_the_truth_as_often_as_it_says(chances: tuple[int, ...]) -> None:
    """Ten pairs only, where the textbook's interval contains it in 90 % of matches."""
    chance = random.Random(6)
    truth = sum(at * weight for at, weight in enumerate(chances)) / 400
    kept = 0
    for _ in range(100):
        found = strength_of(Pentanomial.of_pairs(chance.choices(range(5), chances, k=10)))
        kept += found.score.low <= truth <= found.score.high
    assert kept >= 93


@example(Pentanomial((47, 266, 0, 0, 0)))
@example(Pentanomial((1, 1, 11, 11, 6)))  # the first step leads to where the mean is infinite
@settings(max_examples=20)
@given(PAIRS)
def test_strength_is_consistent(pairs: Pentanomial) -> None:
    """Intervals are in order, the opponent sees the opposite, and a pair won means more."""
    found, theirs = strength_of(pairs), strength_of(Pentanomial(pairs.counts[::-1]))
    for of in ENDS:
        low, middle, high = ends(found, of)
        assert not any(map(isnan, (low, middle, high)))
        assert low <= middle <= high
        assert low < high
        if of != "score":
            opposite = [-value for value in reversed(ends(theirs, of))]
            assert [low, middle, high] == pytest.approx(opposite, rel=1e-3, abs=1e-3)
    assert found.los == pytest.approx(1.0 - theirs.los, abs=1e-9)
    assert found.elo.low > 0 or found.nelo.low <= 0
    assert found.elo.high < 0 or found.nelo.high >= 0
    if abs(found.los - 0.975) > 1e-6:
        assert (found.los > 0.975) == (found.elo.low > 0)
    more = strength_of(Pentanomial((*pairs.counts[:4], pairs.counts[4] + 1)))
    less = strength_of(Pentanomial((pairs.counts[0] + 1, *pairs.counts[1:])))
    assert less.elo.low < more.elo.low
    assert less.elo.high < more.elo.high


def test_published_llrs() -> None:
    for counts, bounds, llr in (
        ((379, 10170, 21828, 10640, 343), (0.0, 2.0), 2.946),
        ((177, 1629, 3083, 1780, 221), (0.0, 3.0), 2.91),
        ((457, 4273, 9516, 4350, 467), (-3.0, 0.0), 2.89),
        ((0, 0, 2, 0, 37), (0.0, 20.0), 2.96),
        ((365, 16618, 36229, 16974, 390), (0.0, 2.0), 2.25),
        ((127, 4883, 10712, 5150, 104), (-1.75, 0.25), 3.01),
    ):
        assert Sprt(*bounds).llr(Pentanomial(counts)) == pytest.approx(llr, abs=0.005)


def likelihood(shares: list[float], chances: list[float]) -> float:
    return sum(share * log(chance) for share, chance in zip(shares, chances, strict=True))


@pytest.mark.parametrize("counts", [(7, 1, 2), (1e-3, 3, 1e-3)])
def test_the_likeliest_chances_are_found(counts: tuple[float, ...]) -> None:
    """By trying, for loss, draw and win: w + l follows from a t-value and w - l, since mean - 1/2
    is (w - l) / 2 and the variance ((w + l) - (w - l)^2) / 4; and from a mean, given w."""
    shares = [count / sum(counts) for count in counts]
    five = [shares[0], 1e-12, shares[1], 1e-12, shares[2]]  # no pair of 1/2 or 3/2 points
    for t_value in (0.1, 0.5):
        best = -inf
        for step in range(1, 20_000):
            surplus = step / 20_000
            decided = surplus**2 * (1.0 + 1.0 / t_value**2)
            if surplus < decided < 1.0:
                chances = [(decided - surplus) / 2.0, 1.0 - decided, (decided + surplus) / 2.0]
                best = max(best, likelihood(shares, chances))
        found = likelihood(shares, chances_with_t_value(five, t_value)[::2])
        assert found == pytest.approx(best, abs=1e-4)
    for mean in (0.3, 0.5, 0.8):
        best = -inf
        for step in range(1, 20_000):
            win = step / 20_000
            chances = [1.0 - win - 2.0 * (mean - win), 2.0 * (mean - win), win]
            if min(chances) > 0.0:
                best = max(best, likelihood(shares, chances))
        found = likelihood(shares, chances_with_mean(five, mean)[::2])
        assert best - 1e-12 <= found < best + 5e-4


@settings(max_examples=30)
@given(PAIRS, st.sampled_from([2.0, 20.0, 100.0]))
def test_the_llr_is_fair_and_grows_with_pairs_won(pairs: Pentanomial, elo: float) -> None:
    fair = Sprt(-elo, elo)
    assert fair.llr(pairs) == pytest.approx(
        -fair.llr(Pentanomial(pairs.counts[::-1])), rel=1e-6, abs=1e-6
    )
    sprt = Sprt(0.0, elo)
    now = sprt.llr(pairs)
    assert sprt.llr(Pentanomial((*pairs.counts[:4], pairs.counts[4] + 1))) > now - 1e-9
    assert sprt.llr(Pentanomial((pairs.counts[0] + 1, *pairs.counts[1:]))) < now + 1e-9


BETTER, WORSE = (5, 20, 100, 80, 40), (40, 80, 100, 20, 5)


@pytest.mark.parametrize(
    ("bounds", "counts", "decision", "words"),
    [
        (
            (0, 20),
            BETTER,
            Decision.H1,
            "accepted: stronger by more than 0 nElo (H1, 20",
        ),
        ((0, 20), WORSE, Decision.H0, "rejected: not stronger by 20 nElo or more (H0, 0"),
        ((-20, 0), BETTER, Decision.H1, "accepted: not weaker by 20 nElo or more (H1, 0 nElo"),
        ((-20, 0), WORSE, Decision.H0, "rejected: weaker by more than 0 nElo"),
        ((0, 20), (0, 1, 2, 1, 0), Decision.UNDECIDED, "between -2.94 and 2.94; play more"),
    ],
)
def test_decisions(
    bounds: tuple[float, float], counts: tuple[int, ...], decision: Decision, words: str
) -> None:
    verdict = Sprt(*bounds).verdict(Pentanomial(counts))
    assert verdict.decision is decision
    assert words in verdict.words
    decided = decision is not Decision.UNDECIDED
    assert ("; wrong in at most about 5 % of such tests)" in verdict.words) == decided


@pytest.mark.parametrize("wrong", [(20, 0), (5, 5), (0, 5000), (float("nan"), 5)])
def test_wrong_bounds_are_refused(wrong: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="less than"):
        Sprt(*wrong)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("surplus", "right", "wrong"),
    [(0.0, Decision.H0, Decision.H1), (1.0, Decision.H1, Decision.H0)],
)
def test_the_risks_are_those_promised(surplus: float, right: Decision, wrong: Decision) -> None:
    """Simulated matches whose truth is one of the bounds; looked at after every five pairs."""
    sprt = Sprt(0.0, 200.0)
    shares = [0.1, 0.2, 0.4, 0.2, 0.1]
    chances = chances_with_t_value(shares, surplus * 200.0 / 347.4356 * sqrt(2.0))
    chance = random.Random(20)
    ended: list[Decision] = []
    for _ in range(100):
        results: list[int] = []
        decision = Decision.UNDECIDED
        while decision is Decision.UNDECIDED:
            results += chance.choices(range(5), chances, k=5)
            decision = sprt.verdict(Pentanomial.of_pairs(results)).decision
        ended.append(decision)
    assert ended.count(wrong) <= 8
    assert ended.count(right) >= 92
