"""Positions of every game are values, and their keys tell them apart."""

from __future__ import annotations

import random
from collections import deque
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from support import naive_twoflags
from support.builds import times
from support.drawings import Rows, any_rows, at, drawn, either_side, text_of
from support.naive_twoflags import Game
from support.pawn_drawings import any_game, pawns, position_of, random_game
from support.positions import board

from solver.games import GAMES, game_named
from solver.games.checkers.mixed import TwoBoards
from solver.games.checkers.rules import Board
from solver.games.twoflags.rules import BLACK, Pawns

CLASSES = {each.__name__: each for each in (Board, TwoBoards, Pawns)}


def check_value(position: Any, again: Any, other: Any, *, equal: bool) -> None:
    assert eval(repr(position), CLASSES) == position
    assert (again, hash(again), again.key()) == (position, hash(position), position.key())
    assert (other == position) == equal
    assert position != str(position)


@given(any_rows(), any_rows(), either_side, either_side)
def test_checkers_positions_are_equal_when_board_and_mover_are(
    rows: Rows, other_rows: Rows, mover: str, other_mover: str
) -> None:
    position, other = at(text_of(rows), mover), at(text_of(other_rows), other_mover)
    equal = (other_rows, other_mover) == (rows, mover)
    check_value(position, at(text_of(rows), mover), other, equal=equal)
    assert str(position) == text_of(rows)
    assert position.passed() != position
    assert position.passed().passed() == position


@given(any_game(), any_game())
def test_pawns_are_equal_when_all_they_say_is(one: Game, two: Game) -> None:
    said = [(naive_twoflags.text_of(each), each.en_passant) for each in (one, two)]
    here, there = position_of(one), position_of(two)
    check_value(here, position_of(one), there, equal=said[0] == said[1])
    assert tuple(str(here).split("\n")) == one.rows


def test_a_crown_a_place_a_colour_or_the_other_board_makes_a_difference() -> None:
    """Four boards on dark squares, one on light squares, three on both."""
    rows = ["...r", "...R", ".....r", "...b", "....r", "...rr", "...rR", "...r..r"]
    positions = [drawn(f"////{row}") for row in rows]
    assert all(one != two for one, two in combinations(positions, 2))


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
    one, two = pawns("Setup Wd5 Be5 WHITE"), pawns("Setup Wd5 Be5 WHITE", "no-en-passant")
    assert (str(one), one != two, one.key() != two.key()) == (str(two), True, True)


LIGHT_START = "b.b.b.b.\n.b.b.b.b\nb.b.b.b.\n........\n........\n.r.r.r.r\nr.r.r.r.\n.r.r.r.r"
MIXED_START = "\n".join(["bbbbbbbb"] * 3 + ["........"] * 2 + ["rrrrrrrr"] * 3)
MIXED = ".b..b..b\nb...b...\n...b..b.\n........\n........\nr..r..r.\n.r....r.\n..R.r..r"
STARTS = [
    *("B:W21-32:B1-12", LIGHT_START, MIXED_START, MIXED),
    *("B:WK10,K11,K18,K19,K26,K27:BK15,K1", "B:W6,7,8,14,15,16,22,23,24:BK2,K12"),
    "B:WK30,K31:BK1,K2,3",
]


def reachable(start: Any, enough: int) -> set[Any]:
    """The positions of all games from a start, the nearest first, until there are enough."""
    found = {start}
    waiting = deque([start])
    while waiting and len(found) < enough:
        for child in waiting.popleft().children():
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


@pytest.fixture(scope="module", params=GAMES)
def met(request: pytest.FixtureRequest) -> tuple[Any, list[Any]]:
    """A game, and distinct positions that it can meet, many of them close to each other."""
    found: set[Any] = set()
    rng, game = random.Random(3), game_named(request.param)
    if game.NAME == "checkers":
        for start in STARTS:
            found |= reachable(board(start), times(10_000, 2_000))
        return game, list(found)
    for variant in ("", *game.VARIANTS):
        for _ in range(times(150, 30)):
            position = game.read(game.start(), "start", True, variant).position
            while children := position.children():
                found.update(children)
                position = rng.choice(children)
    for number in range(times(6_000, 1_200) if game.NAME == "twoflags" else 0):
        found.add(position_of(random_game(rng, 2 + number % 11, bool(number % 3))))
    return game, list(found)


def passed(game: Any, position: Any) -> Any:
    """The same with the other side to move, all else kept."""
    if not isinstance(position, Pawns):
        return game.passed(position)
    return Pawns(position.enemy, position.own, position.passed, position.state ^ BLACK)


def test_keys_tell_positions_apart_and_board_keys_boards(met: tuple[Any, list[Any]]) -> None:
    game, positions = met
    assert len(positions) >= times(60_000, 10_000)
    assert len({position.key() for position in positions}) == len(positions)
    boards = {each if each.mover() == game.SIDES[0] else passed(game, each) for each in positions}
    assert len({position.board_key() for position in boards}) == len(boards)
    for position in positions:
        other = passed(game, position)
        assert 0 <= position.key() < 2**62
        assert 0 <= position.board_key() < 2**62
        assert other.board_key() == position.board_key()
        assert other.key() != position.key()


@pytest.mark.parametrize("text", ["Setup Wd5 Wa2 Wh7 Be5 Bb3 WHITE e6", MIXED, "B:WK30,K31:BK1,3"])
def test_asking_a_position_changes_nothing(text: str) -> None:
    position = pawns(text) if text.startswith("Setup") else board(text)
    before = repr(position)
    position.choices().move_keys()
    for ask in (position.moves, position.status, position.key, position.board_key):
        ask()
    for child in position.children():
        child.children()
    assert repr(position) == before
    assert position.children() is not position.children()
