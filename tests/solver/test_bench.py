"""The bench count identifies the behaviour of the search: a change must be meant."""

from __future__ import annotations

from solver.bench import CASES, run_case, speed

BENCH = 224206


def test_the_bench_count_is_the_one_in_the_last_commit_that_changed_it() -> None:
    assert sum(run_case(*case).nodes for case in CASES) == BENCH


def test_speed_is_measured_against_a_counting_loop() -> None:
    nodes, rounds = speed(seconds=0.01)
    assert nodes > 0
    assert rounds > 0
