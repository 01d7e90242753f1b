"""A client that lets an agent play every game that a server offers, in one thread: a search asks
every few milliseconds whether something was heard, and stops if that is so."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import NamedTuple

from solver.errors import FileError, UserError
from solver.games import game_named
from solver.games.agent import Agent, ask_agent, call_agent
from solver.games.puzzle import Puzzle
from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.conversation import Conversation, GameEnd
from solver.games.twoflags.net.protocol import Message, Stream
from solver.games.twoflags.rules import Pawns
from solver.play.clock import Clock
from solver.play.game import GameResult

STARTING = 2.0  # seconds for a server to listen that was started at the same moment
CONNECTING = 10.0
SENDING = 10.0
SILENCE = 1.0  # seconds of silence after which we speak first
ROLE_FOLLOWS = 0.2  # a server of unknown dialect may still say that we are not the one to begin
FAREWELL = 10.0  # how long to wait for the server's last word, or for another game
GONE = "the server has closed the connection"


class BrokenOff(UserError):
    """The server is gone, silent, or sends too much."""

    exit_code = 4


class Connection(Stream):
    """A client's connection to a server."""

    def __init__(self, host: str, port: int, framed: bool = True) -> None:
        """Unless `framed`, no message ends with a newline."""
        self.name = f"{host}:{port}"
        self.framed = framed
        self.sent_at = 0.0
        super().__init__(self._connect(host, port), SENDING)

    def _connect(self, host: str, port: int) -> socket.socket:
        until = time.monotonic() + STARTING
        while True:
            try:
                return socket.create_connection((host, port), CONNECTING)
            except OSError as error:
                if isinstance(error, ConnectionRefusedError) and time.monotonic() < until:
                    time.sleep(0.1)
                    continue
                reason = f"cannot connect: {error.strerror or error}. Is a server there?"
                raise FileError(f"{self.name}: {reason}") from None

    def send(self, text: str) -> None:
        """With a newline if the server uses them, else some time after the last message."""
        framed = self.framed and self.scanner.newline_heard is not False
        if not framed:
            time.sleep(max(0.0, self.sent_at + protocol.APART - time.monotonic()))
        self.sent_at = time.monotonic()
        try:
            self.socket.sendall(f"{text}\n".encode("ascii") if framed else text.encode("ascii"))
        except OSError:
            self.closed = True
            raise BrokenOff(f"{self.name}: {GONE}") from None

    def has_news(self) -> bool:
        """Whether there is anything to receive, without waiting for it."""
        self.read_all()
        return bool(self.messages or self.scanner.waiting or self.closed)

    def receive(self, seconds: float) -> list[Message]:
        """The next messages, in their order; none if nothing comes in time."""
        self.wait(seconds)
        if self.flooded:
            raise BrokenOff(f"{self.name}: the server sends more than any game needs")
        if self.closed and not self.messages:
            raise BrokenOff(f"{self.name}: {GONE}")
        messages = list(self.messages)
        self.messages.clear()
        return messages


class MovePlayed(NamedTuple):
    """One of our moves, the seconds it took and those that are left; and what the agent says."""

    number: int
    side: str
    name: str
    seconds: float
    left: float | None
    remark: str

    def __str__(self) -> str:
        left = "-" if self.left is None else f"{self.left:.1f}"
        move = f"{self.number}. {self.side} {self.name} time {self.seconds:.2f} left {left}"
        return f"{move} {self.remark}".rstrip()


@dataclass
class GamePlayed:
    """One game from our side."""

    colour: str
    ending: GameEnd = field(default_factory=lambda: GameEnd("", "not finished"))
    moves: list[MovePlayed] = field(default_factory=list)

    @property
    def won(self) -> bool:
        return self.ending.winner == self.colour


@dataclass
class Client:
    """Plays all games it is offered; `listener` hears about every move, note and result."""

    connection: Connection
    conversation: Conversation
    make_agent: Callable[[], Agent]
    listener: Callable[[MovePlayed | GameEnd | str], None]
    _: KW_ONLY
    move_seconds: float | None = None
    patience: float = 600.0

    def __post_init__(self) -> None:
        self.games: list[GamePlayed] = []
        self.game: GamePlayed | None = None  # the one that is being played
        self.ends_seen = 0
        self.agent = call_agent(self.make_agent)
        self.clock = Clock()

    def run(self) -> None:
        """Play until the server has no more to say.  A game that is broken off counts, too; a
        connection that breaks off after a game has ended is an end like any other."""
        try:
            self.conversation.greet()
            self._flush()
            while not self.conversation.finished:
                if self.conversation.our_turn:
                    self._take_turn()
                elif not self._listen():
                    break
        except (BrokenOff, KeyboardInterrupt) as error:
            ending = self.conversation.ending
            if isinstance(error, BrokenOff) and ending is not None:
                self._close_game(ending)
                return
            self._close_game(GameEnd("", str(error) or "interrupted", self.conversation.colour))
            raise

    def _listen(self) -> bool:
        """Ponder, and take in what is said next; False if the game is over and nothing comes."""
        if self.conversation.playing:
            self._open_game()
            call_agent(self.agent.ponder, self._puzzle(), self.connection.has_news)
        messages = self.connection.receive(SILENCE)
        self._hear(messages)
        if messages:
            return True
        over = self.conversation.ending is not None
        patience = FAREWELL if over else self.patience
        if time.monotonic() - self.connection.heard_at < patience:
            self.conversation.hear_silence()
            self._flush()
            return True
        if over:
            return False
        raise BrokenOff(f"{self.connection.name}: the server was silent for {patience:g} s")

    def _hear(self, messages: list[Message]) -> None:
        for message in messages:
            self.conversation.hear(message)
            self._flush()

    def _flush(self) -> None:
        """Send what there is to say, and report notes and ends."""
        conversation = self.conversation
        for note in conversation.notes:
            self.listener(note)
        conversation.notes.clear()
        words, conversation.outbox = conversation.outbox, []
        for word in words:
            self.connection.send(word)
        for ending in conversation.endings[self.ends_seen :]:
            self.ends_seen += 1
            self._open_game()  # a game may be over before anybody could move
            self._close_game(ending)

    def _open_game(self) -> GamePlayed:
        """The game that is being played, begun if it is not yet."""
        if self.game is None:
            conversation, minutes = self.conversation, self.conversation.minutes
            self.game = GamePlayed(conversation.colour)
            seconds = None if minutes is None else minutes * 60
            self.clock = Clock(seconds, self.move_seconds)
            self.agent = call_agent(self.make_agent)
            self.agent.interrupted = self._is_interrupted
        return self.game

    def _close_game(self, ending: GameEnd) -> None:
        if self.game is not None:
            self.game.ending = ending
            self.game.colour = ending.colour
            self.games.append(self.game)
            self.game = None
            self.listener(ending)
            call_agent(self.agent.game_over, GameResult(ending.winner, ending.reason))

    def _puzzle(self) -> Puzzle:
        return Puzzle(game_named("twoflags"), self.conversation.position)

    def _take_turn(self) -> None:
        """Think and move, unless something is heard that changes the game."""
        conversation = self.conversation
        if not (conversation.plies or conversation.certain or conversation.endings):
            self._hear(self.connection.receive(ROLE_FOLLOWS))
            if not conversation.our_turn:
                return
        started = self.connection.heard_at
        record = self._open_game()
        here = self._puzzle()
        child = ask_agent(self.agent, here, "".join(conversation.names[-1:]), self.clock)
        if self._is_interrupted():
            self._hear(self.connection.receive(0))
            return
        assert isinstance(child, Pawns)
        conversation.play(child)
        seconds = time.monotonic() - started
        self.clock.spend(seconds)
        move = MovePlayed(
            number=len(record.moves) + 1,
            side=conversation.colour,
            name=conversation.names[-1],
            seconds=seconds,
            left=self.clock.left,
            remark=self.agent.remark,
        )
        record.moves.append(move)
        self.listener(move)
        self._flush()

    def _is_interrupted(self) -> bool:
        """Whether to stop thinking; news about the clocks is no reason."""
        connection = self.connection
        return connection.has_news() and (
            connection.closed or any(map(self.conversation.changes_the_game, connection.messages))
        )
