"""The minimal tree, and the search against it."""

from __future__ import annotations

import pytest
from support.positions import board

from solver.games.tree import leaf_value, parse
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.result import minimal_tree, tree_width
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
