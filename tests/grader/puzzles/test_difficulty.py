"""How hard puzzles are, measured."""

from __future__ import annotations

from typing import Any

import pytest
from support.positions import random_pawns, random_positions

from grader.puzzles import prove as difficulty
from grader.puzzles.evidence import find, tables_of
from grader.puzzles.prove import ALL, MEASURED, Difficulty, _Trial, measure, stars
from solver.games import game_named
from solver.search.heuristic import NOTHING

MIDDLE = "B:W13,19,22,23,25,26,29,30:B2,3,4,5,6,8,9,12,21"
TWO_KINGS = "B:WK17:BK1,K6"


def measured(text: str, game: str = "checkers") -> Difficulty:
    rules = game_named(game)
    position = rules.read(text, "test", True).position
    best = find(rules, position, 6, 5_000).best
    return measure(rules, position, best, tables_of(game))


def test_stars_count_the_digits() -> None:
    given = (0, 99, 100, 999, 1000, 99_999, None)
    assert [stars(nodes) for nodes in given] == [1, 1, 2, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("game", "positions"), [("checkers", random_positions), ("twoflags", random_pawns)]
)
def test_sound_techniques_need_other_nodes_for_the_same_depths(game: str, positions: Any) -> None:
    """Whether the best moves stand out at a depth does not depend on how it is searched."""
    changed = set()
    for position in positions(6, range(5, 7), seed=6):
        trial = _Trial(game_named(game), position, [0])
        plain = list(trial._steps(ALL, NOTHING, range(1, 5)))
        for name in MEASURED:
            techniques = ALL.changed(without=name)
            depths = [depth for depth, _, _ in plain]
            if name == "deepening":
                depths = depths[-1:]
            steps = list(trial._steps(techniques, NOTHING, depths))
            assert [(depth, right) for depth, _, right in steps] == [
                (depth, right) for depth, _, right in plain if depth in depths
            ]
            if steps[-1][1] != plain[-1][1]:
                changed.add(name)
    assert changed == set(MEASURED)


def test_a_move_found_by_chance_is_not_found() -> None:
    """The first move in the order of the rules is a best one, and a search that sees no
    difference would answer with it."""
    rules = game_named("checkers")
    position = rules.read(TWO_KINGS, "test", True).position
    trial = _Trial(rules, position, [0])
    assert [right for _, _, right in trial._steps(ALL, NOTHING, range(1, 4))] == [False] * 3


def test_a_shot_is_seen_at_the_depth_of_the_last_capture() -> None:
    """Red gives a man and takes two for it: material shows that after three plies, or at once
    where captures are followed to their end."""
    text = ".....b.R/......r./......../..R.b.../.......b/......b./...r..../........"
    found = measured(text.replace("/", "\n"))
    assert (found.depth, found.stars) == (1, 1)
    assert (found.without["extension"] or 0) > (found.nodes or 0) > 0


@pytest.mark.parametrize(("text", "most"), [(MIDDLE, 300), ("W:WK6,K9:BK15", 2_000)])
def test_what_takes_too_long_has_no_number(
    text: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables make an ending easy."""
    monkeypatch.setattr(difficulty, "MOST", most)
    found = measured(text)
    assert (found.stars, found.depth, found.nodes) == (5, None, None)
    assert set(found.without.values()) == {None}
    assert found.with_tables is None if text == MIDDLE else (found.with_tables or 99) < 50


def test_where_every_move_is_best_there_is_nothing_to_see() -> None:
    found = measured("Setup Wa4 Bh6", "twoflags")
    assert (found.stars, found.depth, found.nodes) == (1, 0, 0)
    assert set(found.without.values()) == {0}


def test_what_is_right_early_but_not_later_is_not_seen_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A wrong answer at a greater depth undoes all before it."""
    rules = game_named("checkers")
    for position in random_positions(60, range(6, 8), seed=3):
        trial = _Trial(rules, position, [0])
        steps = list(trial._steps(ALL, NOTHING, range(1, 6)))
        right = [each for _, _, each in steps]
        if True in right and not right[-1]:
            monkeypatch.setattr(difficulty, "DEEPEST", steps[-1][0])
            assert trial.seen_through(ALL) == (None, None)
            return
    raise AssertionError("no such position")
