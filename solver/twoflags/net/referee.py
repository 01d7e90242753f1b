"""The referee of one game: whose turn it is, what is legal, whose time is up, who has won.

It knows no sockets and no clock: whoever asks it says how long a move took.  So a whole game,
with every way to lose it, can be told in a few lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from solver.twoflags import game
from solver.twoflags.moves import child_named, move_name
from solver.twoflags.rules import WHITE_LANDED_AT, Pawns, other


class Reason(StrEnum):
    """Why a game is over; the value is the word in the log."""

    LANDED = "landed"
    LAST_PAWN = "last-pawn-taken"
    BLOCKED = "no-legal-move"
    ILLEGAL = "illegal-move"
    OUT_OF_TURN = "out-of-turn"
    TIME = "time"
    RESIGNATION = "resignation"
    DISCONNECTION = "disconnection"
    SILENCE = "silence"
    FLOOD = "flood"
    CLAIM = "claim"
    FALSE_CLAIM = "false-claim"


SHOWN_BY_THE_BOARD = (Reason.LANDED, Reason.LAST_PAWN, Reason.BLOCKED)

IN_WORDS: dict[str, str] = {
    Reason.LANDED: "a pawn has landed",
    Reason.LAST_PAWN: "the last enemy pawn is taken",
    Reason.BLOCKED: "the opponent has no legal move",
    Reason.ILLEGAL: "the opponent has made an illegal move",
    Reason.OUT_OF_TURN: "the opponent has moved out of turn",
    Reason.TIME: "the opponent's time is up",
    Reason.RESIGNATION: "the opponent has resigned",
    Reason.DISCONNECTION: "the opponent has left",
    Reason.SILENCE: "the opponent does not answer",
    Reason.FLOOD: "the opponent has sent more than any game needs",
    Reason.CLAIM: "claimed, and nobody checked it",
    Reason.FALSE_CLAIM: "the opponent has claimed a win that the board does not show",
}


@dataclass(frozen=True)
class Result:
    """Who has won, and why; a log by another program may give reasons of its own."""

    winner: str
    reason: str

    def __str__(self) -> str:
        return f"{self.winner} has won: {IN_WORDS.get(self.reason, self.reason)}"


class Move(NamedTuple):
    side: str
    name: str
    seconds: float | None = None


def shown_result(position: Pawns) -> Result | None:
    """How the game has ended, if the board shows it."""
    outcome = game.outcome(position)
    if outcome is None:
        return None
    if position.state >> WHITE_LANDED_AT:
        return Result(outcome.winner, Reason.LANDED)
    if not position.own or not position.enemy:
        return Result(outcome.winner, Reason.LAST_PAWN)
    return Result(outcome.winner, Reason.BLOCKED)


class Referee:
    """Checks every move and keeps both clocks; `seconds` is None for a game without clocks."""

    def __init__(self, start: Pawns, seconds: float | None = None) -> None:
        self.position = start
        self.moves: list[Move] = []
        self.clocks = None if seconds is None else {"white": seconds, "black": seconds}
        self.result = shown_result(start)
        self.refused = ""  # the move that was not legal

    @property
    def mover(self) -> str:
        return self.position.mover()

    def play(self, side: str, name: str, seconds: float) -> bool:
        """Whether the move stands; if it does not, the side has lost."""
        if self.result is not None:
            return False
        if side != self.mover:
            return self._refuse(side, name, Reason.OUT_OF_TURN)
        if not self._pay(side, seconds):
            return False
        child = child_named(self.position, name)
        if child is None:
            return self._refuse(side, name, Reason.ILLEGAL)
        self.moves.append(Move(side, move_name(self.position, child), seconds))
        self.position = child
        self.result = shown_result(child)
        return True

    def _pay(self, side: str, seconds: float) -> bool:
        """Whether the side had the time for its move."""
        if self.clocks is None:
            return True
        self.clocks[side] = max(0.0, self.clocks[side] - seconds)
        if self.clocks[side] == 0:
            self.lose(side, Reason.TIME)
        return self.result is None

    def _refuse(self, side: str, name: str, reason: Reason) -> bool:
        self.refused = f"{side[0].upper()} {name}"
        self.lose(side, reason)
        return False

    def lose(self, side: str, reason: str) -> None:
        """The side has lost, unless the game was over before."""
        if self.result is None:
            self.result = Result(other(side), reason)

    def run_out(self) -> None:
        """The mover has let all its time pass, or the patience that stands for it."""
        side = self.mover
        if self.clocks is not None:
            self.clocks[side] = 0.0
        self.lose(side, Reason.SILENCE if self.clocks is None else Reason.TIME)

    def claim(self, side: str, winner: str) -> None:
        """A side says who has won.  While the game is on the board has not shown it, so it
        is false; to call the opponent the winner is to resign."""
        self.lose(side, Reason.FALSE_CLAIM if winner == side else Reason.RESIGNATION)


class Relay(Referee):
    """Believes everything: moves are passed on unchecked and without clocks, and a game goes
    on until a player ends it.  The position stays where the game began."""

    def __init__(self, start: Pawns) -> None:
        super().__init__(start)
        self.result = None

    @property
    def mover(self) -> str:
        return other(self.moves[-1].side) if self.moves else self.position.mover()

    def play(self, side: str, name: str, seconds: float) -> bool:
        if self.result is None:
            self.moves.append(Move(side, name, seconds))
        return self.result is None

    def claim(self, side: str, winner: str) -> None:
        self.lose(other(winner), Reason.CLAIM if winner == side else Reason.RESIGNATION)
