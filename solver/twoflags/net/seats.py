"""A player's seat: what the server says to a player, in each of the dialects.

Clients say nearly the same in all of them, and whatever they say is understood in any; only
what they want to hear differs.  A missing `OK` is waited for a little and then forgiven.
"""

from __future__ import annotations

from dataclasses import dataclass

from solver.twoflags.net import protocol as wire
from solver.twoflags.net.protocol import COURSE, SEED
from solver.twoflags.net.protocol import TOURNAMENT_DIALECT as TOURNAMENT
from solver.twoflags.net.referee import Reason, Result
from solver.twoflags.net.visitor import Visitor

RECOGNISED = 0.3  # seconds in which a client may speak first
ANSWERED = 2.0  # seconds to wait for an `OK` that some never send
ANSWERED_LATE = 0.3  # and for the next ones, by who has not sent the first


@dataclass(frozen=True)
class Invitation:
    """What a player is told before a game."""

    number: int
    colour: str
    mover: str
    setup: str
    minutes: float

    @property
    def time(self) -> str:
        return f"{self.minutes:g}"


@dataclass(frozen=True)
class Ending:
    """What a player is told after a game; `last` if no other follows."""

    result: Result
    won: bool
    plies: int
    last: bool


class Seat:
    """A player in the course's dialect; the others change what differs."""

    dialect = COURSE
    greeting = "Connected to the server!"

    def __init__(self, name: str, visitor: Visitor, patience: float) -> None:
        self.name = name
        self.visitor = visitor
        self.patience = min(ANSWERED, patience)

    def say(self, *messages: str) -> None:
        self.visitor.send("".join(f"{message}\n" for message in messages))

    async def ask(self, message: str, *kinds: str) -> wire.Message | None:
        """Say something that is answered; who does not answer once is hardly waited for again."""
        self.say(message)
        answer = await self.visitor.answer(kinds or (wire.OK,), self.patience)
        if answer is None:
            self.patience = min(self.patience, ANSWERED_LATE)
        return answer

    async def greet(self, first: wire.Message | None) -> None:
        """Answer a new player, who may have said something first."""
        await self.ask(self.greeting)

    async def invite(self, invitation: Invitation) -> None:
        """Tell everything about the game to come but the signal to begin."""
        await self.ask(invitation.setup)
        if invitation.minutes:
            await self.ask(f"Time {invitation.time}")

    def begin(self, invitation: Invitation) -> None:
        """Only whoever is to move hears of it."""
        if invitation.colour == invitation.mover:
            self.say("Begin")

    def tell_move(self, name: str) -> None:
        self.say(name)

    def accept_games(self, games: int) -> None:
        """Only one dialect can ask for them."""

    def finish(self, ending: Ending) -> None:
        """The next game begins with another setup; only after the last is there a word."""
        if ending.last:
            self.say("exit")


class TournamentSeat(Seat):
    """The client speaks first; games of a match are told apart by `Reset`."""

    dialect = TOURNAMENT

    def __init__(self, name: str, visitor: Visitor, patience: float) -> None:
        super().__init__(name, visitor, patience)
        self.told = ""

    async def greet(self, first: wire.Message | None) -> None:
        if first is None:
            await self.visitor.answer((wire.OK,), self.patience)

    async def invite(self, invitation: Invitation) -> None:
        """Setup and time stay from game to game; only another setup is told."""
        if invitation.number > 1:
            await self.ask("Reset", wire.READY)
        if invitation.setup != self.told:
            self.told = invitation.setup
            await self.ask(invitation.setup)
        if invitation.minutes and invitation.number == 1:
            await self.ask(f"Time {invitation.time}")

    def accept_games(self, games: int) -> None:
        self.say(f"TournamentAccepted {games}")

    def finish(self, ending: Ending) -> None:
        if ending.won and ending.result.reason in (Reason.DISCONNECTION, Reason.FLOOD):
            self.say("exit")
        else:
            self.say(f"GameOver {ending.result.winner.upper()} plies={ending.plies}")


class SeedSeat(Seat):
    """Roles are told, time is a bare number, and the end of the stream is the end."""

    dialect = SEED

    async def greet(self, first: wire.Message | None) -> None:
        if first is None:
            first = await self.ask(self.greeting, wire.OK, wire.SETUP)
        if first is not None and first.kind == wire.SETUP:
            self.say("SETUP-ACK")

    async def invite(self, invitation: Invitation) -> None:
        await self.ask(invitation.setup)
        if invitation.minutes:
            await self.ask(invitation.time)

    def begin(self, invitation: Invitation) -> None:
        self.say("BEGIN", f"Role {invitation.colour.capitalize()}")

    def finish(self, ending: Ending) -> None:
        """The last move says it all."""


SEATS = {seat.dialect.name: seat for seat in (Seat, TournamentSeat, SeedSeat)}
SPEAKS_FIRST = {wire.OK: TournamentSeat, wire.TOURNAMENT: TournamentSeat, wire.SETUP: SeedSeat}


async def take_seat(name: str, visitor: Visitor, dialect: str, patience: float) -> Seat:
    """Greet a new player in the named dialect, or in the one it seems to speak."""
    first = None
    if dialect == "auto":
        first = await visitor.answer(tuple(SPEAKS_FIRST), min(RECOGNISED, patience))
        kind: type[Seat] = SPEAKS_FIRST[first.kind] if first is not None else Seat
    else:
        kind = SEATS[dialect]
    seat = kind(name, visitor, patience)
    await seat.greet(first)
    return seat
