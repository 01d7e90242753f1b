"""One game, and the pair of games that an opening gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from grader.lab.engines import Engine, EngineAtWork
from grader.lab.match_results import Game as PlayedGame
from grader.lab.match_results import Pair, PlayedMove
from grader.lab.openings import one_line, read_position
from grader.lab.players import Choice, Forfeit, Searcher, SearcherAtWork
from solver.games import game_named
from solver.play.game import EndedBy, GameInProgress
from solver.search.heuristic import NOTHING, Exact

if TYPE_CHECKING:
    from solver.games import Game

Contestant = Searcher | Engine


class Seated(Protocol):
    """A player at the board of one game."""

    def choose(self, game: GameInProgress) -> Choice: ...


@dataclass(frozen=True)
class PairTask:
    """Two games to be played; the first of the two contestants begins the first of them."""

    game: str
    contestants: tuple[Contestant, Contestant]
    opening: str
    number: int
    adjudicated: bool


def play_pair(task: PairTask) -> Pair:
    game = game_named(task.game)
    exact = game.tables() if task.adjudicated else NOTHING
    first, second = task.contestants
    sides = ((first, second), (second, first))
    return Pair(task.number, tuple(play_game(game, each, task.opening, exact) for each in sides))


def play_game(
    rules: Game, contestants: Sequence[Contestant], opening: str, exact: Exact
) -> PlayedGame:
    """The contestants are in the order of the game's sides."""
    names = dict(zip(rules.SIDES, (each.name for each in contestants), strict=True))
    seats = dict(zip(rules.SIDES, (seat(each, rules) for each in contestants), strict=True))
    game = GameInProgress(rules, read_position(rules, opening), exact)
    moves = []
    while (result := game.result) is None:
        mover = game.position.mover()
        try:
            choice = seats[mover].choose(game)
        except Forfeit as fault:
            game.lose(mover, f"{names[mover]}: {fault}", EndedBy.FORFEIT)
        else:
            name = rules.move_name(game.position, choice.child)
            moves.append(PlayedMove(name, choice.depth, choice.score, choice.nodes))
            game.play(choice.child)
    return PlayedGame(
        players=tuple(names.values()),
        opening=opening,
        moves=tuple(moves),
        winner=names.get(result.winner, ""),
        reason=result.reason,
        forfeit=result.ended_by is EndedBy.FORFEIT,
        adjudicated=result.ended_by is EndedBy.TABLES,
        final=one_line(rules, game.position),
    )


def seat(contestant: Contestant, game: Game) -> Seated:
    if isinstance(contestant, Engine):
        return EngineAtWork(contestant, game)
    return SearcherAtWork(contestant, game)
