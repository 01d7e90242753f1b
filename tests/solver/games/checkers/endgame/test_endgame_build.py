"""Tables worked out from nothing are those that come with the package."""

from __future__ import annotations

import pytest
from support.endgame_files import built, content, shipped

from solver.cli.report import is_compiled
from solver.games.checkers.endgame.file import digest
from solver.games.checkers.endgame.slices import all_slices

PIECES = 4 if is_compiled() else 3  # four take minutes in pure Python


def test_every_slice_is_built_as_it_is_shipped() -> None:
    for here in all_slices(PIECES):
        assert built(PIECES).all_of(here) == shipped().all_of(here), here.name()


def test_the_shipped_values_have_the_hash_that_the_file_names() -> None:
    assert digest(all_slices(4), shipped()) == shipped().archive.sha256


@pytest.mark.parametrize("pieces", [2, 3])
def test_the_same_values_make_the_same_file(pieces: int) -> None:
    assert content(pieces, built(PIECES)) == content(pieces, shipped())
