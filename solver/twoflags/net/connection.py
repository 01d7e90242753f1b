"""A client's connection to a server."""

from __future__ import annotations

import socket
import time

from solver.errors import FileError, UserError
from solver.twoflags.net.protocol import Flood, Message, Stream

STARTING = 2.0
CONNECTING = 10.0
SENDING = 10.0

BROKEN_OFF = 4


class BrokenOff(UserError):
    """The other side is gone, silent or beyond understanding."""

    exit_code = BROKEN_OFF


class Connection(Stream):
    """Text in both directions; single-threaded, so nothing is left running behind it."""

    def __init__(self, host: str, port: int) -> None:
        self.name = f"{host}:{port}"
        self.newlines = True  # whether messages end with one; until it is known, yes
        super().__init__(self._connected(host, port), SENDING)

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

    def send(self, text: str) -> None:
        try:
            self.socket.sendall((text + "\n" if self.newlines else text).encode("ascii"))
        except OSError:
            self.closed = True
            raise self._gone() from None

    def has_news(self) -> bool:
        """Whether there is anything to receive, without waiting for it."""
        self.read_all()
        return bool(self.messages or self.scanner.waiting or self.closed)

    def receive(self, seconds: float) -> list[Message]:
        """The next messages, in their order; none if nothing comes for so long."""
        self.wait(seconds)
        if self.closed and not self.messages:
            raise self._gone()
        messages = list(self.messages)
        self.messages.clear()
        return messages

    def read(self) -> bytes:
        try:
            data = super().read()
        except Flood:
            self.closed = True
            raise BrokenOff(f"{self.name}: the server sends more than any game needs") from None
        if data:
            self.newlines = self.newline_heard
        return data

    def _gone(self) -> BrokenOff:
        return BrokenOff(f"{self.name}: the server has closed the connection")
