"""Time for a whole game: never too much, more where the position is unclear."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.builds import INTERPRETED

from solver.play.clock import LAG, LONGEST_MOVE, MOVES_IN_A_GAME, Clock, MoveTime
from solver.search.limits import Stop
from solver.search.result import Counters, SearchResult

pytestmark = pytest.mark.skipif(not INTERPRETED, reason="compiled code takes no stand-ins")


class Watch:
    """Time that passes only when told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr("solver.play.clock.time.monotonic", lambda: self.now)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(monkeypatch)


def result(best: object) -> SearchResult:
    line: Any = [best]
    return SearchResult(3, 0, line, Counters())


def depths_until_stop(move_time: MoveTime, watch: Watch, bests: list[str], step: float) -> float:
    """When the search of these best moves, one a depth, is told to stop."""
    for best in bests:
        watch.now += step
        try:
            move_time.listen(result(best))
        except Stop:
            break
    return watch.now


@given(st.floats(0.0, 3600.0), st.integers(1, 90))
def test_a_game_that_uses_all_it_may_never_runs_out(total: float, moves: int) -> None:
    clock = Clock(total)
    for _ in range(moves):
        share = clock.move_time()
        assert 0 <= share.target <= share.most
        assert clock.left is not None
        assert share.most <= clock.left
        clock.spend(share.most + LAG / 2 if share.most else 0.0)
        assert clock.left > 0 or total <= 1.0 or share.most == 0


def test_an_average_game_uses_most_of_its_time() -> None:
    clock = Clock(60.0)
    for _ in range(MOVES_IN_A_GAME):
        clock.spend(clock.move_time().target)
    assert clock.left is not None
    assert 0 < clock.left < 25


def test_by_the_move_everything_is_used(watch: Watch) -> None:
    move_time = Clock(move=2.0).move_time()
    depths_until_stop(move_time, watch, ["a"] * 10, 0.19)
    assert not move_time.is_up()
    watch.now = 2.0
    assert move_time.is_up()


def test_limits_of_one_move() -> None:
    assert Clock(1000.0, 0.5).move_time().most == 0.5
    assert Clock(1.0, 5.0).move_time().most < 0.2
    assert Clock(1e30).move_time().most == LONGEST_MOVE
    assert Clock(float("inf")).move_time().target == LONGEST_MOVE


def test_an_unclear_position_gets_more_time(watch: Watch) -> None:
    clear = depths_until_stop(MoveTime(1.0, 9.0), watch, ["a"] * 99, 0.1)
    watch.now = 0.0
    unclear = depths_until_stop(MoveTime(1.0, 9.0), watch, ["a", "b"] * 99, 0.1)
    assert unclear > 2 * clear


def test_the_most_is_never_exceeded(watch: Watch) -> None:
    move_time = MoveTime(1.0, 1.5)
    depths_until_stop(move_time, watch, ["a", "b", "c"], 0.01)
    watch.now = 1.49
    assert not move_time.is_up()
    watch.now = 1.5
    assert move_time.is_up()
