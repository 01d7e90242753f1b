"""What happens at a server, told to one listener as typed values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.twoflags.net.record import Record
    from solver.twoflags.net.referee import Move


@dataclass(frozen=True)
class Listening:
    """Both ports are open."""

    host: str
    port: int
    spectator_port: int


@dataclass(frozen=True)
class Seated:
    """A player has come and been greeted."""

    name: str
    dialect: str


@dataclass(frozen=True)
class Departed:
    """A player has left before a game began; the seat is free again."""

    name: str
    reason: str


@dataclass(frozen=True)
class TurnedAway:
    """Somebody came while both seats were taken."""

    address: str


@dataclass(frozen=True)
class GameStarted:
    record: Record


@dataclass(frozen=True)
class Moved:
    """A move stands; the clocks are in seconds, if there are any."""

    ply: int
    move: Move
    clocks: dict[str, float] | None


@dataclass(frozen=True)
class GameFinished:
    record: Record


@dataclass(frozen=True)
class MatchFinished:
    """The players in the order in which they came, with their wins and new ratings."""

    names: tuple[str, str]
    wins: tuple[int, int]
    ratings: tuple[float, float]


Event = (
    Listening | Seated | Departed | TurnedAway | GameStarted | Moved | GameFinished | MatchFinished
)
