"""The program that `solver comply` checks: its process, and a connection to it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from random import Random
from typing import NamedTuple

from solver.errors import FileError, UserError
from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.conversation import Conversation
from solver.games.twoflags.net.protocol import Message, Stream

HOST = "127.0.0.1"
DEFAULT_PORT = 9999
RETRY = 0.05  # seconds between two attempts to connect, and between pieces of a message
SENDING = 5.0
TO_TERMINATE = 1.0  # seconds for a program to end when it is asked to
LAST_BYTES = 4000  # of standard error, for the transcript
ENDS = (protocol.EXIT, protocol.GAME_OVER, protocol.WON, protocol.LOST, protocol.WINNER)

Note = Callable[[str, str], None]  # takes a sign and a line of the transcript


class Failed(Exception):
    """The program under test did something else than it should."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}, got {got}")


class Skipped(Exception):
    """This cannot be checked here; the message says why."""


class ProgramUnderTest(NamedTuple):
    """How to start the program, and how to talk to it."""

    command: str
    is_server: bool = False
    port: int = DEFAULT_PORT  # for an agent whose command has no {port}
    dialect: str = "course"
    patience: float = 5.0
    newlines: bool = True  # whether our messages end with one


class Process:
    """The program, started without a shell and ended with all processes it has started."""

    def __init__(self, words: list[str]) -> None:
        self.stderr = tempfile.TemporaryFile()  # noqa: SIM115, closed with the process
        quiet = subprocess.DEVNULL
        try:
            self.popen = subprocess.Popen(
                words, stdin=quiet, stdout=quiet, stderr=self.stderr, start_new_session=True
            )
        except OSError as error:
            self.stderr.close()
            raise UserError(f"{words[0]}: cannot be started: {error.strerror}") from None

    def close(self) -> str:
        """End it; what it has written on standard error at last."""
        for name in ("SIGTERM", "SIGKILL"):  # the second for what it has left behind, too
            if hasattr(os, "killpg"):
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.popen.pid, signal.Signals[name])
            else:
                self.popen.kill()
            self.wait(TO_TERMINATE)
        self.popen.wait()
        with self.stderr:
            return self.read_stderr()

    def wait(self, seconds: float) -> int | None:
        """The exit code, None if it still runs after that time."""
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(seconds)
        return self.popen.poll()

    def read_stderr(self) -> str:
        size = self.stderr.seek(0, os.SEEK_END)
        self.stderr.seek(max(0, size - LAST_BYTES))
        return self.stderr.read().decode("utf-8", "replace")


def reserve_port(stack: ExitStack) -> int:
    """A port for a program that cannot choose one: free for TCP, below those that the system
    hands out, and kept from everybody else who reserves by holding the same number for UDP."""
    for _ in range(1000):
        port = Random().randrange(20_000, 32_000)
        with suppress(OSError), ExitStack() as attempt:
            held = attempt.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            held.bind((HOST, port))
            socket.create_server((HOST, port)).close()
            stack.enter_context(attempt.pop_all())
            return port
    raise FileError(f"{HOST}: no free port from 20000 to 31999")


class Peer(Stream):
    """A connection to the program under test; everything goes into the transcript."""

    def __init__(
        self, connected: socket.socket, subject: ProgramUnderTest, note: Note, who: str = ""
    ) -> None:
        super().__init__(connected, SENDING)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.note = note
        self.who = who
        self.end = "\n" if subject.newlines else ""
        self.conversation = Conversation(subject.dialect)  # a player's, with a server
        self.heard: list[Message] = []
        self.seen = 0  # how many of them a check has looked at
        self.hung_up = False

    def say(self, *messages: str, cut: int = 0) -> None:
        """All messages in one piece, or cut in two; a closed connection shows when we listen."""
        text = "".join(message + self.end for message in messages)
        for piece in (text[:cut], text[cut:]):
            if piece:
                self.note(f"{self.who}>", piece)
                with suppress(OSError):
                    self.socket.sendall(piece.encode("ascii"))
                time.sleep(RETRY if cut else 0)

    def hear(self, seconds: float) -> Message | None:
        """The next message; None if none comes in time, or if the connection is closed."""
        if not self.hung_up:
            self.wait(seconds)
        if not self.messages:
            return None
        self.heard.append(self.messages.popleft())
        return self.heard[-1]

    def read(self) -> bytes:
        data = super().read()
        said = data.decode("ascii", "replace")
        self.note(f"{self.who}{'<' if said else '-'}", said or "it closed the connection")
        if self.flooded:
            raise Failed("short messages", "more text than any game needs")
        return data

    def hang_up(self) -> None:
        self.hung_up = True
        self.note(f"{self.who}-", "we close the connection")
        self.close()

    def moves_heard(self) -> list[str]:
        """Those that no check has looked at."""
        return [value for kind, value in self.heard[self.seen :] if kind == protocol.MOVE]

    @property
    def gone(self) -> bool:
        """Whether nothing more can be heard; what has come before the end still is."""
        return self.hung_up or (self.closed and not self.messages)

    @property
    def ended(self) -> bool:
        """Whether it was told that the game is over, at least by the end of the stream."""
        return self.gone or any(message.kind in ENDS for message in self.heard)
