"""The server: seats two players, lets them play a match, and tells spectators about it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from solver.errors import BoardError
from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.protocol import Message
from solver.games.twoflags.net.record import GameRecord, end_lines, head_lines, move_line
from solver.games.twoflags.net.referee import (
    GameResult,
    Openings,
    Reason,
    Referee,
    Relay,
    TimedMove,
    find_fault,
    listed_openings,
    setup_message,
    start_opening,
    without_en_passant,
)
from solver.games.twoflags.net.seats import (
    Invitation,
    Left,
    Seat,
    Visitor,
    take_seat,
    wait_for_news,
)
from solver.games.twoflags.rules import Pawns, other
from solver.games.twoflags.text import parse_setup
from solver.web.listen import listen

MOST_SPECTATORS = 500  # leaves files enough to the players
MOST_UNREAD = 65_536  # bytes; a game has less than 5000
MOST_SAID = 4096  # bytes, by a spectator
MOST_GAMES = 1000  # that a client may ask for
GRACE = 2 * protocol.SETTLED  # a move that came in time may still have to settle
LIKE_A_MOVE = re.compile(r"[a-z]\d{1,2}-?[a-z]\d{1,2}[a-z]?", re.IGNORECASE)
RATING = 1500.0  # of a player before the match
RATING_STEP = 32.0  # how far a match can move it, times two
FULL = "Error: two players are at the board already; come back later.\n"
TOO_MANY = "Error: too many spectators.\n"


@dataclass(frozen=True)
class ServerSettings:
    """The defaults are those of the command line."""

    host: str = "127.0.0.1"
    port: int = 9999  # 0: any free one
    spectator_port: int | None = None  # None: the one after `port`
    dialects: tuple[str, str] = ("auto", "auto")  # of the first and the second player
    minutes: float = 5.0  # 0: without clocks
    games: int | None = None  # None: one, or as many as the first player asks for
    openings: Openings | None = None  # None: the start, or what a player proposes
    variant: str | None = None  # None: without en passant if neither player's dialect has it
    relay: bool = False
    patience: float = 120.0
    forever: bool = False


# --- what happens, for one listener --------------------------------------------------------


class Listening(NamedTuple):
    """Both ports are open."""

    host: str
    port: int
    spectator_port: int


class PlayerSeated(NamedTuple):
    """A player has come and been greeted."""

    name: str
    dialect: str


class Departed(NamedTuple):
    """A player has left before a game began; the seat is free again."""

    name: str
    reason: str


class TurnedAway(NamedTuple):
    """A client came while both seats were taken."""

    address: str


class GameStarted(NamedTuple):
    record: GameRecord


class MoveMade(NamedTuple):
    """A move stands; the clocks are in seconds, if there are any."""

    ply: int
    move: TimedMove
    clocks: dict[str, float] | None


class GameFinished(NamedTuple):
    record: GameRecord


class MatchFinished(NamedTuple):
    """The players in the order in which they came, with their wins and new ratings."""

    names: tuple[str, str]
    wins: tuple[int, int]
    ratings: tuple[float, float]


Event = (
    Listening
    | PlayerSeated
    | Departed
    | TurnedAway
    | GameStarted
    | MoveMade
    | GameFinished
    | MatchFinished
)


# --- spectators and players ----------------------------------------------------------------


class Spectators:
    """Tells everybody who watches what happens, and newcomers what has happened so far."""

    def __init__(self) -> None:
        self.watching: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}
        self.so_far = "# waiting for two players\n"

    def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self.watching) >= MOST_SPECTATORS:
            writer.write(TOO_MANY.encode("ascii"))
            writer.transport.abort()
            return
        task = asyncio.create_task(_watch(reader))
        task.add_done_callback(lambda _: self._drop(writer))
        self.watching[writer] = task
        writer.write(self.so_far.encode("ascii"))

    def _drop(self, writer: asyncio.StreamWriter) -> None:
        self.watching.pop(writer, None)
        writer.transport.abort()

    def hear(self, event: Event) -> None:
        """Pass an event of the game on, as the lines of its log."""
        if isinstance(event, GameStarted):
            self.so_far = ""
            self._say(head_lines(event.record))
        elif isinstance(event, MoveMade):
            self._say([move_line(event.ply, event.move, event.clocks)])
        elif isinstance(event, GameFinished):
            self._say(end_lines(event.record))
        elif isinstance(event, MatchFinished):
            pairs = zip(event.names, event.wins, strict=True)
            self._say([f"# SCORE {' '.join(f'{name}={wins}' for name, wins in pairs)}"])

    def _say(self, lines: list[str]) -> None:
        text = "".join(f"{line}\n" for line in lines)
        self.so_far += text
        for writer in list(self.watching):
            if writer.transport.get_write_buffer_size() > MOST_UNREAD:
                self.watching[writer].cancel()
            elif not writer.is_closing():
                writer.write(text.encode("ascii"))

    def close(self) -> None:
        for task in self.watching.values():
            task.cancel()


async def _watch(reader: asyncio.StreamReader) -> None:
    """Until the spectator leaves or has said too much."""
    with suppress(asyncio.IncompleteReadError, OSError):
        await reader.readexactly(MOST_SAID)


@dataclass
class Chair:
    """One of the two places at the board, and who has taken it."""

    name: str
    visitor: Visitor
    greeting: asyncio.Task[None] | None = None
    seat: Seat | None = None


class Lobby:
    """Keeps the two places; players are numbered in the order in which they come."""

    def __init__(
        self, settings: ServerSettings, bell: asyncio.Event, listener: Callable[[Event], None]
    ) -> None:
        self.settings = settings
        self.bell = bell
        self.listener = listener
        self.places: list[Chair | None] = [None, None]
        self.leaving: dict[asyncio.Task[None], Visitor] = {}
        self.players = 0

    def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A client has connected to the port for players."""
        if None not in self.places:
            self.listener(TurnedAway(str(writer.get_extra_info("peername"))))
            writer.write(FULL.encode("ascii"))
            writer.transport.abort()
            return
        free = self.places.index(None)
        self.players += 1
        place = Chair(f"player-{self.players}", Visitor(reader, writer, self.bell))
        self.places[free] = place
        place.greeting = asyncio.create_task(self._greet(place, self.settings.dialects[free]))

    async def _greet(self, place: Chair, dialect: str) -> None:
        try:
            seat = await take_seat(place.name, place.visitor, dialect, self.settings.patience)
        except Left:
            return
        place.seat = seat
        self.listener(PlayerSeated(seat.name, seat.dialect.name))
        self.bell.set()

    async def pair(self) -> tuple[Seat, Seat]:
        """Two players who have been greeted and are still here."""
        while True:
            self._free_places()
            seats = [place.seat for place in self.places if place and place.seat]
            if len(seats) == 2:
                return seats[0], seats[1]
            await wait_for_news(self.bell, None)

    def _free_places(self) -> None:
        for index, place in enumerate(self.places):
            if place is not None and place.visitor.has_left():
                self._close(place)
                self.places[index] = None
                self.listener(Departed(place.name, place.visitor.left or Reason.DISCONNECTION))

    def part(self) -> None:
        """Free both places; the players may take a moment to read our last words."""
        for place in self.places:
            if place is not None:
                task = asyncio.create_task(place.visitor.linger())
                self.leaving[task] = place.visitor
                task.add_done_callback(self._close_left)
        self.places = [None, None]

    def _close_left(self, task: asyncio.Task[None]) -> None:
        self.leaving.pop(task).close()

    async def farewell(self) -> None:
        """Wait until everybody has left."""
        await asyncio.gather(*self.leaving)

    def close(self) -> None:
        for place in self.places:
            if place is not None:
                self._close(place)
        for task in self.leaving:
            task.cancel()

    def _close(self, place: Chair) -> None:
        if place.greeting is not None:
            place.greeting.cancel()
        place.visitor.close()


# --- games and matches ---------------------------------------------------------------------


class HostedGame:
    """A game that is being played; a mover who takes too long loses it."""

    def __init__(
        self,
        seats: dict[str, Seat],
        referee: Referee,
        patience: float,
        bell: asyncio.Event,
        listener: Callable[[Event], None],
    ) -> None:
        self.seats = seats
        self.referee = referee
        self.patience = patience
        self.bell = bell
        self.listener = listener
        self.asked_at = 0.0
        self._loop = asyncio.get_running_loop()

    async def play(
        self, invitations: dict[str, Invitation], aside: Callable[[], None]
    ) -> GameResult:
        """The result; `aside` looks after whatever else players may have said."""
        if self.referee.result is None:
            for side, seat in self.seats.items():
                seat.begin(invitations[side])
            self.asked_at = self._loop.time()
        while self.referee.result is None:
            if not self._listen():
                await self._wait()
            aside()
        return self.referee.result

    def _listen(self) -> bool:
        """Take what was said first, or else who left first; False if nothing is new."""
        heard = [
            (seat.visitor.heard[0].at, side)
            for side, seat in self.seats.items()
            if seat.visitor.heard
        ]
        if heard:
            at, side = min(heard)
            self._take(side, self.seats[side].visitor.heard.popleft().message, at)
            return True
        left = [
            (seat.visitor.left_at, side, seat.visitor.left)
            for side, seat in self.seats.items()
            if seat.visitor.left is not None
        ]
        if left:
            _, side, reason = min(left)
            self.referee.lose(side, reason)
        return bool(left)

    async def _wait(self) -> None:
        """Until there is news or the mover has had all its time."""
        clocks = self.referee.clocks
        allowed = self.patience if clocks is None else clocks[self.referee.mover]
        unsettled = self.seats[self.referee.mover].visitor.unsettled
        until = self.asked_at + allowed + (2 * protocol.CUT if unsettled else GRACE)
        if self._loop.time() < until:
            await wait_for_news(self.bell, until)
        else:
            self.referee.run_out()

    def _take(self, side: str, message: Message, at: float) -> None:
        kind, value = message
        if kind == protocol.MOVE or (kind == protocol.UNKNOWN and LIKE_A_MOVE.fullmatch(value)):
            self._move(side, value, max(0.0, at - self.asked_at))
        elif kind == protocol.EXIT:
            self.referee.lose(side, Reason.RESIGNATION)
        elif kind == protocol.WINNER:
            self.referee.claim(side, value)

    def _move(self, side: str, name: str, seconds: float) -> None:
        referee = self.referee
        if not referee.play(side, name, seconds):
            return
        clocks = None if referee.clocks is None else dict(referee.clocks)
        self.listener(MoveMade(len(referee.moves), referee.moves[-1], clocks))
        self.seats[other(side)].say(referee.moves[-1].name)
        if referee.result is None:
            self.asked_at = self._loop.time()


class Match:
    """The games of two players, who keep their seats from game to game."""

    def __init__(
        self,
        players: tuple[Seat, Seat],
        settings: ServerSettings,
        bell: asyncio.Event,
        listener: Callable[[Event], None],
    ) -> None:
        self.players = players
        self.settings = settings
        self.bell = bell
        self.listener = listener
        self.games = settings.games or 1
        self.accepted = False
        self.wins = dict.fromkeys((seat.name for seat in players), 0)
        self.openings = settings.openings or proposed_openings(players)

    async def play(self) -> None:
        """Play all games; raises `Left` if a player has gone before the first one began."""
        number = 1
        self.grant_games()
        while not await self._play_game(number):
            number += 1
        first, second = (seat.name for seat in self.players)
        wins = (self.wins[first], self.wins[second])
        change = RATING_STEP * (wins[0] / sum(wins) - 0.5)
        ratings = (RATING + change, RATING - change)
        self.listener(MatchFinished((first, second), wins, ratings))

    def grant_games(self) -> None:
        """The first player may ask for more games, once, and both are told how many."""
        wanted = self.players[0].visitor.games_wanted
        if self.accepted or not wanted:
            return
        self.accepted = True
        if self.settings.games is None:
            self.games = max(1, min(int(wanted[:9]), MOST_GAMES))
        for seat in self.players:
            seat.accept_games(self.games)

    async def _play_game(self, number: int) -> bool:
        """Whether it was the last game."""
        white, black = self.players if number % 2 else reversed(self.players)
        seats = {"white": white, "black": black}
        start, minutes = self._start(number), self.settings.minutes
        setup = setup_message(start)
        invitations = {
            side: Invitation(number, side, start.mover(), setup, minutes) for side in seats
        }
        referee = self._referee(start)
        await self._invite(seats, invitations, referee)
        record = GameRecord(number, white.name, black.name, start, minutes)
        self.listener(GameStarted(record))
        game = HostedGame(seats, referee, self.settings.patience, self.bell, self.listener)
        result = await game.play(invitations, self.grant_games)
        return self._finish(record, seats, referee, result)

    def _start(self, number: int) -> Pawns:
        position = self.openings(number)
        variant = self.settings.variant
        usual = all(seat.dialect.variant == "no-en-passant" for seat in self.players)
        if variant == "no-en-passant" or (variant is None and usual):
            return without_en_passant(position)
        return position

    def _referee(self, start: Pawns) -> Referee:
        if self.settings.relay:
            return Relay(start)
        return Referee(start, self.settings.minutes * 60 or None)

    async def _invite(
        self, seats: dict[str, Seat], invitations: dict[str, Invitation], referee: Referee
    ) -> None:
        """First the first player, then the second; who leaves the match now has lost a game,
        but before the first one nobody can lose."""
        for player in self.players:
            side = "white" if seats["white"] is player else "black"
            player.visitor.new_game()
            try:
                await player.invite(invitations[side])
            except Left:
                if invitations[side].number == 1:
                    raise
                referee.lose(side, player.visitor.left or Reason.DISCONNECTION)
        left = any(player.visitor.has_left() for player in self.players)
        if left and invitations["white"].number == 1:
            raise Left
        for player in self.players:
            player.visitor.played = True
            player.visitor.heard.clear()  # nothing said so far can be about this game

    def _finish(
        self, record: GameRecord, seats: dict[str, Seat], referee: Referee, result: GameResult
    ) -> bool:
        """Report the result; whether it was the last game, as it is if a player has left."""
        self.wins[seats[result.winner].name] += 1
        moves = tuple(referee.moves)
        left = any(seat.visitor.left for seat in self.players)
        last = left or record.number >= self.games
        for side, seat in seats.items():
            seat.finish(result, side, len(moves), last)
        finished = replace(record, moves=moves, result=result, refused=referee.refused)
        self.listener(GameFinished(finished))
        return last


def proposed_openings(players: tuple[Seat, Seat]) -> Openings:
    """The position that a player has asked for, if a game can begin there; else the start."""
    for seat in players:
        if seat.visitor.setup_wanted:
            try:
                position = parse_setup(seat.visitor.setup_wanted, seat.name, 0)
            except BoardError:
                continue
            if find_fault(position) is None:
                return listed_openings([position])
    return start_opening


class Server:
    """Plays one match, or match after match; `listener` hears everything that happens."""

    def __init__(self, settings: ServerSettings, listener: Callable[[Event], None]) -> None:
        self.settings = settings
        self.listener = listener
        self.spectators = Spectators()

    def tell(self, event: Event) -> None:
        self.spectators.hear(event)
        self.listener(event)

    async def run(self) -> None:
        settings = self.settings
        bell = asyncio.Event()
        lobby = Lobby(settings, bell, self.tell)
        async with AsyncExitStack() as stack:
            stack.callback(self.spectators.close)
            stack.callback(lobby.close)
            host, port = await listen(stack, lobby.welcome, settings.host, settings.port, "--port")
            wanted = settings.spectator_port
            if wanted is None:
                wanted = port + 1 if 0 < settings.port < 65535 else 0
            _, watched = await listen(
                stack, self.spectators.welcome, host, wanted, "--spectator-port"
            )
            self.tell(Listening(host, port, watched))
            await self._play(lobby, bell)

    async def _play(self, lobby: Lobby, bell: asyncio.Event) -> None:
        while True:
            players = await lobby.pair()
            try:
                await Match(players, self.settings, bell, self.tell).play()
            except Left:
                continue  # the other keeps the seat
            lobby.part()
            if not self.settings.forever:
                await lobby.farewell()
                return
