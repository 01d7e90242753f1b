"""The minimal tree, and the search against it."""

from __future__ import annotations

import re

import pytest
from support.command import solver
from support.positions import board

from solver.games.tree import leaf_value, parse
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.minimax import minimal_tree, tree_width
from solver.search.techniques import Techniques


def even(width: int, depth: int) -> list[object] | int:
    """The shape of an even tree whose leaves are all worth the same."""
    return [even(width, depth - 1) for _ in range(width)] if depth else 0


@pytest.mark.parametrize(("width", "depth"), [(2, 1), (2, 6), (3, 4), (3, 5), (5, 2)])
def test_plain_alpha_beta_visits_exactly_the_minimal_tree_if_every_order_is_best(
    width: int, depth: int
) -> None:
    plain = Techniques("pvs,ordering,cache,deepening")
    tree = parse(str(even(width, depth)), "test")
    result = Search(leaf_value, plain).run(tree, Limits(depth=depth))
    assert result.counters.visited == minimal_tree(width, depth)


def test_the_width_is_that_of_an_even_tree_with_as_many_lines() -> None:
    assert tree_width(parse(str(even(3, 4)), "test"), 9) == pytest.approx(3)
    start = board("B:W21-32:B1-12")
    assert tree_width(start, 1) == 7
    assert tree_width(start, 12) == pytest.approx(1469**0.25)


def test_the_width_of_a_tree_that_ends_early_is_measured_before_its_end() -> None:
    assert tree_width(parse(str(even(3, 2)), "test"), 9) == pytest.approx(3)


def test_analyse_compares_with_the_minimal_tree() -> None:
    done = solver("analyse", "-", "--minimal", "--depth", "6", text="B:W21-32:B1-12")
    found = re.fullmatch(
        r"minimal tree: (\d+) nodes \(depth 6, (6\.19) moves a position\); "
        r"visited: (\d+), (\d+\.\d\d) times as many",
        done.stdout.splitlines()[-1],
    )
    assert found is not None
    assert int(found[1]) == round(minimal_tree(1469**0.25, 6))
    assert float(found[4]) == pytest.approx(int(found[3]) / int(found[1]), abs=0.01)
    assert f" nodes {found[3]} " in done.stdout


def test_analyse_says_if_there_is_nothing_to_compare(shot: str) -> None:
    done = solver("analyse", shot, "--minimal")
    assert done.stdout.endswith("minimal tree: nothing was searched to a depth; --depth N does\n")
