"""Thinking within the time, and pondering beyond it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solver.games import game_named
from solver.play.clock import MoveTime
from solver.play.ponderer import AHEAD, GLANCE, Ponderer
from solver.search.cache import NO_HINT
from solver.search.score import INFINITY
from solver.search.techniques import Techniques

game = game_named("twoflags")


def position(text: str = "") -> Any:
    return game.read(text or game.start(), "test", True).position


def ponderer(heuristic: str = "race") -> Ponderer:
    return Ponderer(game.evaluator(heuristic, position()), Techniques())


def never() -> bool:
    return False


class After:
    """Interrupts when it was asked that often."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def test_thinking_ends_with_its_time() -> None:
    mind = ponderer()
    result = mind.think(position(), MoveTime(0.05, 0.05, patient=True), never)
    assert result.depth >= 1
    assert mind.guess == result.line[1]


def test_thinking_ends_when_interrupted() -> None:
    mind = ponderer()
    mind.think(position(), MoveTime(1e9, 1e9, patient=True), After(3))
    assert mind.nodes > 0


def test_a_proven_win_is_played_at_once() -> None:
    mind = ponderer()
    won = mind.think(position("Setup Wa5 Bh6"), MoveTime(1e9, 1e9, patient=True), never)
    assert won.proven


def test_an_only_move_costs_a_glance() -> None:
    mind = ponderer()
    mind.think(position("Setup Wa2 Wb3 Ba3 Bh7 Bg7"), MoveTime(1e9, 1e9, patient=True), never)
    assert mind.nodes <= GLANCE + 1


def test_pondering_goes_on_where_the_guess_was_right() -> None:
    """With no time of its own, the next move is as deep as pondering came."""
    mind = ponderer()
    played = mind.think(position(), MoveTime(1e9, 1e9), After(30))
    mind.ponder(played.best, After(60))
    assert mind.pondered is not None
    assert mind.pondered is not None
    assert mind.guess is not None
    reached = mind.pondered.depth
    assert reached > 2
    guess = mind.guess
    result = mind.think(guess, MoveTime(0.0, 0.0), never)
    assert result.depth >= reached
    assert result.best in guess.children()


def test_pondering_that_guessed_wrong_is_forgotten() -> None:
    mind = ponderer()
    played = mind.think(position(), MoveTime(1e9, 1e9), After(30))
    mind.ponder(played.best, After(60))
    other = next(child for child in played.best.children() if child != mind.guess)
    assert mind.think(other, MoveTime(0.0, 0.0), never).best in other.children()


def test_after_the_expected_reply_all_replies_are_pondered() -> None:
    """A guess that is soon proven leaves time for the others."""
    mind = ponderer()
    start = position("Setup Wa2 Wb2 Bg6 Bh6")
    played = mind.think(start, MoveTime(1e9, 1e9, patient=True), After(2))
    mind.ponder(played.best, After(10_000))
    cache = mind.search.cache
    for reply in played.best.children():
        cache.probe(reply, AHEAD, -INFINITY, INFINITY, 0)
        assert cache.hint != NO_HINT


def random_mover(choices: list[Any], here: Any, rng: random.Random) -> Any:
    return rng.choice(choices)


def greedy_mover(choices: list[Any], here: Any, rng: random.Random) -> Any:
    """Takes what it can, and otherwise the step that two-flags likes best."""
    evaluate = game.evaluator("two-flags", here)
    changes = [here.move_key(child) for child in choices]
    return min(
        zip(choices, changes, strict=True),
        key=lambda pair: (-(pair[1] >> 56), -len(pair[0].children()) == 0, evaluate(pair[0])),
    )[0]


@pytest.mark.parametrize("opponent", [random_mover, greedy_mover])
def test_weak_opponents_are_always_beaten(opponent: Any) -> None:
    """From either side, with little time for each move."""
    rng = random.Random(5)
    for number in range(2):
        mind, here = ponderer(), position()
        while here.children():
            if (here.mover() == "white") == (number % 2 == 0):
                here = mind.think(here, MoveTime(0.02, 0.02, patient=True), never).best
            else:
                here = opponent(here.children(), here, rng)
        assert (here.mover() == "black") == (number % 2 == 0)
