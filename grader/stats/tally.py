"""How often a match came out in each way: by pairs of games, or by single games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar


@dataclass(frozen=True)
class Tally:
    """How often each result came out, from the worst to the best.

    What is worst counts 0, what is best 1, and the steps between are equal; so the mean of a tally
    is the score per game.
    """

    counts: tuple[int, ...]

    KINDS: ClassVar[int]
    GAMES: ClassVar[int]  # in one result

    def __post_init__(self) -> None:
        if len(self.counts) != self.KINDS:
            raise ValueError(f"{len(self.counts)} counts where {self.KINDS} are needed")
        if min(self.counts) < 0:
            raise ValueError("a count is below 0")

    @property
    def number(self) -> int:
        """Of results."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        return self.GAMES * self.number

    @property
    def values(self) -> tuple[float, ...]:
        return tuple(at / (self.KINDS - 1) for at in range(self.KINDS))

    @property
    def score(self) -> float:
        """Points per game, from 0 to 1; one half where nothing was played."""
        # In whole numbers, so that a level match is level exactly.
        points = sum(at * count for at, count in enumerate(self.counts))
        return points / (self.number * (self.KINDS - 1)) if self.number else 0.5

    @property
    def deviation(self) -> float:
        """The standard deviation of one result."""
        if not self.number:
            return 0.0
        around = [(value - self.score) ** 2 for value in self.values]
        squares = sum(each * count for each, count in zip(around, self.counts, strict=True))
        return sqrt(squares / self.number)


@dataclass(frozen=True)
class Pentanomial(Tally):
    """Pairs of games from one opening with sides swapped, by their points: 0, 1/2, 1, 3/2, 2.

    The two games of a pair lean the same way; counting them together keeps that out of the error.
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    KINDS = 5
    GAMES = 2

    @classmethod
    def of_pairs(cls, half_points: Iterable[int]) -> Pentanomial:
        """From the half points of each pair, 0 to 4."""
        scores = list(half_points)
        if wrong := [score for score in scores if score not in range(cls.KINDS)]:
            raise ValueError(f"a pair of {wrong[0]} half points: from 0 to 4")
        zero, one, two, three, four = (scores.count(points) for points in range(cls.KINDS))
        return cls((zero, one, two, three, four))

    @property
    def pairs(self) -> int:
        return self.number

    def reversed(self) -> Pentanomial:
        """The same pairs as the opponent sees them."""
        zero, one, two, three, four = self.counts
        return Pentanomial((four, three, two, one, zero))


@dataclass(frozen=True)
class Trinomial(Tally):
    """Single games: lost, drawn, won."""

    counts: tuple[int, int, int] = (0, 0, 0)

    KINDS = 3
    GAMES = 1

    @classmethod
    def of_games(cls, wins: int, draws: int, losses: int) -> Trinomial:
        return cls((losses, draws, wins))

    def reversed(self) -> Trinomial:
        """The same games as the opponent sees them."""
        losses, draws, wins = self.counts
        return Trinomial((wins, draws, losses))
