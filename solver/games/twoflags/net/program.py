"""The program under test: its process, the connection to it, and what was said."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from random import Random

from solver.errors import FileError, UserError
from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.protocol import Flood, Message, Stream
from solver.games.twoflags.rules import other

HOST = "127.0.0.1"
DEFAULT_PORT = 9999
BETWEEN_PIECES = 0.02  # seconds, of a message that is cut in two
SENDING = 5.0
TO_TERMINATE = 1.0  # seconds for a program to end when it is asked to
MOST_STDERR = 65_536  # bytes
LAST_LINES = 15  # of standard error, for the transcript
CRASHES = ("Traceback (most recent call last)", "Exception in thread", "Unhandled exception")
ENDS = (protocol.EXIT, protocol.GAME_OVER, protocol.WON, protocol.LOST, protocol.WINNER)


class Failed(Exception):
    """The program under test did something else than it should."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}, got {got}")


class Skipped(Exception):
    """This cannot be checked here; the message says why."""


@dataclass(frozen=True)
class Subject:
    """The program under test: how to start it or where it is, and how to talk to it."""

    command: str = ""  # started anew for every check
    host: str = HOST
    port: int = DEFAULT_PORT  # of a running server; for an agent whose command has no {port}
    running: bool = False  # it is a server that we cannot start
    dialect: str = "course"
    patience: float = 5.0
    newlines: bool = True  # whether our messages end with one
    minutes: float = 1.0  # for an agent; whole, so that it is understood before decimals are
    relay: bool = False  # a server that passes moves on unchecked, and that is right


class Process:
    """The program, started without a shell and ended with all processes it has started."""

    def __init__(self, command: list[str], note: Callable[[str, str], None]) -> None:
        self.note = note
        self.stderr = tempfile.TemporaryFile()  # noqa: SIM115, closed with the process
        quiet = subprocess.DEVNULL
        try:
            self.popen = subprocess.Popen(
                command, stdin=quiet, stdout=quiet, stderr=self.stderr, start_new_session=True
            )
        except OSError as error:
            raise UserError(f"{command[0]}: cannot be started: {error.strerror}") from None
        note("-", f"started: {shlex.join(command)}")

    def close(self) -> None:
        if self.exit_code() is not None:
            self.note("-", f"the program ended with exit code {self.exit_code()}")
        self._signal("SIGTERM")
        if not self.ends_within(TO_TERMINATE):
            self._signal("SIGKILL")
            self.popen.wait()
        self._signal("SIGKILL")  # the processes it has left behind
        for line in self.read_stderr().splitlines()[-LAST_LINES:]:
            self.note("-", f"standard error: {line}")
        self.stderr.close()

    def _signal(self, name: str) -> None:
        """To the whole group, where there are groups."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.Signals[name])
        elif self.exit_code() is None:
            self.popen.kill()

    def exit_code(self) -> int | None:
        return self.popen.poll()

    def ends_within(self, seconds: float) -> bool:
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(seconds)
        return self.exit_code() is not None

    def read_stderr(self) -> str:
        """What was written so far, or the end of it."""
        size = self.stderr.seek(0, os.SEEK_END)
        self.stderr.seek(max(0, size - MOST_STDERR))
        return self.stderr.read().decode("utf-8", "replace")

    def check_no_crash(self) -> None:
        written = self.read_stderr()
        if any(crash in written for crash in CRASHES):
            raise Failed("no crash", f"on standard error: {written.strip().splitlines()[-1]}")
        code = self.exit_code()
        if code is not None and code < 0:
            name = signal.strsignal(-code) or f"signal {-code}"
            raise Failed("no crash", f"the program ended by {name}")


class Peer(Stream):
    """A connection to the program under test; everything goes into the transcript."""

    def __init__(
        self, connected: socket.socket, end: str, note: Callable[[str, str], None], who: str
    ) -> None:
        super().__init__(connected, SENDING)
        self.end = end  # of our messages
        self.note = note
        self.who = who
        self.colour = ""
        self.heard: list[Message] = []
        self.seen = 0  # how many of them a check has looked at
        self.hung_up = False
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def say(self, *messages: str, cut: int = 0) -> None:
        """All messages in one piece, or cut in two; who is gone is noticed by listening."""
        text = "".join(message + self.end for message in messages)
        for piece in (text[:cut], text[cut:]):
            if piece:
                self.note(f"{self.who}>", piece)
                with suppress(OSError):
                    self.socket.sendall(piece.encode("ascii"))
                time.sleep(BETWEEN_PIECES if cut else 0)

    def hear(self, seconds: float) -> Message | None:
        """The next message; None if none comes in time, or if the connection is closed."""
        if self.hung_up:
            return None
        self.wait(seconds)
        if not self.messages:
            return None
        self.heard.append(self.messages.popleft())
        return self.heard[-1]

    def read(self) -> bytes:
        try:
            data = super().read()
        except Flood:
            raise Failed("short messages", "more text than any game needs") from None
        if data:
            self.note(f"{self.who}<", data.decode("ascii", "replace"))
        else:
            self.note(f"{self.who}-", "it has closed the connection")
        return data

    def hang_up(self) -> None:
        self.hung_up = True
        self.note(f"{self.who}-", "we close the connection")
        self.close()

    @property
    def gone(self) -> bool:
        """Whether nothing more can be heard; what has come before the end still is."""
        return self.hung_up or (self.closed and not self.messages)

    def value_of(self, *kinds: str) -> str | None:
        """What the last message of these kinds said; None if there was none."""
        values = [message.value for message in self.heard if message.kind in kinds]
        return values[-1] if values else None

    def has_heard(self, *kinds: str) -> bool:
        return self.value_of(*kinds) is not None

    def new_moves(self) -> list[str]:
        """Moves that no check has looked at."""
        return [value for kind, value in self.heard[self.seen :] if kind == protocol.MOVE]

    @property
    def ended(self) -> bool:
        """Whether it was told that the game is over, at least by the end of the stream."""
        return self.gone or self.has_heard(*ENDS)

    @property
    def told_winner(self) -> str:
        for kind, value in reversed(self.heard):
            if kind in (protocol.GAME_OVER, protocol.WINNER) and value:
                return value
            if kind in (protocol.WON, protocol.LOST):
                return self.colour if kind == protocol.WON else other(self.colour)
        return ""


def reserve_port(host: str, stack: ExitStack) -> int:
    """A port for a program that cannot choose one: free for TCP, below those that the system
    hands out, and kept from everybody else who reserves by holding the same number for UDP."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for _ in range(1000):
        port = Random().randrange(20_000, 32_000)
        with suppress(OSError), ExitStack() as attempt:
            held = attempt.enter_context(socket.socket(family, socket.SOCK_DGRAM))
            held.bind((host, port))
            socket.create_server((host, port), family=family).close()
            stack.enter_context(attempt.pop_all())
            return port
    raise FileError(f"{host}: no free port from 20000 to 31999")
