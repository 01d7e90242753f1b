"""Games: how they end, and what a player does about it."""

from __future__ import annotations

from typing import Any

import pytest

from grader.match.choice import Choice
from grader.match.openings import read_position
from grader.match.play import Ending, PairTask, Table, play_pair
from grader.match.results import Pair
from grader.match.searchers import SearcherAtWork, searcher
from grader.variants.named import variant_named
from solver.exact import NOTHING
from solver.games import game_named

CHECKERS = game_named("checkers")


def table(fen: str, tables: bool = False) -> Table:
    return Table(CHECKERS, read_position(CHECKERS, fen), CHECKERS.tables() if tables else NOTHING)


def move(at: Table, name: str) -> None:
    children = {CHECKERS.move_name(at.position, each): each for each in at.position.children()}
    at.make(Choice(children[name]))


def test_a_draw_by_the_same_position_for_the_third_time() -> None:
    """The first position of the game counts."""
    at = table("B:WK32:BK1")
    for name in ("1-6", "32-27", "6-1", "27-32") * 2:
        assert at.ending() is None
        move(at, name)
    assert at.ending() == Ending("", "the same position for the third time")


def test_a_draw_by_forty_moves_each_without_progress() -> None:
    at = table("B:W21,K32:B12,K1")
    at.quiet = 78
    move(at, "1-6")
    assert at.ending() is None
    move(at, "32-27")
    assert at.ending() == Ending("", "forty moves each without progress")
    move(at, "12-16")  # of a man
    assert at.ending() is None
    assert at.quiet == 0


@pytest.mark.parametrize(
    ("fen", "winner", "reason"),
    [
        ("B:W30:B1,2,K23", "red", "by the tables: win in 7 for red"),
        ("W:W30:B1,2,K23", "red", "by the tables: loss in 6 for black"),
        ("B:WK32:BK1", "", "by the tables: draw for red"),
    ],
)
def test_the_tables_end_a_game(fen: str, winner: str, reason: str) -> None:
    assert table(fen, tables=True).ending() == Ending(winner, reason)
    assert table(fen).ending() is None


def test_who_has_lost_has_lost_even_at_the_last_moment() -> None:
    at = table("B:W6:B1")
    at.quiet = 79
    move(at, "1x10")
    assert at.ending() == Ending("red", "black has no piece left")


def look(fen: str, times: dict[Any, int], name: str = "material+depth=3+without=tables") -> Choice:
    position = read_position(CHECKERS, fen)
    return SearcherAtWork(searcher(variant_named(name)), CHECKERS).choose(position, times)


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
    assert all(game.moves and "tables" not in game.reason for game in played.games)
