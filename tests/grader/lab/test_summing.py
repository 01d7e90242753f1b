"""Measurements added up."""

from __future__ import annotations

import pytest

from grader.lab.compare_results import CaseFacts, Measurement, compared


def case(name: str, value: str) -> CaseFacts:
    return CaseFacts(name, "checkers", "", "red", value, "all", ("11-15",))


def measurement(
    variant: str,
    name: str,
    verdict: str = "exact",
    *,
    visited: int = 100,
    kept: bool | None = None,
    lost: int | None = None,
    cpu_s: tuple[float, ...] = (1.0,),
) -> Measurement:
    return Measurement(
        *(variant, name, "11-15", "", "+1 at depth 4", 1, 4, verdict, "draw", kept, lost),
        *(10, 20, visited, 3, 4, 5, 6, 0, 2.0, cpu_s),
    )


CASES = [case("a", "win in 5"), case("b", "win in 9"), case("c", "draw"), case("d", "loss in 4")]
FIRST = [
    measurement("first", "a", kept=True, lost=0),
    measurement("first", "b", "slower", kept=True, lost=6),
    measurement("first", "c", "worse", kept=False),
    measurement("first", "d", "equal"),
]
SECOND = [
    measurement("second", "a", "worse", kept=False, visited=50),
    measurement("second", "b", "slower", visited=200),  # nobody knows whether it is kept
    measurement("second", "c", kept=True, visited=50),
    measurement("second", "d", visited=200),
]


def test_verdicts_are_counted_and_what_is_kept() -> None:
    first, second = compared(CASES, list(zip(FIRST, SECOND, strict=True)), 1).summaries
    assert (first.exact, first.equal, first.slower, first.worse, first.right) == (1, 1, 1, 1, 2)
    assert (first.kept.wins.kept, first.kept.wins.of, first.kept.plies_lost) == (2, 2, 6)
    assert (first.kept.draws.kept, first.kept.draws.of, first.kept.unknown) == (0, 1, 0)
    assert first.kept.mean_plies_lost == 3
    assert (second.kept.wins.kept, second.kept.wins.of, second.kept.unknown) == (0, 2, 1)
    assert (second.kept.draws.kept, second.kept.draws.of) == (1, 1)
    assert second.kept.mean_plies_lost is None
    assert (first.visited, first.cutoffs, first.hits, first.seconds) == (400, 28, 20, 4.0)


def test_ratios_are_to_the_first_case_by_case() -> None:
    """Half as many nodes and twice as many cancel, whatever the sums are."""
    first, second = compared(CASES, list(zip(FIRST, SECOND, strict=True)), 1).summaries
    assert first.nodes is None
    assert second.nodes is not None
    assert second.nodes.ratio == pytest.approx(1.0)
    assert second.nodes.low < 1 < second.nodes.high
    assert second.time is None  # measured once, nobody knows how noisy


def timed(variant: str, *cpu_s: float) -> list[Measurement]:
    return [measurement(variant, case.name, cpu_s=cpu_s) for case in CASES]


def test_times_are_those_of_the_quickest_round() -> None:
    rows = list(zip(timed("a", 2.0, 2.02, 2.01), timed("b", 1.01, 1.0, 1.02), strict=True))
    found = compared(CASES, rows, 3)
    assert found.summaries[1].time is not None
    assert found.summaries[1].time.ratio == pytest.approx(0.5)
    assert not found.warnings


def test_noise_is_told_and_what_it_hides() -> None:
    rows = list(zip(timed("a", 2.0, 3.0, 2.5), timed("b", 1.9, 2.9, 2.6), strict=True))
    warnings = compared(CASES, rows, 3).warnings
    assert any(words.startswith("a: ") for words in warnings)
    assert any("too much to say whether 0.95 x is a difference" in words for words in warnings)


def test_cases_with_different_answers_are_disputed() -> None:
    found = compared(CASES, list(zip(FIRST, SECOND, strict=True)), 1)
    assert found.disputed == ()
    assert [each.variant for each in found.of_case("b")] == ["first", "second"]
