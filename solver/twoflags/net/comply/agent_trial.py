"""An agent under test: we are its server and its opponent, and know how the game stands."""

from __future__ import annotations

import math
import socket
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Self

from solver.errors import FileError
from solver.twoflags import game
from solver.twoflags.moves import child_named
from solver.twoflags.net import wire
from solver.twoflags.net.comply.checklist import Failed
from solver.twoflags.net.comply.peer import Gone, Peer
from solver.twoflags.net.comply.process import Process, filled
from solver.twoflags.net.comply.transcript import Transcript
from solver.twoflags.net.comply.voices import VOICES, Line
from solver.twoflags.rules import NO_EN_PASSANT, Pawns
from solver.twoflags.text import parse_setup

HOST = "127.0.0.1"
DEFAULT_PORT = 9999
MOST_SAID = 1000  # messages, by an agent that floods us
LAST_WORDS = 0.3  # seconds to hear what an agent still has to say
MOVES_LONGER = 3  # times the patience: to think about a move takes longer than to say OK


@dataclass(frozen=True)
class AgentUnderTest:
    """How to start it and how to talk to it."""

    command: str
    dialect: str = "course"
    patience: float = 5.0
    newlines: bool = True
    port: int = DEFAULT_PORT  # for an agent that cannot be told one
    minutes: float = 1.0  # whole, so that it can be understood before decimals are


class AgentTrial:
    """One connection of the agent; every check has a new one."""

    def __init__(self, subject: AgentUnderTest) -> None:
        self.subject = subject
        self.voice = VOICES[subject.dialect](subject.newlines)
        self.transcript = Transcript()
        self.stack = ExitStack()
        self.peer: Peer | None = None
        self.colour = ""
        self.plies = 0
        self.position = self._position(game.start())
        self.thought = 0.0  # seconds that the agent took for its moves
        self.allowed = math.inf

    def __enter__(self) -> Self:
        """Listen first, then start the agent: it need not wait for us."""
        with ExitStack() as stack:
            wanted = 0 if "{port}" in self.subject.command else self.subject.port
            self.listener = stack.enter_context(_listening(wanted))
            port = self.listener.getsockname()[1]
            words = filled(self.subject.command, HOST, port, self.subject.dialect)
            self.process = stack.enter_context(Process(words, self.transcript))
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def _position(self, setup: str) -> Pawns:
        state = NO_EN_PASSANT if self.voice.dialect.variant else 0
        return parse_setup(setup, "the check", state)

    # --- before the game -----------------------------------------------------------------

    def connect(self) -> None:
        until = time.monotonic() + self.subject.patience
        self.listener.settimeout(0.05)
        while self.peer is None:
            try:
                accepted, _ = self.listener.accept()
            except TimeoutError:
                if not self.process.running:
                    code = self.process.popen.returncode
                    raise Failed("a connection", f"the program ended, exit code {code}") from None
                if time.monotonic() > until:
                    got = f"none in {self.subject.patience:g} s"
                    raise Failed("a connection", got) from None
                continue
            self.transcript.note("it has connected")
            self.peer = Peer(accepted, self.transcript)
            self.stack.callback(self.peer.close)

    def greet(self) -> None:
        """Say hello, or wait for it where the agent speaks first."""
        self.connect()
        if self.voice.dialect.speaks_first:
            self._expect((wire.OK,), "OK without being asked")
        self.say(*self.voice.greeting)

    def set_up(self, setup: str = "") -> None:
        setup = setup or game.start()
        self.position = self._position(setup)
        self.say(self.voice.setup(setup))

    def time_line(self, minutes: float | None = None) -> Line:
        minutes = minutes or self.subject.minutes
        self.allowed = minutes * 60
        return self.voice.time(f"{minutes:g}")

    def set_time(self, minutes: float | None = None) -> None:
        self.say(self.time_line(minutes))

    def start(self, colour: str, setup: str = "", minutes: float | None = None) -> None:
        """Everything before the first move."""
        self.greet()
        self.set_up(setup)
        self.set_time(minutes)
        self.begin(colour)

    def begin(self, colour: str) -> None:
        self.colour = colour
        self.say(*self.voice.begin(colour, colour == self.position.mover()))

    # --- talking -------------------------------------------------------------------------

    @property
    def connected(self) -> Peer:
        assert self.peer is not None
        return self.peer

    def say(self, *lines: Line) -> None:
        """Say each line and hear its answer."""
        for line in lines:
            self.connected.say(line.text + self.voice.end)
            if line.answers:
                answer = self._expect(line.answers, f"OK as answer to {line.text.split()[0]}")
                if answer.kind == wire.SETUP:
                    self.connected.say(f"SETUP-ACK{self.voice.end}")

    def say_at_once(self, *lines: Line) -> None:
        """All lines in one piece; then their answers."""
        self.connected.say("".join(line.text + self.voice.end for line in lines))
        for line in lines:
            if line.answers:
                self._expect(line.answers, f"OK as answer to {line.text.split()[0]}")

    def say_in_pieces(self, line: Line, at: int) -> None:
        self.connected.say_in_pieces(line.text + self.voice.end, at)
        if line.answers:
            self._expect(line.answers, f"OK as answer to {line.text.split()[0]}")

    def _expect(self, kinds: tuple[str, ...], what: str, times: int = 1) -> wire.Message:
        seconds = self.subject.patience * times
        message = self._hear(what, seconds)
        if message is None:
            raise Failed(what, f"nothing in {seconds:g} s")
        if message.kind not in kinds:
            raise Failed(what, _shown(message))
        return message

    def _hear(self, what: str, seconds: float) -> wire.Message | None:
        try:
            return self.connected.hear(seconds)
        except Gone:
            self.process.ends_within(LAST_WORDS)  # so that its last words are in the transcript
            raise Failed(what, "the end of the connection") from None

    # --- playing -------------------------------------------------------------------------

    def expect_move(self) -> str:
        """The agent's move, which must be legal and within its time for the game."""
        asked = time.monotonic()
        what = f"a legal move of {self.colour}"
        message = self._expect((wire.MOVE,), what, MOVES_LONGER)
        self.thought += time.monotonic() - asked
        if self.thought > self.allowed:
            got = f"{self.thought:.2f} s after {self.plies} plies"
            raise Failed(f"a game in {self.allowed:g} s", got)
        child = child_named(self.position, message.value)
        if child is None:
            for row in str(self.position).split("\n"):
                self.transcript.note(row)
            raise Failed(what, f"{message.value}, which is illegal")
        self._advance(child)
        return message.value

    def move(self, name: str, cut: bool = False) -> None:
        """Our move, in two pieces if `cut`."""
        child = child_named(self.position, name)
        assert child is not None, name
        self._advance(child)
        if cut:
            self.say_in_pieces(Line(name), 2)
        else:
            self.say(Line(name))

    def _advance(self, child: Pawns) -> None:
        self.position = child
        self.plies += 1

    @property
    def over(self) -> bool:
        return game.outcome(self.position) is not None

    @property
    def winner(self) -> str:
        outcome = game.outcome(self.position)
        return self.colour if outcome is None else outcome.winner

    def last_words(self, seconds: float, until: str = "") -> list[wire.Message]:
        """Whatever the agent says now without being asked, up to a message of that kind."""
        stop = time.monotonic() + seconds
        said: list[wire.Message] = []
        try:
            while message := self.connected.hear(max(0.0, stop - time.monotonic())):
                said.append(message)
                if message.kind == until or time.monotonic() >= stop or len(said) > MOST_SAID:
                    break
        except Gone:
            self.process.ends_within(LAST_WORDS)
        return said

    # --- after the game ------------------------------------------------------------------

    def finish(self) -> None:
        """Tell how the game has ended: with the agent's win, if it has not ended by itself."""
        winner = self.winner
        self.say(*self.voice.farewell(winner == self.colour, winner, self.plies))

    def hang_up(self) -> None:
        self.transcript.note("we close the connection")
        self.connected.close()

    def expect_end(self) -> None:
        """The process must end by itself, and in order."""
        if not self.process.ends_within(self.subject.patience):
            got = f"it still runs after {self.subject.patience:g} s"
            raise Failed("the program to end", got)
        self.process.check_no_crash()


def _shown(message: wire.Message) -> str:
    """A message in an error: what it says, and what we take it for."""
    if message.kind == wire.UNKNOWN:
        return ascii(message.value)
    if message.kind == wire.EXIT:
        return "exit, which gives the game up"
    return str(message)


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        raise FileError(
            f"{HOST}:{port}: cannot listen there: {error.strerror}. "
            "Put {port} into the command, for any free one."
        ) from None
