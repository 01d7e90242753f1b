"""The result of a match: its games, in pairs, by who played whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.lab.stats import Pentanomial, SprtVerdict, Strength, strength_of

WIN, DRAW, LOSS = 2, 1, 0  # half points
PairKey = tuple[int, int]  # the index of the pairing, and the number of the pair


@dataclass(frozen=True)
class PlayedMove:
    """A move, and how it was found; for an engine that is unknown."""

    name: str  # as in PDN: `11-15`; `e2e4` in Two Flags
    depth: int | None = None
    score: int | None = None  # for the side that made the move
    nodes: int | None = None


@dataclass(frozen=True)
class PlayedGame:
    players: tuple[str, ...]  # in the order of the game's sides, the one that begins first
    opening: str  # a FEN, or a `Setup` line
    moves: tuple[PlayedMove, ...]
    winner: str  # the name of a player; empty for a draw
    reason: str
    forfeit: bool = False  # lost by a crash, an illegal move or on time
    final: str = ""  # the last position, as the opening
    adjudicated: bool = False  # the endgame tables knew the result

    def half_points(self, player: str) -> int:
        if not self.winner:
            return DRAW
        return WIN if self.winner == player else LOSS

    @property
    def loser(self) -> str:
        return next((each for each in self.players if self.winner not in ("", each)), "")


@dataclass(frozen=True)
class Pair:
    """Two games from one opening, each player once on either side."""

    number: int  # from 1, in the order in which they count
    games: tuple[PlayedGame, ...]

    def half_points(self, player: str) -> int:
        return sum(game.half_points(player) for game in self.games)


@dataclass(frozen=True)
class Pairing:
    """All pairs of two contestants; results are those of the first."""

    first: str
    second: str
    pairs: tuple[Pair, ...]
    verdict: SprtVerdict | None = None  # of a sequential test

    @property
    def games(self) -> Iterator[PlayedGame]:
        return (game for pair in self.pairs for game in pair.games)

    @property
    def results(self) -> dict[str, int]:
        """Numbers of games."""
        points = [game.half_points(self.first) for game in self.games]
        kinds = (("wins", WIN), ("draws", DRAW), ("losses", LOSS))
        return {name: points.count(half_points) for name, half_points in kinds}

    @property
    def pentanomial(self) -> Pentanomial:
        return Pentanomial.of_pairs(pair.half_points(self.first) for pair in self.pairs)

    @property
    def strength(self) -> Strength:
        return strength_of(self.pentanomial)


@dataclass(frozen=True)
class MatchResult:
    game: str
    conditions: str  # `1000 nodes a move`, or the several limits there are
    repeatable: bool  # not with a clock or an engine
    seed: int
    openings: str  # `163 openings`, or the file
    pairings: tuple[Pairing, ...]

    @property
    def games(self) -> Iterator[PlayedGame]:
        return (game for pairing in self.pairings for game in pairing.games)
