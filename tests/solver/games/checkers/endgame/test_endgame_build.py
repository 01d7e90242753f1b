"""Tables worked out from nothing are those that come with the package."""

from __future__ import annotations

import pytest
from support.builds import INTERPRETED
from support.endgame_files import built, content, named, shipped

from solver.games.checkers.endgame.build import solve_pair
from solver.games.checkers.endgame.file import digest
from solver.games.checkers.endgame.slices import Values, all_slices, pairs_below


@pytest.mark.parametrize(
    "pieces", [3, 4] if not INTERPRETED else [pytest.param(3, marks=pytest.mark.slow)]
)
def test_every_slice_is_built_as_it_is_shipped(pieces: int) -> None:
    for here in all_slices(pieces):
        assert built(pieces).all_of(here) == shipped().all_of(here), here.name()
    assert content(3, built(pieces)) == content(3, shipped())


def test_a_slice_is_built_as_it_is_shipped() -> None:
    """With captures and crownings, and all slices that they lead to."""
    values = Values()
    for pair in pairs_below(named("KKvm")):
        solve_pair(*pair, values, lambda: None)
        assert all(values.all_of(here) == shipped().all_of(here) for here in pair)


def test_the_shipped_values_have_the_hash_that_the_file_names() -> None:
    assert digest(all_slices(4), shipped()) == shipped().archive.sha256
    assert content(2) == content(2, shipped())
