"""The same cases at growing limits."""

from __future__ import annotations

import pytest
from support.compare_problems import SHOT, problem

from grader.lab.compare import scan, values_of
from grader.lab.variants import variant_named


def test_deeper_steps_are_compared_with_those_before() -> None:
    """One case is decided at depth 3; it no longer counts when depths are compared."""
    problems = [problem(SHOT), problem("checkers/win-by-taking-the-last-two")]
    variant = variant_named("default+without=tables")
    found = scan(problems, [variant], "depth", values_of("depth", 1, 4))
    assert [step.at for step in found.steps] == [1, 2, 3, 4]
    assert [step.reached for step in found.steps] == [2, 2, 2, 1]
    visited = [step.summary.visited for step in found.steps]
    alone = scan(problems[:1], [variant], "depth", (3, 4)).steps
    assert [step.growth for step in found.steps] == pytest.approx(
        [
            None,
            visited[1] / visited[0],
            visited[2] / visited[1],
            alone[1].summary.visited / alone[0].summary.visited,
        ]
    )


def test_a_step_of_two_plies_has_the_growth_of_one() -> None:
    near, far = scan([problem(SHOT)], [variant_named("default")], "depth", (2, 4)).steps
    assert far.growth is not None
    assert far.growth**2 == pytest.approx(far.summary.visited / near.summary.visited)


def test_nodes_are_doubled_from_step_to_step() -> None:
    assert values_of("nodes", 100, 850) == [100, 200, 400, 800]
    assert values_of("depth", 3, 3) == [3]


def test_nodes_are_the_only_limit_while_they_are_scanned() -> None:
    few, many = scan([problem(SHOT)], [variant_named("default+depth=1")], "nodes", (50, 400)).steps
    assert 1 < few.summary.depth < many.summary.depth
    assert few.summary.visited <= 50 < many.summary.visited <= 400
