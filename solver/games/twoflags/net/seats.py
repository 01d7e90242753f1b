"""The players on a server: what they say, and what they hear in each of the dialects.

Everything from outside is bounded here, so that no other code has to think of hostile clients:
a stream is read in small pieces, and one that sends more than a game could need is cut off.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.protocol import (
    COURSE,
    GREETING_LINE,
    SEED,
    TOURNAMENT_DIALECT,
    Flood,
    Message,
    Scanner,
)
from solver.games.twoflags.net.referee import GameResult, Reason

PIECE = 1024  # bytes read at once
MOST_BYTES = 16_384  # bytes heard in a game; its moves have less than 500
LINGER = 0.5  # seconds to wait for a client to read our last words
RECOGNISED = 0.3  # seconds in which a client may speak first
ANSWERED = 2.0  # seconds to wait for an `OK` that some never send
ANSWERED_LATE = 0.3  # and for the next ones, once the first was missing


class Left(Exception):
    """The visitor has gone, or has been given up."""


class Heard(NamedTuple):
    message: Message
    at: float  # when its last byte came


async def wait_for_news(bell: asyncio.Event, until: float | None) -> None:
    """Return when any visitor has said something or left, or at that time of the loop.

    The caller looks first and clears the bell then, without a pause between: nothing that
    comes later can be missed.
    """
    bell.clear()
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await bell.wait()


class Visitor:
    """One connection.  It rings the bell whenever there is something new."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, bell: asyncio.Event
    ) -> None:
        self.heard: deque[Heard] = deque()
        self.left: Reason | None = None
        self.left_at = 0.0
        self.played = False  # any game
        self.games_wanted = ""
        self.setup_wanted = ""
        self.bell = bell
        self._reader = reader
        self._writer = writer
        self._scanner = Scanner()
        self._bytes_left = MOST_BYTES
        self._newline_heard = False
        self._settling: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._listening = asyncio.create_task(self._listen())

    @property
    def unsettled(self) -> bool:
        """Whether something was said that is not understood yet."""
        return bool(self._scanner.waiting)

    def new_game(self) -> None:
        """Every game has its own limit of bytes."""
        self._bytes_left = MOST_BYTES

    async def _listen(self) -> None:
        left = Reason.DISCONNECTION
        try:
            while data := await self._reader.read(PIECE):
                self._take(data)
                await asyncio.sleep(0)  # others have their turn even in a flood
        except Flood:
            left = Reason.FLOOD
        except OSError:
            pass
        self._settle(self._loop.time())
        self.left, self.left_at = left, self._loop.time()
        self.bell.set()

    def _take(self, data: bytes) -> None:
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            raise Flood
        now = self._loop.time()
        self._newline_heard = self._newline_heard or b"\n" in data
        self._hear(self._scanner.feed(data), now)
        if self._settling is not None:
            self._settling.cancel()
        if self._scanner.waiting:
            settled = protocol.CUT if self._newline_heard else protocol.SETTLED
            self._settling = self._loop.call_later(settled, self._settle, now)

    def _settle(self, at: float) -> None:
        self._hear(self._scanner.settle(), at)

    def _hear(self, messages: list[Message], at: float) -> None:
        for message in messages:
            if message.kind == protocol.TOURNAMENT:
                self.games_wanted = message.value
            elif message.kind == protocol.SETUP:
                self.setup_wanted = message.value
            self.heard.append(Heard(message, at))
        if messages:
            self.bell.set()

    async def answer(self, kinds: tuple[str, ...], seconds: float) -> Message | None:
        """The next message of one of these kinds, or None after so many seconds.

        Anything else that came before it is dropped: it answers an older question.
        """
        until = self._loop.time() + seconds
        while True:
            while self.heard:
                message = self.heard.popleft().message
                if message.kind in kinds:
                    return message
                self._note_farewell(message)
            if self.left is not None:
                raise Left
            if self._loop.time() >= until:
                return None
            await wait_for_news(self.bell, until)

    def has_left(self) -> bool:
        """Whether the visitor has gone, or has said so before its first game."""
        for heard in self.heard:
            self._note_farewell(heard.message)
        return self.left is not None

    def _note_farewell(self, message: Message) -> None:
        """Before the first game `exit` means that the client wants none."""
        if message.kind == protocol.EXIT and not self.played and self.left is None:
            self.left, self.left_at = Reason.RESIGNATION, self._loop.time()

    def send(self, text: str) -> None:
        """All messages of a game fit into the buffers: who does not read blocks nothing."""
        if not self._writer.is_closing():
            self._writer.write(text.encode("ascii"))

    async def linger(self) -> None:
        """End the stream and wait a little, so that our last words are read."""
        if not self._writer.is_closing():
            with suppress(OSError):
                self._writer.write_eof()
        await asyncio.wait([self._listening], timeout=LINGER)

    def close(self) -> None:
        self._listening.cancel()
        if self._settling is not None:
            self._settling.cancel()
        self._writer.transport.abort()


# --- what they hear ------------------------------------------------------------------------


@dataclass(frozen=True)
class Invitation:
    """What a player is told before a game."""

    number: int
    colour: str
    mover: str
    setup: str
    minutes: float  # 0: no clocks


class Seat:
    """A player in the course's dialect; the others change what differs."""

    dialect = COURSE

    def __init__(self, name: str, visitor: Visitor, patience: float) -> None:
        self.name = name
        self.visitor = visitor
        self.patience = min(ANSWERED, patience)

    def say(self, *messages: str) -> None:
        self.visitor.send("".join(f"{message}\n" for message in messages))

    async def ask(self, message: str, *kinds: str) -> Message | None:
        """Say something and wait for the answer; less long after one that never came."""
        self.say(message)
        answer = await self.visitor.answer(kinds or (protocol.OK,), self.patience)
        if answer is None:
            self.patience = min(self.patience, ANSWERED_LATE)
        return answer

    async def greet(self, first: Message | None) -> None:
        """Answer a new player, who may have said something first."""
        await self.ask(GREETING_LINE)

    async def invite(self, invitation: Invitation) -> None:
        """Tell everything about the game to come but the signal to begin."""
        await self.ask(invitation.setup)
        if invitation.minutes:
            await self.ask(self.dialect.time_line(invitation.minutes))

    def begin(self, invitation: Invitation) -> None:
        self.say(*self.dialect.begin_lines(invitation.colour, invitation.mover))

    def accept_games(self, games: int) -> None:
        """Only one dialect can ask for them."""

    def finish(self, result: GameResult, side: str, plies: int, last: bool) -> None:
        """The next game begins with another setup; only after the last is there a word."""
        if last:
            self.say("exit")


class TournamentSeat(Seat):
    """The client speaks first; games of a match are told apart by `Reset`."""

    dialect = TOURNAMENT_DIALECT

    def __init__(self, name: str, visitor: Visitor, patience: float) -> None:
        super().__init__(name, visitor, patience)
        self.setup = ""

    async def greet(self, first: Message | None) -> None:
        if first is None:
            await self.visitor.answer((protocol.OK,), self.patience)

    async def invite(self, invitation: Invitation) -> None:
        """Setup and time stay from game to game; only another setup is told."""
        if invitation.number > 1:
            await self.ask("Reset", protocol.READY)
        if invitation.setup != self.setup:
            self.setup = invitation.setup
            await self.ask(invitation.setup)
        if invitation.minutes and invitation.number == 1:
            await self.ask(self.dialect.time_line(invitation.minutes))

    def accept_games(self, games: int) -> None:
        self.say(f"TournamentAccepted {games}")

    def finish(self, result: GameResult, side: str, plies: int, last: bool) -> None:
        if side == result.winner and result.reason in (Reason.DISCONNECTION, Reason.FLOOD):
            self.say("exit")
        else:
            self.say(f"GameOver {result.winner.upper()} plies={plies}")


class SeedSeat(Seat):
    """Roles are told, time is a bare number, and the end of the stream is the end."""

    dialect = SEED

    async def greet(self, first: Message | None) -> None:
        if first is None:
            first = await self.ask(GREETING_LINE, protocol.OK, protocol.SETUP)
        if first is not None and first.kind == protocol.SETUP:
            self.say("SETUP-ACK")

    def finish(self, result: GameResult, side: str, plies: int, last: bool) -> None:
        """The last move says it all."""


SEATS = {seat.dialect.name: seat for seat in (Seat, TournamentSeat, SeedSeat)}
SPEAKS_FIRST = {
    protocol.OK: TournamentSeat,
    protocol.TOURNAMENT: TournamentSeat,
    protocol.SETUP: SeedSeat,
}


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
