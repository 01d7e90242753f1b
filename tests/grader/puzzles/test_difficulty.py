"""How hard puzzles are, measured."""

from __future__ import annotations

from itertools import islice

import pytest
from support.positions import random_positions

from grader.puzzles import prove
from grader.puzzles.evidence import find
from grader.puzzles.prove import Difficulty, measure, search_deeper
from solver.games import game_named

MIDDLE = "B:W13,19,22,23,25,26,29,30:B2,3,4,5,6,8,9,12,21"
TWO_KINGS = "B:WK17:BK1,K6"


def measured(text: str, game: str = "checkers") -> Difficulty:
    rules = game_named(game)
    position = rules.read(text, "test", True).position
    best = find(rules, position, 6, 5_000).best
    return measure(rules, position, best)


def test_a_move_found_by_chance_is_not_found() -> None:
    """The first move in the order of the rules is a best one, and a search that sees no
    difference would answer with it."""
    rules = game_named("checkers")
    position = rules.read(TWO_KINGS, "test", True).position
    steps = islice(search_deeper(rules, position, [0]), 3)
    assert [right for _, _, right in steps] == [False] * 3


def test_a_shot_is_seen_at_the_depth_of_the_last_capture() -> None:
    """Red gives a man and takes two for it: material shows that after three plies, or at once
    where captures are followed to their end."""
    text = ".....b.R/......r./......../..R.b.../.......b/......b./...r..../........"
    found = measured(text.replace("/", "\n"))
    assert (found.depth, found.stars) == (1, 1)


@pytest.mark.parametrize(("text", "most"), [(MIDDLE, 300), ("W:WK6,K9:BK15", 2_000)])
def test_what_takes_too_long_has_no_number(
    text: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prove, "MOST", most)
    assert measured(text) == Difficulty(5, None, None)


def test_where_every_move_is_best_there_is_nothing_to_see() -> None:
    assert measured("Setup Wa4 Bh6", "twoflags") == Difficulty(1, 0, 0)


def test_what_is_right_early_but_not_later_is_not_seen_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A wrong answer at a greater depth undoes all before it."""
    rules = game_named("checkers")
    for position in random_positions(60, range(6, 8), seed=3):
        steps = list(islice(search_deeper(rules, position, [0]), 5))
        right = [each for _, _, each in steps]
        if True in right and not right[-1]:
            monkeypatch.setattr(prove, "DEEPEST", steps[-1][0])
            assert measure(rules, position, [0]) == Difficulty(5, None, None)
            return
    raise AssertionError("no such position")
