"""A client's connection: one socket, read as messages, that can be asked without waiting."""

from __future__ import annotations

import select
import socket
import time

from solver.errors import FileError, UserError
from solver.twoflags.net.wire import Flood, Message, Scanner

SETTLED = 0.1  # seconds of silence after which a message without an end is complete
CUT = 1.0  # where lines have ends, one without is a line cut in two, and waited for longer
STARTING = 2.0
CONNECTING = 10.0
SENDING = 10.0
PIECE = 4096
MOST_MESSAGES = 10_000  # unread

BROKEN_OFF = 4


class BrokenOff(UserError):
    """The other side is gone, silent or beyond understanding."""

    exit_code = BROKEN_OFF


class Connection:
    """Text in both directions; single-threaded, so nothing is left running behind it."""

    def __init__(self, host: str, port: int) -> None:
        self.name = f"{host}:{port}"
        self.socket = self._connected(host, port)
        self.socket.settimeout(SENDING)
        self.scanner = Scanner()
        self.messages: list[Message] = []
        self.newlines = True  # whether messages end with one; until it is known, yes
        self.newline_heard = False
        self.heard_at = time.monotonic()
        self.closed = False

    def _connected(self, host: str, port: int) -> socket.socket:
        """A server that was started in the same moment may need some time to listen."""
        until = time.monotonic() + STARTING
        while True:
            try:
                return socket.create_connection((host, port), CONNECTING)
            except OSError as error:
                if isinstance(error, ConnectionRefusedError) and time.monotonic() < until:
                    time.sleep(0.1)
                    continue
                reason = error.strerror or str(error)
                raise FileError(
                    f"{self.name}: cannot connect: {reason}. Is a server there?"
                ) from None

    def close(self) -> None:
        self.socket.close()

    def send(self, text: str) -> None:
        try:
            self.socket.sendall((text + "\n" if self.newlines else text).encode("ascii"))
        except OSError:
            self.closed = True
            raise self._gone() from None

    def has_news(self) -> bool:
        """Whether there is anything to receive, without waiting for it."""
        while not self.closed and self._readable(0):
            self._read()
        return bool(self.messages or self.scanner.waiting or self.closed)

    def receive(self, seconds: float) -> list[Message]:
        """The next messages, in their order; none if nothing comes for so long."""
        until = time.monotonic() + seconds
        while not self.messages and not self.closed:
            settles = self.heard_at + (CUT if self.newline_heard else SETTLED)
            wakes = min(until, settles) if self.scanner.waiting else until
            if self._readable(max(wakes - time.monotonic(), 0)):
                self._read()
            elif self.scanner.waiting and time.monotonic() >= settles:
                self.messages += self.scanner.settled()
            elif time.monotonic() >= until:
                break
        if self.closed and not self.messages:
            raise self._gone()
        messages, self.messages = self.messages, []
        return messages

    def _gone(self) -> BrokenOff:
        return BrokenOff(f"{self.name}: the server has closed the connection")

    def _readable(self, seconds: float) -> bool:
        return bool(select.select([self.socket], [], [], seconds)[0])

    def _read(self) -> None:
        try:
            data = self.socket.recv(PIECE)
        except OSError:
            data = b""
        if not data:
            self.closed = True
            self.messages += self.scanner.settled()
            return
        self.heard_at = time.monotonic()
        self.newline_heard = self.newline_heard or b"\n" in data
        self.newlines = self.newline_heard
        try:
            self.messages += self.scanner.feed(data)
            if len(self.messages) > MOST_MESSAGES:
                raise Flood
        except Flood:
            self.closed = True
            raise BrokenOff(f"{self.name}: the server sends more than any game needs") from None
