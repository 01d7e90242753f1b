"""Games of a match, and what a player does about repetition."""

from __future__ import annotations

from typing import Any

from grader.lab.match import PairTask, play_pair, read_position
from grader.lab.match_results import Pair
from grader.lab.players import Choice, SearcherAtWork, searcher
from grader.lab.variants import variant_named
from solver.games import game_named
from solver.play.game import GameInProgress

CHECKERS = game_named("checkers")


def look(fen: str, times: dict[Any, int], name: str = "material+depth=3+without=tables") -> Choice:
    game = GameInProgress(CHECKERS, read_position(CHECKERS, fen))
    game.times.update(times)
    return SearcherAtWork(searcher(variant_named(name)), CHECKERS).choose(game)


def test_who_is_ahead_does_not_go_back_to_where_the_game_has_been() -> None:
    ahead = "B:WK32:BK1,K5,K9"
    best = look(ahead, {})
    other = look(ahead, {best.child: 1})
    assert best.child != other.child
    assert other.nodes is not None
    assert best.nodes is not None
    assert other.nodes > best.nodes  # it has looked twice
    behind = "W:WK32:BK1,K5,K9"
    best = look(behind, {})
    assert look(behind, {best.child: 1}).child == best.child


def pair(
    first: str, second: str, opening: str = "B:W21-32:B1-12", adjudicated: bool = True
) -> Pair:
    players = (searcher(variant_named(first)), searcher(variant_named(second)))
    return play_pair(PairTask("checkers", players, opening, 1, adjudicated))


def test_the_games_of_a_pair_swap_sides() -> None:
    played = pair("material+depth=2", "centre+depth=1", "B:W21-32:B1-12")
    there, back = played.games
    assert there.players == ("material+depth=2", "centre+depth=1") == back.players[::-1]
    assert {move.depth for move in there.moves[::2]} == {2}
    assert {move.depth for move in back.moves[::2]} == {1}
    assert played.half_points(there.players[0]) + played.half_points(there.players[1]) == 4


def test_what_is_won_beyond_the_tables_is_played_out() -> None:
    opening = "B:W30:B1,2,K23"
    played = pair("material+depth=6", "centre+depth=6", opening, adjudicated=False)
    assert [game.winner for game in played.games] == ["material+depth=6", "centre+depth=6"]
    assert all(game.moves and not game.adjudicated for game in played.games)
    assert all(
        game.adjudicated for game in pair("material+depth=6", "centre+depth=6", opening).games
    )
