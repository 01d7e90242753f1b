"""A game in progress: positions, draw rules, result.  Works with the rules of any game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple, Protocol

from solver.search.heuristic import NOTHING, Exact
from solver.search.position import Position
from solver.search.result import SearchResult
from solver.search.score import UNKNOWN, in_words

# The best move, without the children of these indexes.
Choose = Callable[[Position, frozenset[int]], SearchResult]
REPETITIONS = 3
QUIET_PLIES = 80  # forty moves each


class EndedBy(Enum):
    RULES = "rules"  # the last position is over
    REPETITION = "repetition"
    NO_PROGRESS = "no-progress"
    TABLES = "tables"
    RESIGNATION = "resignation"
    FORFEIT = "forfeit"  # a crash or an illegal move


class GameResult(NamedTuple):
    """The winner (empty for a draw) and the reason, for people."""

    winner: str
    reason: str
    ended_by: EndedBy = EndedBy.RULES

    def __str__(self) -> str:
        return f"{self.winner} has won: {self.reason}" if self.winner else f"a draw: {self.reason}"

    def as_dict(self) -> dict[str, str]:
        return {"winner": self.winner, "reason": self.reason}


REPETITION = GameResult("", "the same position for the third time", EndedBy.REPETITION)
NO_PROGRESS = GameResult("", "forty moves each without progress", EndedBy.NO_PROGRESS)


class Rules(Protocol):
    """What a game must provide."""

    def other(self, side: str) -> str: ...
    def is_progress(self, parent: Position, child: Position) -> bool: ...
    def outcome(self, position: Position) -> GameResult | None: ...


class GameInProgress:
    """With tables, the game ends as soon as they know its result."""

    def __init__(self, rules: Rules, start: Position, tables: Exact = NOTHING) -> None:
        self.rules = rules
        self.tables = tables
        self.positions = [start]
        self.times = {start: 1}  # how often each position has occurred
        self.quiet = [0]  # plies since the last progress, for each position
        self.decision: GameResult | None = None  # resignation or forfeit

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def plies(self) -> int:
        return len(self.positions) - 1

    @property
    def repeatable(self) -> set[int]:
        """The keys of the positions that can occur again."""
        return {each.key() for each in self.positions[-1 - self.quiet[-1] :]}

    def play(self, child: Position) -> None:
        progress = self.rules.is_progress(self.position, child)
        self.quiet.append(0 if progress else self.quiet[-1] + 1)
        self.positions.append(child)
        self.times[child] = self.times.get(child, 0) + 1

    def take_back(self) -> None:
        last = self.positions.pop()
        self.quiet.pop()
        self.times[last] -= 1
        if not self.times[last]:
            del self.times[last]

    def lose(self, side: str, reason: str, ended_by: EndedBy) -> None:
        self.decision = GameResult(self.rules.other(side), reason, ended_by)

    @property
    def result(self) -> GameResult | None:
        """None while the game goes on."""
        if self.decision is not None:
            return self.decision
        return self.rules.outcome(self.position) or self._table_result() or self._draw()

    def _table_result(self) -> GameResult | None:
        score = self.tables.score(self.position)
        if score == UNKNOWN:
            return None
        mover = self.position.mover()
        winner = "" if not score else mover if score > 0 else self.rules.other(mover)
        reason = f"by the tables: {in_words(score)} for {mover}"
        return GameResult(winner, reason, EndedBy.TABLES)

    def _draw(self) -> GameResult | None:
        if self.times[self.position] >= REPETITIONS:
            return REPETITION
        return NO_PROGRESS if self.quiet[-1] >= QUIET_PLIES else None


def choose_move(game: GameInProgress, result: SearchResult, choose: Choose) -> Position:
    """The best move; the side that is ahead avoids repetition, unless its win is proven."""
    if result.score <= 0 or result.proven or result.best not in game.times:
        return result.best
    children = game.position.children()
    repeated = frozenset(index for index, child in enumerate(children) if child in game.times)
    if len(repeated) == len(children):
        return result.best
    other = choose(game.position, repeated)
    return other.best if other.score > 0 else result.best


class Step(NamedTuple):
    """One move of a line: the `offset`-th after its search."""

    parent: Position
    child: Position
    result: SearchResult
    offset: int


def play_out(game: GameInProgress, choose: Choose) -> Iterator[Step]:
    """Play to the end with the best moves of both sides.  The line of a decided result is followed
    without a new search."""
    planned: dict[Position, SearchResult] = {}
    while game.result is None:
        position = game.position
        if position not in planned:
            planned[position] = choose(position, frozenset())
        result = planned[position]
        line = result.line if result.decided else [choose_move(game, result, choose)]
        for offset, child in enumerate(line):
            step = Step(game.position, child, result, offset)
            game.play(child)
            yield step
