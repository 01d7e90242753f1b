"""The sequential test: published ratios, a slow twin, and the risks it promises."""

from __future__ import annotations

import random
from itertools import product
from math import inf, log, sqrt

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader.lab.elo import (
    Pentanomial,
    Tally,
    Trinomial,
    moments_of,
    shares_of,
    with_mean,
    with_t_value,
)
from grader.lab.sprt import Decision, Model, Sprt

SOME = st.one_of(st.just(0), st.integers(0, 5), st.integers(0, 1000))
PAIRS = st.tuples(SOME, SOME, SOME, SOME, SOME).map(Pentanomial)


@pytest.mark.parametrize(
    ("counts", "bounds", "llr", "digits"),
    [
        ((379, 10170, 21828, 10640, 343), (0.0, 2.0), 2.946, 0.001),  # 2.9455, told with more
        ((177, 1629, 3083, 1780, 221), (0.0, 3.0), 2.91, 0.005),
        ((457, 4273, 9516, 4350, 467), (-3.0, 0.0), 2.89, 0.005),
        ((0, 0, 2, 0, 37), (0.0, 20.0), 2.96, 0.005),
        ((365, 16618, 36229, 16974, 390), (0.0, 2.0), 2.25, 0.005),
        ((127, 4883, 10712, 5150, 104), (-1.75, 0.25), 3.01, 0.005),
    ],
)
def test_published_ratios_of_pairs(
    counts: tuple[int, int, int, int, int], bounds: tuple[float, float], llr: float, digits: float
) -> None:
    assert Sprt(*bounds).llr(Pentanomial(counts)) == pytest.approx(llr, abs=digits)


@pytest.mark.parametrize(
    ("tally", "bounds", "model", "llr"),
    [
        (Trinomial.of_games(36433, 68692, 36027), (0.0, 2.0), Model.NORMALIZED, 0.92),
        (Trinomial.of_games(10871, 20431, 10650), (-1.75, 0.25), Model.NORMALIZED, 2.30),
        (Trinomial.of_games(21404, 40708, 21184), (0.5, 2.5), Model.LOGISTIC, -1.57),
        (Trinomial.of_games(57433, 106593, 57030), (0.0, 2.0), Model.LOGISTIC, -2.59),
        (Pentanomial((223, 9863, 21279, 10037, 246)), (0.5, 2.5), Model.LOGISTIC, -3.07),
        (Pentanomial((871, 26175, 55983, 26678, 821)), (0.0, 2.0), Model.LOGISTIC, -4.98),
    ],
)
def test_published_ratios_of_games_and_in_plain_elo(
    tally: Tally, bounds: tuple[float, float], model: Model, llr: float
) -> None:
    assert Sprt(*bounds, model=model).llr(tally) == pytest.approx(llr, abs=0.005)


def best_by_trying(shares: list[float], t_value: float) -> float:
    """The likelihood of the best chances of loss, draw, win with that t-value, on a fine grid.

    With wins and losses w and l, mean - 1/2 is (w - l) / 2 and the variance
    ((w + l) - (w - l)^2) / 4; so for each surplus w - l there is just one w + l.
    """
    best = -inf
    for step in range(1, 200_000):
        surplus = step / 200_000
        decided = surplus**2 * (1.0 + 1.0 / t_value**2)
        loss, win = (decided - surplus) / 2.0, (decided + surplus) / 2.0
        if loss <= 0.0 or decided >= 1.0:
            continue
        terms = zip(shares, (loss, 1.0 - decided, win), strict=True)
        best = max(best, sum(share * log(chance) for share, chance in terms))
    return best


@pytest.mark.parametrize("counts", [(2, 5, 4), (7, 1, 2), (0, 3, 0), (0, 0, 4), (1, 90, 9)])
def test_the_likeliest_chances_of_a_t_value_are_found(counts: tuple[int, int, int]) -> None:
    shares = shares_of(Trinomial(counts))
    for t_value in (0.1, 0.5):
        chances = with_t_value(shares, (0.0, 0.5, 1.0), t_value)
        found = sum(share * log(chance) for share, chance in zip(shares, chances, strict=True))
        assert found == pytest.approx(best_by_trying(shares, t_value), abs=1e-5)


@pytest.mark.parametrize("counts", [(2, 5, 4), (7, 1, 2), (0, 3, 0), (0, 0, 4)])
@pytest.mark.parametrize("mean", [0.3, 0.5, 0.8])
def test_the_likeliest_chances_of_a_mean_are_found(
    counts: tuple[int, int, int], mean: float
) -> None:
    shares = shares_of(Trinomial(counts))
    best = -inf
    for step in range(1, 20_000):
        win = step / 20_000
        chances = (1.0 - win - 2.0 * (mean - win), 2.0 * (mean - win), win)
        if min(chances) > 0.0:
            terms = zip(shares, chances, strict=True)
            best = max(best, sum(share * log(chance) for share, chance in terms))
    likeliest = with_mean(shares, (0.0, 0.5, 1.0), mean)
    found = sum(share * log(chance) for share, chance in zip(shares, likeliest, strict=True))
    assert best - 1e-12 <= found < best + 5e-4


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.floats(-1000.0, 1000.0))
def test_what_is_found_fulfils_what_was_asked(pairs: Pentanomial, nelo: float) -> None:
    t_value = nelo / 347.4356 * sqrt(2.0)
    values = pairs.values
    chances = with_t_value(shares_of(pairs), values, t_value)
    mean, variance = moments_of(chances, values)
    assert min(chances) > 0.0
    assert sum(chances) == pytest.approx(1.0, abs=1e-6)
    assert (mean - 0.5) / sqrt(variance) == pytest.approx(t_value, abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.sampled_from([2.0, 20.0, 100.0]), st.sampled_from(Model))
def test_symmetric_bounds_are_fair_to_both_sides(
    pairs: Pentanomial, elo: float, model: Model
) -> None:
    sprt = Sprt(-elo, elo, model=model)
    assert sprt.llr(pairs) == pytest.approx(-sprt.llr(pairs.reversed()), rel=1e-6, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.sampled_from(Model))
def test_a_pair_won_speaks_for_strength(pairs: Pentanomial, model: Model) -> None:
    assume(pairs.pairs)
    zero, one, two, three, four = pairs.counts
    sprt = Sprt(0.0, 20.0, model=model)
    now = sprt.llr(pairs)
    assert sprt.llr(Pentanomial((zero, one, two, three, four + 1))) > now - 1e-9
    assert sprt.llr(Pentanomial((zero + 1, one, two, three, four))) < now + 1e-9


def test_few_pairs_decide_nothing() -> None:
    for counts in product((0, 1), repeat=5):
        zero, one, two, three, four = counts
        verdict = Sprt(0.0, 20.0).verdict(Pentanomial((zero, one, two, three, four)))
        assert verdict.decision is Decision.UNDECIDED
    assert Sprt(0.0, 20.0).llr(Pentanomial()) == 0.0


def test_bounds() -> None:
    sprt = Sprt(0.0, 20.0)
    assert (sprt.lower, sprt.upper) == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    sprt = Sprt(0.0, 20.0, alpha=0.01, beta=0.1)
    assert (sprt.lower, sprt.upper) == pytest.approx((log(0.1 / 0.99), log(0.9 / 0.01)))


def test_verdicts_in_words() -> None:
    better = Pentanomial((5, 20, 100, 80, 40))
    won = Sprt(0.0, 20.0).verdict(better)
    assert won.decision is Decision.H1
    assert won.words == (
        "accepted: stronger by more than 0 nElo (H1, 20 nElo, rather than H0, 0; "
        "wrong in at most about 5 % of such tests)"
    )
    lost = Sprt(0.0, 20.0, model=Model.LOGISTIC).verdict(better.reversed())
    assert lost.decision is Decision.H0
    assert lost.words.startswith("rejected: not stronger by 20 Elo or more (H0, 0 Elo, rather")
    held = Sprt(-20.0, 0.0).verdict(better)
    assert held.words.startswith("accepted: not weaker by 20 nElo or more (H1, 0 nElo")
    worse = Sprt(-20.0, 0.0).verdict(better.reversed())
    assert worse.words.startswith("rejected: weaker by more than 0 nElo")
    open_still = Sprt(0.0, 20.0).verdict(Pentanomial((0, 1, 2, 1, 0)))
    assert open_still.words.startswith("undecided: the LLR of -0.0")
    assert open_still.words.endswith("between -2.94 and 2.94; play on")


@pytest.mark.parametrize(
    "wrong", [(20.0, 0.0), (5.0, 5.0), (0.0, 5000.0), (float("nan"), 5.0), (0.0, 5.0, 0.6, 0.05)]
)
def test_wrong_bounds_are_refused(wrong: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=r"bounds|risks"):
        Sprt(*wrong)


@pytest.mark.parametrize(
    ("surplus", "right", "wrong"),
    [(0.0, Decision.H0, Decision.H1), (1.0, Decision.H1, Decision.H0)],
)
def test_the_risks_are_those_promised(surplus: float, right: Decision, wrong: Decision) -> None:
    """Simulated matches whose truth is one of the bounds; looked at after every five pairs."""
    sprt = Sprt(0.0, 200.0)
    shares = [0.1, 0.2, 0.4, 0.2, 0.1]
    chances = with_t_value(shares, Pentanomial().values, surplus * 200.0 / 347.4356 * sqrt(2.0))
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
