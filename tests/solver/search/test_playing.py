"""The technique `playing`: unsound, but it believes in no win that is not there."""

from __future__ import annotations

from support.positions import board, random_positions

from solver.games import game_named
from solver.games.puzzle import Puzzle
from solver.games.solve import Request, Solver
from solver.play.game import GameInProgress
from solver.search.alphabeta import Search
from solver.search.limits import Limits
from solver.search.score import UNKNOWN
from solver.search.techniques import PLAYING, Techniques

game = game_named("checkers")
KINGS = board("W:WK16,K20:BK18")
PLAY = Techniques().changed(with_=PLAYING)


def test_what_the_game_has_seen_is_a_draw() -> None:
    search = Search(lambda position: 50, PLAY.changed(without="tables"))
    assert search.run(KINGS, Limits(depth=2)).score == 50
    search.past = {child.key() for child in KINGS.children()}
    result = search.run(KINGS, Limits(depth=4))
    assert (result.score, result.proven) == (0, False)


def test_only_positions_since_the_last_progress_can_come_again() -> None:
    played = GameInProgress(game, board("B:W21-32:B1-12"))
    played.play(played.position.children()[0])
    assert played.repeatable == {played.position.key()}
    shuffled = GameInProgress(game, KINGS)
    for _ in range(3):
        shuffled.play(shuffled.position.children()[0])
    assert len(shuffled.repeatable) == len({each.key() for each in shuffled.positions})


def test_a_win_that_playing_finds_is_a_win() -> None:
    tables, decided = game.tables(), 0
    for position in random_positions(60, range(3, 5), seed=11):
        evaluate = game.evaluator(game.DEFAULT_HEURISTIC, position)
        search = Search(evaluate, PLAY.changed(without="tables"))
        for here in (position, *position.children()):
            true = tables.score(here)
            if true == UNKNOWN or not here.children():
                continue
            result = search.run(here, Limits(depth=7))
            assert not result.decided or result.score * true > 0
            assert not result.proven or result.score == true
            decided += result.decided
    assert decided > 20  # of some 400


def test_a_game_keeps_its_cache() -> None:
    """The second search of a position begins where the first one ended."""
    start = board("B:W14,17,19,24,27,28,29,30,31,32:B1,2,4,5,6,7,8,10,11,12")
    solver = Solver(Puzzle(game, start), Request(Limits(depth=8), PLAY))
    once = solver.find(start).counters.visited
    solver.follow(GameInProgress(game, start))
    assert solver.find(start).counters.visited == once
    assert solver.find(start).counters.visited * 10 < once
