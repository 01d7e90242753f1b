"""Two Flags positions are values, and their keys tell them apart."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from support.builds import times
from support.naive_twoflags import Game
from support.naive_twoflags import text_of as naive_text
from support.pawn_drawings import any_game, pawns, position_of, random_game

from solver.errors import UserError
from solver.games.twoflags import game
from solver.games.twoflags.rules import BLACK, Pawns
from solver.search.heuristic import load


@settings(max_examples=times(200, 70), deadline=None)
@given(any_game())
def test_str_is_the_board_and_repr_is_the_position(start: Game) -> None:
    position = position_of(start)
    assert tuple(str(position).split("\n")) == start.rows
    assert eval(repr(position), {"Pawns": Pawns}) == position


@settings(max_examples=times(200, 70), deadline=None)
@given(any_game(), any_game())
def test_positions_are_equal_when_all_they_say_is(one: Game, two: Game) -> None:
    here, again, there = position_of(one), position_of(one), position_of(two)
    assert (here, hash(here), here.key()) == (again, hash(again), again.key())
    same = (naive_text(one), one.en_passant) == (naive_text(two), two.en_passant)
    assert (here == there) == same


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Wd5 Be5 WHITE", "Wd5 Be5 BLACK"),
        ("Wd5 Be5 WHITE", "Wd5 Be5 WHITE e6"),
        ("Wd5 Wf5 Be5 Bg5 WHITE e6", "Wd5 Wf5 Be5 Bg5 WHITE g6"),
        ("Wd5 Be5 WHITE", "Bd5 We5 WHITE"),
        ("Wd5 Wa8 Be5 WHITE", "Wd5 Wb8 Be5 WHITE"),
        ("Wd5 Be5 Ba1 WHITE", "Wd5 Be5 WHITE"),
    ],
)
def test_the_turn_en_passant_colours_and_landings_make_a_difference(one: str, two: str) -> None:
    here, there = pawns(f"Setup {one}"), pawns(f"Setup {two}")
    assert here != there
    assert here.key() != there.key()


def test_the_rule_set_makes_a_difference() -> None:
    """A cache must not mix the two."""
    one, two = pawns(game.start()), pawns(game.start(), "no-en-passant")
    assert one != two
    assert one.key() != two.key()
    assert str(one) == str(two)


def test_a_position_equals_nothing_else() -> None:
    start = pawns(game.start())
    assert start != str(start)
    assert start != (start.own, start.enemy, start.passed, start.state)


def test_asking_a_position_changes_nothing() -> None:
    position = pawns("Setup Wd5 Wa2 Wh7 Be5 Bb3 WHITE e6")
    before = repr(position)
    position.choices().move_keys()
    position.moves()
    position.status()
    position.key()
    position.board_key()
    for child in position.children():
        child.children()
    assert repr(position) == before
    assert position.children() is not position.children()


@pytest.mark.parametrize("change", ["position.own = 0", "position.passed ^= 1", "position.new = 1"])
def test_a_heuristic_may_not_change_the_position(tmp_path: Path, change: str) -> None:
    path = tmp_path / "own.py"
    path.write_text(f"def evaluate(position):\n    {change}\n    return 0\n")
    evaluate = load(f"{path}:evaluate")
    refused = r"has changed the position|is not writable|no attribute"
    with pytest.raises(UserError, match=refused):
        evaluate(pawns(game.start()))


# --- keys ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def met() -> list[Any]:
    """Distinct positions of random games, and with pawns on random squares."""
    rng = random.Random(3)
    found: set[Any] = set()
    for variant in ("", "no-en-passant"):
        for _ in range(150):
            position = pawns(game.start(), variant)
            while children := position.children():
                found.update(children)
                position = rng.choice(children)
    for number in range(6_000):
        found.add(position_of(random_game(rng, 2 + number % 11, bool(number % 3))))
    assert len(found) >= 60_000
    return list(found)


def test_no_two_positions_have_the_same_key(met: list[Any]) -> None:
    assert len({position.key() for position in met}) == len(met)


def test_keys_are_natural_numbers_below_2_to_the_62(met: list[Any]) -> None:
    keys = [position.key() for position in met] + [position.board_key() for position in met]
    assert min(keys) >= 0
    assert max(keys) < 2**62


def test_the_board_key_does_not_see_whose_turn_it_is_but_the_key_does(met: list[Any]) -> None:
    for position in met[::5]:
        other = Pawns(position.enemy, position.own, position.passed, position.state ^ BLACK)
        assert other.board_key() == position.board_key()
        assert other.key() != position.key()


def test_no_two_boards_have_the_same_board_key(met: list[Any]) -> None:
    boards = {
        Pawns(p.enemy, p.own, p.passed, p.state ^ BLACK) if p.state & BLACK else p for p in met
    }
    assert len({position.board_key() for position in boards}) == len(boards)
