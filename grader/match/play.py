"""One game, and the pair of games that an opening gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from grader.match.choice import Choice, Forfeit
from grader.match.engines import Engine, EngineAtWork
from grader.match.openings import one_line, read_position
from grader.match.results import Game as PlayedGame
from grader.match.results import Pair, PlayedMove
from grader.match.searchers import Searcher, SearcherAtWork
from solver.exact import NOTHING, Exact
from solver.games import game_named
from solver.line import draw_by
from solver.score import UNKNOWN, in_words

if TYPE_CHECKING:
    from solver.games import Game

Contestant = Searcher | Engine


class Seated(Protocol):
    """A player at the board of one game."""

    def choose(self, position: Any, times: dict[Any, int]) -> Choice:
        """A move, where every position of the game has occurred so many times."""
        ...


@dataclass(frozen=True)
class Ending:
    winner: str  # the side; empty for a draw
    reason: str


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
    game: Game, contestants: Sequence[Contestant], opening: str, exact: Exact
) -> PlayedGame:
    """The contestants are in the order of the game's sides."""
    names = dict(zip(game.SIDES, (each.name for each in contestants), strict=True))
    table = Table(game, read_position(game, opening), exact)
    seats = dict(zip(game.SIDES, (seated(each, game) for each in contestants), strict=True))
    forfeit = False
    while (ending := table.ending()) is None:
        mover = table.position.mover()
        try:
            table.make(seats[mover].choose(table.position, table.times))
        except Forfeit as fault:
            ending, forfeit = Ending(_other(game, mover), f"{names[mover]}: {fault}"), True
            break
    return PlayedGame(
        players=tuple(names.values()),
        opening=opening,
        moves=tuple(table.moves),
        winner=names.get(ending.winner, ""),
        reason=ending.reason,
        forfeit=forfeit,
        final=one_line(game, table.position),
    )


def seated(contestant: Contestant, game: Game) -> Seated:
    if isinstance(contestant, Engine):
        return EngineAtWork(contestant, game)
    return SearcherAtWork(contestant, game)


def _other(game: Game, side: str) -> str:
    first, second = game.SIDES
    return second if side == first else first


@dataclass
class Table:
    """A game as it stands."""

    game: Game
    position: Any
    exact: Exact = NOTHING
    moves: list[PlayedMove] = field(default_factory=list)
    times: dict[Any, int] = field(default_factory=dict)
    quiet: int = 0

    def __post_init__(self) -> None:
        self.times[self.position] = 1

    def make(self, choice: Choice) -> None:
        name = self.game.move_name(self.position, choice.child)
        self.moves.append(PlayedMove(name, choice.depth, choice.score, choice.nodes))
        progress = self.game.is_progress(self.position, choice.child)
        self.quiet = 0 if progress else self.quiet + 1
        self.position = choice.child
        self.times[self.position] = self.times.get(self.position, 0) + 1

    def ending(self) -> Ending | None:
        """How the game has ended: by its rules, as the tables know it will, or by a draw."""
        outcome = self.game.outcome(self.position)
        if outcome is not None:
            return Ending(outcome.winner, outcome.reason)
        score = self.exact.score(self.position)
        if score != UNKNOWN:
            return self._adjudicated(score)
        drawn = draw_by(self.times[self.position], self.quiet)
        return Ending("", drawn.removeprefix("a draw: ")) if drawn else None

    def _adjudicated(self, score: int) -> Ending:
        mover = self.position.mover()
        winner = "" if not score else mover if score > 0 else _other(self.game, mover)
        return Ending(winner, f"by the tables: {in_words(score)} for {mover}")
