"""What a server says to an agent, in each of the dialects, as lines and the answers they want."""

from __future__ import annotations

from typing import NamedTuple

from solver.twoflags.net import wire
from solver.twoflags.net.dialects import DIALECTS, Dialect

NO_ANSWER: tuple[str, ...] = ()
BY_OK = (wire.OK,)


class Line(NamedTuple):
    """One message, and the kinds of messages that answer it."""

    text: str
    answers: tuple[str, ...] = NO_ANSWER


class Voice:
    """The course's dialect; the others change what differs."""

    name = "course"
    greeting: tuple[Line, ...] = (Line("Connected to the server!", BY_OK),)
    optional = True  # Setup and Time need not be told
    loser_must_exit = False
    winner_must_not_exit = False

    def __init__(self, newlines: bool = True) -> None:
        self.dialect: Dialect = DIALECTS[self.name]
        self.end = "\n" if newlines else ""

    def setup(self, setup: str) -> Line:
        return Line(setup, BY_OK)

    def time(self, minutes: str) -> Line:
        return Line(f"Time {minutes}", BY_OK)

    def begin(self, colour: str, moves: bool) -> tuple[Line, ...]:
        """Only who is to move hears of it."""
        return (Line("Begin"),) if moves else ()

    def farewell(self, won: bool, winner: str, plies: int) -> tuple[Line, ...]:
        return (Line("exit"),)


class TournamentVoice(Voice):
    name = "tournament"
    greeting = ()
    optional = False
    loser_must_exit = True
    winner_must_not_exit = True

    def farewell(self, won: bool, winner: str, plies: int) -> tuple[Line, ...]:
        return (Line(f"GameOver {winner.upper()} plies={plies}"),)


class SeedVoice(Voice):
    name = "seed"
    greeting = (Line("Connected to the server!", (wire.OK, wire.SETUP)),)
    optional = False

    def time(self, minutes: str) -> Line:
        return Line(minutes, BY_OK)

    def begin(self, colour: str, moves: bool) -> tuple[Line, ...]:
        return (Line("BEGIN"), Line(f"Role {colour.capitalize()}"))

    def farewell(self, won: bool, winner: str, plies: int) -> tuple[Line, ...]:
        """The end of the stream says it all."""
        return ()


VOICES = {voice.name: voice for voice in (Voice, TournamentVoice, SeedVoice)}
