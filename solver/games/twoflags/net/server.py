"""The server: seats two players, referees their match, and tells spectators about it.  A client
that sends more than a game needs is cut off; one that reads or answers nothing does not delay the
others."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.match import (
    GameRecord,
    Openings,
    Reason,
    Referee,
    TimedMove,
    end_lines,
    head_lines,
    move_line,
    setup_message,
    start_opening,
    without_en_passant,
)
from solver.games.twoflags.net.protocol import CLIENT_SPEAKS_FIRST, Flood, Message, Scanner
from solver.games.twoflags.rules import Pawns, other
from solver.play.game import GameResult
from solver.web.listen import listen, most_connections, report_errors

PIECE = 1024  # bytes read at once
MOST_BYTES = 16_384  # bytes heard in a game; its moves have less than 500
MOST_SPECTATORS = 500
MOST_UNREAD = 65_536  # bytes; a game has less than 5000
MOST_SAID = 4096  # bytes by a spectator; asyncio reads twice as many, then stops
MOST_GAMES = 1000  # that a client may ask for
LINGER = 0.5  # seconds to wait for a client to read our last words
RECOGNISED = 0.3  # seconds in which a client may speak first
ANSWERED = 2.0  # seconds to wait for an `OK` that some never send
ANSWERED_LATE = 0.3  # and for the next ones, once the first was missing
ROLE_AFTER = 0.25  # of a player's time without a first move, it may wait to be told its role
ROLE_AT_MOST = 15.0  # seconds
SILENT = 10.0  # seconds for either of two who have not answered anything yet
GRACE = 2 * protocol.SETTLED  # a move that came in time may still have to settle
LIKE_A_MOVE = re.compile(r"[a-z]\d{1,2}-?[a-z]\d{1,2}[a-z]?", re.IGNORECASE)
FULL = "Error: two players are at the board already; come back later.\n"
TOO_MANY = "Error: too many spectators.\n"


@dataclass(frozen=True)
class ServerSettings:
    host: str = "127.0.0.1"
    port: int = 9999  # 0: any free one
    spectator_port: int | None = None  # None: the one after `port`
    dialects: tuple[str, str] = ("auto", "auto")  # of the first and the second player
    minutes: float = 5.0  # 0: without clocks
    games: int | None = None  # None: one, or as many as the first player asks for
    openings: Openings | None = None  # None: the start
    variant: str | None = None  # None: without en passant if neither player's dialect has it
    patience: float = 120.0
    forever: bool = False


class Listening(NamedTuple):
    host: str
    port: int
    spectator_port: int


class MoveMade(NamedTuple):
    """A move stands; the clocks are in seconds, if there are any."""

    ply: int
    move: TimedMove
    clocks: dict[str, float] | None


class MatchFinished(NamedTuple):
    """The wins of each player, in the order in which they came."""

    wins: dict[str, int]


# A game is told twice: without a result when it begins, and with it, or as interrupted.  A text
# says who has come, gone or been turned away before a game began.
Event = Listening | str | GameRecord | MoveMade | MatchFinished


class Spectators:
    """Tells everybody who watches what happens, and newcomers what has happened so far.  What they
    say is never read, so it costs them and not us."""

    def __init__(self) -> None:
        self.watching: dict[asyncio.StreamWriter, asyncio.StreamReader] = {}
        self.most = most_connections(MOST_SPECTATORS)
        self.so_far = "# waiting for two players\n"

    def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._say("")  # forgets those who have left
        if len(self.watching) >= self.most:
            writer.write(TOO_MANY.encode("ascii"))
            writer.transport.abort()
            return
        self.watching[writer] = reader
        writer.write(self.so_far.encode("ascii"))

    def hear(self, event: Event) -> None:
        """Pass an event of the game on, as the lines of its log."""
        lines = []
        match event:
            case GameRecord(result=None, interrupted=False):
                self.so_far = ""
                lines = head_lines(event)
            case MoveMade():
                lines = [move_line(*event)]
            case GameRecord():
                lines = end_lines(event)
            case MatchFinished(wins):
                lines = [" ".join(["# SCORE", *(f"{name}={won}" for name, won in wins.items())])]
        self._say("".join(f"{line}\n" for line in lines))

    def _say(self, text: str) -> None:
        self.so_far += text
        for writer, reader in list(self.watching.items()):
            unread = writer.transport.get_write_buffer_size()
            if writer.is_closing() or reader.at_eof() or unread > MOST_UNREAD:
                writer.transport.abort()
                del self.watching[writer]
            else:
                writer.write(text.encode("ascii"))

    def close(self) -> None:
        for writer in self.watching:
            writer.transport.abort()


class Left(Exception):
    """The player has gone."""


async def wait_for_news(bell: asyncio.Event, until: float | None) -> None:
    """Return when any player has said something or left, or at that time of the loop.  The caller
    has looked before, without a pause between: nothing that comes later can be missed."""
    bell.clear()
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await bell.wait()


class Seat:
    """A player: the connection, what it has said, and what it is told in its dialect.  It rings the
    bell whenever there is something new."""

    def __init__(
        self, server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.name = f"player-{server.players}"
        self.dialect = protocol.COURSE
        self.greeted = False
        self.played = False  # any game
        self.heard: deque[tuple[float, Message]] = deque()  # with the time of its last byte
        self.left: Reason | None = None
        self.games_wanted = ""
        self.setup_told = ""
        self.bytes_left = MOST_BYTES  # in every game
        self.silent = True  # it has said nothing yet
        self.unsure = False  # whether its dialect is a guess, and it has not moved yet
        self.scanner = Scanner()
        self._patience = min(ANSWERED, server.settings.patience)
        self._bell = server.bell
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        reason, at = Reason.DISCONNECTION, self._loop.time()
        try:
            while not self._reader.at_eof():
                silence = self.scanner.settles_after if self.scanner.waiting else None
                try:
                    async with asyncio.timeout(silence) as settled:
                        data = await self._reader.read(PIECE)
                except TimeoutError:
                    if not settled.expired():
                        raise  # the network's
                    self._hear(self.scanner.settle(), at)
                    continue
                at = self._loop.time()
                self.bytes_left -= len(data)
                if self.bytes_left < 0:
                    raise Flood
                self._hear(self.scanner.feed(data), at)
                await asyncio.sleep(0)  # others have their turn even in a flood
        except Flood:
            reason = Reason.FLOOD
        except OSError:
            pass
        self._hear(self.scanner.settle(), at)
        self.left = self.left or reason
        self._bell.set()

    def _hear(self, messages: list[Message], at: float) -> None:
        for message in messages:
            self.silent = False
            if message.kind == protocol.TOURNAMENT:
                self.games_wanted = message.value
            elif message.kind == protocol.EXIT and not self.played:
                self.left = self.left or Reason.RESIGNATION  # it wants no game
            self.heard.append((at, message))
            self._bell.set()

    async def answer(self, kinds: tuple[str, ...], seconds: float) -> Message | None:
        """The next message of one of these kinds, or None after that many seconds.  What came
        before it is dropped: it answers an older question."""
        until = self._loop.time() + seconds
        while True:
            while self.heard:
                message = self.heard.popleft()[1]
                if message.kind in kinds:
                    return message
            if self.left is not None:
                raise Left
            if self._loop.time() >= until:
                return None
            await wait_for_news(self._bell, until)

    def say(self, *messages: str) -> None:
        """All messages of a game fit into the buffers: who does not read blocks nothing."""
        if not self._writer.is_closing():
            self._writer.write("".join(f"{message}\n" for message in messages).encode("ascii"))

    async def ask(self, message: str, *kinds: str) -> Message | None:
        """Say something and wait for the answer; less long after one that never came."""
        self.say(message)
        answer = await self.answer(kinds or (protocol.OK,), self._patience)
        if answer is None:
            self._patience = min(self._patience, ANSWERED_LATE)
        return answer

    async def greet(self, dialect: str) -> None:
        """Greet a new player in the named dialect, or in the one it seems to speak."""
        first = None
        if dialect == "auto":
            kinds = tuple(CLIENT_SPEAKS_FIRST)
            first = await self.answer(kinds, min(RECOGNISED, self._patience))
            self.unsure = first is None
            self.dialect = protocol.COURSE if first is None else CLIENT_SPEAKS_FIRST[first.kind]
        else:
            self.dialect = protocol.DIALECTS[dialect]
        if first is None and self.dialect.speaks_first:
            await self.answer((protocol.OK,), self._patience)
        elif first is None:
            may_set_up = (protocol.SETUP,) if self.dialect.tells_roles else ()
            first = await self.ask(protocol.GREETING_LINE, protocol.OK, *may_set_up)
        if first is not None and first.kind == protocol.SETUP:
            self.say("SETUP-ACK")
        self.greeted = True

    async def invite(self, number: int, setup: str, minutes: float) -> None:
        """Announce a game, all but the signal to begin."""
        resets = self.dialect.resets
        if resets and number > 1:
            await self.ask("Reset", protocol.READY)
        if not resets or setup != self.setup_told:
            self.setup_told = setup
            await self.ask(setup)
        if minutes and not (resets and number > 1):
            await self.ask(self.dialect.time_line(minutes))

    def tell_role(self, side: str, moves: list[TimedMove]) -> None:
        """It has not moved for long.  Agents of the seed answer everything with `OK` and then wait
        for their role; what came instead of their `BEGIN`, they have dropped."""
        self.unsure = False
        self.say(f"Role {side.capitalize()}", *(move.name for move in moves[-1:]))

    def finish(self, result: GameResult, side: str, plies: int, last: bool) -> None:
        """Say that a game is over, as far as the dialect has a word for it."""
        alone = side == result.winner and result.reason in (Reason.DISCONNECTION, Reason.FLOOD)
        if self.dialect.resets and alone:
            self.say("exit")
        elif self.dialect.last_word and (last or self.dialect.resets):
            self.say(self.dialect.last_word.format(winner=result.winner.upper(), plies=plies))

    async def linger(self) -> None:
        """End the stream, and close it a little later so that our last words are read."""
        try:
            if not self._writer.is_closing():
                with suppress(OSError):
                    self._writer.write_eof()
            await asyncio.wait([self._listening], timeout=LINGER)
        finally:
            self.close()

    def close(self) -> None:
        self._listening.cancel()
        self._writer.transport.abort()


class Match:
    """The games of two players, who keep their seats from game to game."""

    def __init__(self, server: Server, players: list[Seat]) -> None:
        self.server = server
        self.settings = server.settings
        self.players = players
        self.games = server.settings.games or 1
        self.accepted = False
        self.wins = dict.fromkeys((seat.name for seat in players), 0)
        self.openings = server.settings.openings or start_opening
        self.seats: dict[str, Seat] = {}  # of this game, by side
        self.asked_at = 0.0  # when the mover's clock began to run
        self._loop = asyncio.get_running_loop()

    async def play(self) -> None:
        """Play all games; raises `Left` if a player has gone before the first one began."""
        number = 0
        self.grant_games()
        while number < self.games and not (number and any(seat.left for seat in self.players)):
            number += 1
            await self._play_game(number)
        self.server.tell(MatchFinished(self.wins))

    def grant_games(self) -> None:
        """The first player may ask for more games, once; who knows the word is told how many."""
        wanted = self.players[0].games_wanted
        if self.accepted or not wanted:
            return
        self.accepted = True
        if self.settings.games is None:
            self.games = max(1, min(int(wanted[:9]), MOST_GAMES))
        for seat in self.players:
            if seat.dialect.resets:
                seat.say(f"TournamentAccepted {self.games}")

    async def _play_game(self, number: int) -> None:
        white, black = self.players if number % 2 else reversed(self.players)
        self.seats = {"white": white, "black": black}
        start, minutes = self._start(number), self.settings.minutes
        referee = Referee(start, minutes * 60 or None)
        await self._invite(number, referee)
        record = GameRecord(number, white.name, black.name, start, minutes)
        self.server.tell(record)
        try:
            result = await self._referee(referee)
        except asyncio.CancelledError:
            self.server.tell(replace(record, moves=tuple(referee.moves), interrupted=True))
            raise
        self.wins[self.seats[result.winner].name] += 1
        moves = tuple(referee.moves)
        last = any(seat.left for seat in self.players) or number >= self.games
        for side, seat in self.seats.items():
            seat.finish(result, side, len(moves), last)
        self.server.tell(replace(record, moves=moves, result=result, refused=referee.refused))

    def _start(self, number: int) -> Pawns:
        position = self.openings(number)
        variant = self.settings.variant
        usual = all(seat.dialect.variant == "no-en-passant" for seat in self.players)
        if variant == "no-en-passant" or (variant is None and usual):
            return without_en_passant(position)
        return position

    async def _invite(self, number: int, referee: Referee) -> None:
        """First the first player, then the second.  A player who leaves the match now has lost
        a game, but nobody can lose before the first one.  Two who have never said anything do not
        keep their seats."""
        setup = setup_message(referee.position)
        for player in self.players:
            player.bytes_left = MOST_BYTES
            with suppress(Left):
                await player.invite(number, setup, self.settings.minutes)
            if number == 1 and any(each.left for each in self.players):
                raise Left
        if all(seat.silent for seat in self.players):
            await wait_for_news(self.server.bell, self._loop.time() + SILENT)
        if all(seat.silent for seat in self.players):
            for seat in self.players:
                seat.left = Reason.SILENCE
            raise Left
        for side, seat in self.seats.items():
            seat.played = True
            seat.heard.clear()  # nothing said so far can be about this game
            if seat.left is not None:
                referee.lose(side, seat.left)

    async def _referee(self, referee: Referee) -> GameResult:
        if referee.result is None:
            for side, seat in self.seats.items():
                seat.say(*seat.dialect.begin_lines(side, referee.mover))
            self.asked_at = self._loop.time()
        while referee.result is None:
            if not self._listen(referee):
                await self._wait(referee)
            self.grant_games()
        return referee.result

    def _listen(self, referee: Referee) -> bool:
        """Take what was said first, or else who has left; False if nothing is new."""
        heard = [(seat.heard[0][0], side) for side, seat in self.seats.items() if seat.heard]
        if heard:
            side = min(heard)[1]
            at, message = self.seats[side].heard.popleft()
            self._take(referee, side, message, max(0.0, at - self.asked_at))
            return True
        for side, seat in self.seats.items():
            if seat.left is not None:
                referee.lose(side, seat.left)
                return True
        return False

    async def _wait(self, referee: Referee) -> None:
        """Until there is news or the mover has had all its time."""
        mover = referee.mover
        allowed = self.settings.patience if referee.clocks is None else referee.clocks[mover]
        seat = self.seats[mover]
        until = self.asked_at + allowed + (2 * protocol.CUT if seat.scanner.waiting else GRACE)
        if seat.unsure:
            until = self.asked_at + min(ROLE_AFTER * allowed, ROLE_AT_MOST)
        if self._loop.time() < until:
            await wait_for_news(self.server.bell, until)
        elif seat.unsure:
            seat.tell_role(mover, referee.moves)
        else:
            referee.run_out()

    def _take(self, referee: Referee, side: str, message: Message, seconds: float) -> None:
        kind, value = message
        if kind == protocol.MOVE or (kind == protocol.UNKNOWN and LIKE_A_MOVE.fullmatch(value)):
            if not referee.play(side, value, seconds):
                return
            clocks = None if referee.clocks is None else dict(referee.clocks)
            self.server.tell(MoveMade(len(referee.moves), referee.moves[-1], clocks))
            self.seats[side].unsure = False
            self.seats[other(side)].say(referee.moves[-1].name)
            self.asked_at = self._loop.time()
        elif kind == protocol.EXIT:
            referee.lose(side, Reason.RESIGNATION)
        elif kind == protocol.WINNER:
            referee.claim(side, value)


class Server:
    """Plays one match, or match after match; `listener` hears everything that happens."""

    def __init__(self, settings: ServerSettings, listener: Callable[[Event], None]) -> None:
        self.settings = settings
        self.listener = listener
        self.spectators = Spectators()
        self.bell = asyncio.Event()
        self.seats: list[Seat | None] = [None, None]
        self.tasks: set[asyncio.Task[None]] = set()  # greetings and farewells
        self.players = 0

    def tell(self, event: Event) -> None:
        self.spectators.hear(event)
        self.listener(event)

    async def run(self) -> None:
        settings = self.settings
        report_errors(self.tell)
        async with AsyncExitStack() as stack:
            stack.callback(self._close)
            host, port = await listen(stack, self._welcome, settings.host, settings.port, "--port")
            wanted = settings.spectator_port
            if wanted is None:
                wanted = port + 1 if 0 < settings.port < 65535 else 0
            welcome = self.spectators.welcome
            option = "--spectator-port"
            _, watched = await listen(stack, welcome, host, wanted, option, MOST_SAID)
            self.tell(Listening(host, port, watched))
            await self._play()

    async def _play(self) -> None:
        while True:
            players = await self._pair()
            try:
                await Match(self, players).play()
            except Left:
                continue  # the other keeps the seat
            self.seats = [None, None]
            for seat in players:
                self._start(seat.linger())
            if not self.settings.forever:
                await asyncio.gather(*self.tasks)
                return

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A client has connected to the port for players."""
        if None not in self.seats:
            self.tell(f"turned away: {writer.get_extra_info('peername')}")
            writer.write(FULL.encode("ascii"))
            writer.transport.abort()
            return
        free = self.seats.index(None)
        self.players += 1
        self.seats[free] = seat = Seat(self, reader, writer)
        self._start(self._greet(seat, self.settings.dialects[free]))

    async def _greet(self, seat: Seat, dialect: str) -> None:
        with suppress(Left):
            await seat.greet(dialect)
            self.tell(f"{seat.name} has come and speaks {seat.dialect.name}")
            self.bell.set()

    async def _pair(self) -> list[Seat]:
        """Two players who have been greeted and are still here."""
        while True:
            for index, seat in enumerate(self.seats):
                if seat is not None and seat.left is not None:
                    seat.close()
                    self.seats[index] = None
                    self.tell(f"{seat.name} has gone: {seat.left.word}")
            greeted = [seat for seat in self.seats if seat is not None and seat.greeted]
            if len(greeted) == 2:
                return greeted
            await wait_for_news(self.bell, None)

    def _close(self) -> None:
        self.spectators.close()
        for task in self.tasks:
            task.cancel()
        for seat in self.seats:
            if seat is not None:
                seat.close()
