"""Positions of every game are values, and their keys tell them apart."""

from __future__ import annotations

import random
from collections import deque
from itertools import combinations
from typing import Any

import pytest
from support.builds import times
from support.drawings import drawn
from support.pawn_drawings import pawns, position_of, random_game
from support.positions import board

from solver.games import GAMES, game_named
from solver.games.twoflags.rules import BLACK, Pawns


def test_a_crown_a_place_a_colour_or_the_other_board_makes_a_difference() -> None:
    """Four boards on dark squares, one on light squares, three on both."""
    rows = ["...r", "...R", ".....r", "...b", "....r", "...rr", "...rR", "...r..r"]
    positions = [drawn(f"////{row}") for row in rows]
    assert all(one != two for one, two in combinations(positions, 2))


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
