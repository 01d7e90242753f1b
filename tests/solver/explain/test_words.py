"""Numbers, lists and exchanges in words."""

from __future__ import annotations

import pytest

from solver.explain.describe import listed, pieces, sentence, spelled, traded
from solver.games import game_named

KINDS = game_named("checkers").describer().KINDS


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((0, 0), "nothing"),
        ((1, 0), "a man"),
        ((3, 0), "three men"),
        ((1, 1), "a man and a king"),
        ((0, 13), "13 kings"),
    ],
)
def test_pieces(counts: tuple[int, int], words: str) -> None:
    assert pieces(KINDS, counts) == words


@pytest.mark.parametrize(
    ("gained", "given", "words"),
    [
        ((2, 0), (1, 0), "two men for one"),
        ((1, 0), (2, 0), "one man for two"),
        ((1, 0), (1, 0), "a man for a man"),
        ((0, 1), (1, 0), "a king for a man"),
        ((0, 2), (0, 2), "two kings for two"),
        ((2, 1), (0, 1), "two men and a king for a king"),
        ((1, 0), (0, 0), "a man for nothing"),
    ],
)
def test_trades(gained: tuple[int, int], given: tuple[int, int], words: str) -> None:
    assert traded(KINDS, gained, given) == words


def test_lists_and_sentences() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert sentence("red wins") == "Red wins."
    assert spelled(12) == "twelve"
