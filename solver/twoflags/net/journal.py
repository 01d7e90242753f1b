"""What an agent remembers of its games, for the log and the report."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import fmean

from solver.twoflags.net.ending import Ending


@dataclass(frozen=True)
class MovePlayed:
    """One of our moves and what it cost."""

    number: int
    side: str
    name: str
    depth: int
    nodes: int
    score: str
    seconds: float
    left: float | None
    ponder_hit: bool | None  # None if no reply was expected
    ponder_nodes: int
    branching: float | None  # None after a hit: part of the nodes was pondering's
    choices: int  # legal moves

    def __str__(self) -> str:
        ponder = {None: "-", True: "hit", False: "miss"}[self.ponder_hit]
        left = "-" if self.left is None else f"{self.left:.1f}"
        branching = "-" if self.branching is None else f"{self.branching:.2f}"
        return (
            f"{self.number}. {self.side} {self.name} depth {self.depth} nodes {self.nodes} "
            f"score {self.score.replace(' ', '-')} time {self.seconds:.2f} left {left} "
            f"ponder {ponder} ebf {branching}"
        )


@dataclass
class GamePlayed:
    """One game from our side."""

    colour: str
    dialect: str
    ending: Ending = field(default_factory=lambda: Ending("", "not finished"))
    moves: list[MovePlayed] = field(default_factory=list)

    @property
    def won(self) -> bool:
        return self.ending.winner == self.colour

    @property
    def thought(self) -> list[MovePlayed]:
        """The moves that were searched: more than one was legal."""
        return [move for move in self.moves if move.choices > 1]


@dataclass(frozen=True)
class Summary:
    """All games in a few numbers."""

    games: int
    won: int
    moves: int
    depths: tuple[int, float, int]  # least, average, most, of the moves that were searched
    nodes: int
    seconds: float
    ponder_hits: int
    ponder_guesses: int
    choices: float
    branching: float | None  # None after a hit: part of the nodes was pondering's


def summarised(games: list[GamePlayed]) -> Summary:
    moves = [move for game in games for move in game.moves]
    thought = [move for game in games for move in game.thought]
    depths = [move.depth for move in thought] or [0]
    return Summary(
        games=len(games),
        won=sum(game.won for game in games),
        moves=len(moves),
        depths=(min(depths), fmean(depths), max(depths)),
        nodes=sum(move.nodes for move in moves),
        seconds=sum(move.seconds for move in moves),
        ponder_hits=sum(move.ponder_hit is True for move in moves),
        ponder_guesses=sum(move.ponder_hit is not None for move in moves),
        choices=fmean([move.choices for move in moves] or [0]),
        branching=fmean([m.branching for m in thought if m.branching is not None] or [0]),
    )
