"""Numbers, lists and exchanges in words."""

from __future__ import annotations

import pytest

from solver.explain.describe import describe_trade, join_words, name_pieces, number_word, sentence
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
    assert name_pieces(KINDS, counts) == words


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
    assert describe_trade(KINDS, gained, given) == words


def test_lists_and_sentences() -> None:
    assert join_words(["a"]) == "a"
    assert join_words(["a", "b", "c"]) == "a, b and c"
    assert sentence("red wins") == "Red wins."
    assert number_word(12) == "twelve"
