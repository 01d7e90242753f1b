"""Logistic regression against weights that are known beforehand."""

from __future__ import annotations

import math
import random

import pytest

from grader.lab.tune import Sample, accuracy, expected, fit, log_loss


def drawn(weights: list[float], number: int, seed: int) -> list[Sample]:
    """Samples whose results are thrown with the chances that the weights give."""
    rng = random.Random(seed)
    found = []
    for _ in range(number):
        counts = tuple(rng.randint(-3, 3) for _ in weights)
        logit = sum(weight * count for weight, count in zip(weights, counts, strict=True))
        found.append(Sample(counts, float(rng.random() < expected(logit))))
    return found


def test_the_weights_behind_thrown_results_are_found_again() -> None:
    weights = [0.8, -0.3, 0.0]
    assert fit(drawn(weights, 3000, 1)) == pytest.approx(weights, abs=0.1)


def test_a_share_of_wins_is_met_exactly_but_for_the_ridge() -> None:
    """Three wins in four mean odds of three to one; a draw is half a win."""
    wins = [Sample((1,), 1.0)] * 2000 + [Sample((1,), 0.5)] * 2000
    assert fit(wins)[0] == pytest.approx(math.log(3), abs=0.01)


def test_a_term_that_never_occurs_weighs_nothing() -> None:
    samples = [Sample((*sample.counts, 0), sample.result) for sample in drawn([0.5], 500, 2)]
    assert fit(samples)[1] == 0


def test_two_terms_that_always_occur_together_share_the_weight() -> None:
    alone = drawn([0.6], 500, 3)
    one, two = fit([Sample(sample.counts * 2, sample.result) for sample in alone])
    assert one == pytest.approx(two)
    assert one + two == pytest.approx(fit(alone)[0], rel=0.01)


def test_results_without_exception_still_give_a_finite_weight() -> None:
    weight = fit([Sample((1,), 1.0), Sample((-1,), 0.0)] * 50)[0]
    assert 1 < weight < 20


@pytest.mark.parametrize("logit", [0.0, 1.0, 30.0, 800.0])
def test_expected_results_of_both_sides_add_up_to_one(logit: float) -> None:
    assert expected(logit) + expected(-logit) == pytest.approx(1)


def test_log_loss_and_accuracy_of_samples_counted_by_hand() -> None:
    samples = [Sample((1,), 1.0), Sample((-1,), 1.0), Sample((2,), 0.5)]
    assert log_loss(samples, [0.0]) == pytest.approx(math.log(2))
    assert accuracy(samples, [1.0]) == 0.5
    assert accuracy(samples[2:], [1.0]) is None
