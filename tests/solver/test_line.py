"""Playing a position out to its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from positions import board

from solver.effort import Effort
from solver.finding import Finding
from solver.games import game_named
from solver.limits import Limits
from solver.line import next_step, play_out
from solver.score import win_in
from solver.solve import solve
from solver.standing import LOST
from solver.techniques import Techniques

game = game_named("checkers")


def chosen(position: Any, leave_out: frozenset[int]) -> Finding:
    evaluate = game.evaluator("material", position)
    return solve(position, evaluate, Limits(nodes=20_000), Techniques(), leave_out).finding


@dataclass(frozen=True)
class Walk:
    """A game with one move at a time that comes back to its start after `circle` moves."""

    circle: int
    step: int = 0

    def children(self) -> list[Walk]:
        return [Walk(self.circle, (self.step + 1) % self.circle)]


def _is_fiftieth(parent: Any, child: Any) -> bool:
    return bool(child.step == 50)


def walked(walk: Any, leave_out: frozenset[int]) -> Finding:
    return Finding(1, 0, walk.children(), Effort())


def test_a_won_position_is_won_without_a_repetition() -> None:
    line = play_out(board("B:WK17:BK1,K6"), chosen, game.is_progress)
    assert line.unfinished == ""
    assert len(line.positions) == 10
    assert line.positions[-1].standing() == LOST
    assert len(set(line.positions)) == 10


def test_a_proof_is_followed_without_asking_again() -> None:
    asked = []

    def counted(position: Any, leave_out: frozenset[int]) -> Finding:
        asked.append(position)
        return chosen(position, leave_out)

    play_out(board("B:WK17:BK1,K6"), counted, game.is_progress)
    assert len(asked) == 1


def test_the_third_repetition_is_a_draw() -> None:
    start: Any = Walk(circle=10)
    line = play_out(start, walked, lambda parent, child: True)
    assert line.unfinished == "a draw: the same position for the third time"
    assert len(line.positions) == 21
    assert line.positions[0] == line.positions[10] == line.positions[20]


def test_forty_moves_each_without_progress_are_a_draw() -> None:
    start: Any = Walk(circle=1000)
    line = play_out(start, walked, lambda parent, child: False)
    assert line.unfinished == "a draw: forty moves each without progress"
    assert len(line.positions) == 81


def test_progress_starts_the_count_of_quiet_moves_again() -> None:
    start: Any = Walk(circle=1000)
    line = play_out(start, walked, _is_fiftieth)
    assert len(line.positions) == 131


@dataclass(frozen=True)
class Corridor:
    """A walk from 0 to its end at 5; at every step the first choice is to turn back."""

    place: int = 0

    def children(self) -> list[Corridor]:
        places = {0: [1], 5: []}.get(self.place, [self.place - 1, self.place + 1])
        return [Corridor(place) for place in places]


@pytest.mark.parametrize(("score", "places"), [(5, [0, 1, 2, 3, 4, 5]), (0, [0, 1, 0, 1, 0])])
def test_only_who_is_ahead_avoids_where_the_game_has_been(score: int, places: list[int]) -> None:
    def first(position: Any, leave_out: frozenset[int]) -> Finding:
        children = enumerate(position.children())
        return Finding(1, score, [c for index, c in children if index not in leave_out], Effort())

    start: Any = Corridor()
    line: Any = play_out(start, first, lambda parent, child: True)
    assert [position.place for position in line.positions] == places


def test_the_way_of_a_proven_win_may_lead_where_the_game_has_been() -> None:
    """Other moves that merely look good would not be nearer to the end."""
    start: Any = Corridor(1)
    back: Any = Corridor(0)
    won = Finding(3, win_in(3), [back], Effort())

    def another(position: Any, leave_out: frozenset[int]) -> Finding:
        return Finding(1, 5, [position.children()[1]], Effort())

    assert next_step(start, won, another, {back: 1}) == back


def test_progress_is_a_capture_or_a_mans_step() -> None:
    def progress(fen: str) -> list[bool]:
        position = board(fen)
        return [game.is_progress(position, child) for child in position.children()]

    assert progress("B:WK18:BK32") == [False, False]
    assert progress("B:WK18:B1,K32") == [True, True, False, False]
    assert progress("B:WK10:BK6") == [True]
