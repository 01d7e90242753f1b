"""Games in progress: how they end, and how they are played out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from support.builds import INTERPRETED
from support.positions import board

from solver.games import game_named
from solver.play.game import (
    NO_PROGRESS,
    REPETITION,
    EndedBy,
    GameInProgress,
    GameResult,
    choose_move,
    play_out,
)
from solver.proof.answer import solve
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits
from solver.search.position import LOST
from solver.search.result import Counters, SearchResult
from solver.search.score import win_in
from solver.search.techniques import Techniques

pytestmark = pytest.mark.skipif(not INTERPRETED, reason="compiled code takes no stand-ins")

CHECKERS = game_named("checkers")


def started(fen: str, tables: bool = False) -> GameInProgress:
    return GameInProgress(CHECKERS, board(fen), CHECKERS.tables() if tables else NOTHING)


def play(game: GameInProgress, *names: str) -> None:
    for name in names:
        children = game.position.children()
        game.play(next(c for c in children if CHECKERS.move_name(game.position, c) == name))


def test_the_third_repetition_is_a_draw_and_the_first_position_counts() -> None:
    game = started("B:WK32:BK1")
    for name in ("1-6", "32-27", "6-1", "27-32") * 2:
        assert game.result is None
        play(game, name)
    assert game.result == REPETITION
    assert str(game.result) == "a draw: the same position for the third time"
    game.take_back()
    assert game.plies == 7
    assert game.times[game.position] == 2


def test_forty_moves_each_without_progress_are_a_draw() -> None:
    game = started("B:W21,K32:B12,K1")
    game.quiet = [78]
    play(game, "1-6")
    assert game.result is None
    play(game, "32-27")
    assert game.result == NO_PROGRESS
    play(game, "12-16")  # of a man
    assert (game.result, game.quiet[-1]) == (None, 0)


def test_what_is_taken_back_has_not_been_played() -> None:
    game = started("B:WK32:BK1")
    before = (list(game.positions), dict(game.times), list(game.quiet))
    play(game, "1-6", "32-27", "6-1")
    for _ in range(3):
        game.take_back()
    assert (game.positions, game.times, game.quiet) == before


@pytest.mark.parametrize(
    ("fen", "winner", "reason"),
    [
        ("B:W30:B1,2,K23", "red", "by the tables: win in 7 for red"),
        ("W:W30:B1,2,K23", "red", "by the tables: loss in 6 for black"),
        ("B:WK32:BK1", "", "by the tables: draw for red"),
    ],
)
def test_the_tables_end_a_game(fen: str, winner: str, reason: str) -> None:
    assert started(fen, tables=True).result == GameResult(winner, reason, EndedBy.TABLES)
    assert started(fen).result is None


def test_a_lost_game_is_lost_even_at_the_last_moment() -> None:
    game = started("B:W6:B1")
    game.quiet = [79]
    play(game, "1x10")
    assert game.result == GameResult("red", "black has no piece left", EndedBy.RULES)


def test_a_side_may_lose_before_the_end() -> None:
    game = started("B:W6:B1")
    game.lose("red", "red has resigned", EndedBy.RESIGNATION)
    assert str(game.result) == "black has won: red has resigned"


def choose(position: Any, leave_out: frozenset[int]) -> SearchResult:
    evaluate = CHECKERS.evaluator("material", position)
    return solve(position, evaluate, Limits(nodes=20_000), Techniques(), leave_out).result


def test_a_won_position_is_won_without_a_repetition_and_without_asking_again() -> None:
    asked = []

    def counted(position: Any, leave_out: frozenset[int]) -> SearchResult:
        asked.append(position)
        return choose(position, leave_out)

    game = started("B:WK17:BK1,K6")
    assert len(list(play_out(game, counted))) == 9
    assert game.result is not None
    assert game.result.winner == "red"
    assert game.position.status() == LOST
    assert len(set(game.positions)) == len(game.positions) == 10
    assert len(asked) == 1


@dataclass(frozen=True)
class Corridor:
    """A game from 0 to its end at 5; at every step the first choice is to turn back."""

    place: int = 0

    def children(self) -> list[Corridor]:
        places = {0: [1], 5: []}.get(self.place, [self.place - 1, self.place + 1])
        return [Corridor(place) for place in places]


class WalkRules:
    """Without children, the first side has won."""

    def other(self, side: str) -> str:
        return "first" if side == "second" else "second"

    def is_progress(self, parent: Any, child: Any) -> bool:
        return True

    def outcome(self, position: Any) -> GameResult | None:
        return None if position.children() else GameResult("first", "the end is reached")

    def move_name(self, parent: Any, child: Any, squares: bool = False) -> str:
        return str(child)


def walking(start: Any) -> GameInProgress:
    return GameInProgress(WalkRules(), start)


@pytest.mark.parametrize(("score", "places"), [(5, [0, 1, 2, 3, 4, 5]), (0, [0, 1, 0, 1, 0])])
def test_only_the_side_that_is_ahead_avoids_repetition(score: int, places: list[int]) -> None:
    def first(position: Any, leave_out: frozenset[int]) -> SearchResult:
        children = enumerate(position.children())
        return SearchResult(
            1, score, [c for index, c in children if index not in leave_out], Counters()
        )

    game: Any = walking(Corridor())
    list(play_out(game, first))
    assert [position.place for position in game.positions] == places


def test_the_way_of_a_proven_win_may_lead_where_the_game_has_been() -> None:
    """Other moves that merely look good would not be nearer to the end."""
    back: Any = Corridor(0)
    won = SearchResult(3, win_in(3), [back], Counters())

    def another(position: Any, leave_out: frozenset[int]) -> SearchResult:
        return SearchResult(1, 5, [position.children()[1]], Counters())

    game = walking(back)
    game.play(back.children()[0])
    assert choose_move(game, won, another) == back


def test_progress_is_a_capture_or_a_mans_step() -> None:
    def progress(fen: str) -> list[bool]:
        position = board(fen)
        return [CHECKERS.is_progress(position, child) for child in position.children()]

    assert progress("B:WK18:BK32") == [False, False]
    assert progress("B:WK18:B1,K32") == [True, True, False, False]
    assert progress("B:WK10:BK6") == [True]
