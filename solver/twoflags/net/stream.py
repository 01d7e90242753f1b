"""A socket read as messages by who waits for them in one thread."""

from __future__ import annotations

import select
import socket
import time
from collections import deque

from solver.twoflags.net.wire import CUT, SETTLED, Flood, Message, Scanner

PIECE = 4096
MOST_MESSAGES = 10_000  # unread


class Stream:
    """What has come and was not taken yet; it never waits without an end."""

    def __init__(self, connected: socket.socket, sending: float) -> None:
        connected.settimeout(sending)
        self.socket = connected
        self.scanner = Scanner()
        self.messages: deque[Message] = deque()
        self.newline_heard = False
        self.heard_at = time.monotonic()
        self.closed = False  # by the other side

    def close(self) -> None:
        self.socket.close()

    def take_in(self) -> None:
        """Read all that is there, without waiting."""
        while not self.closed and self._readable(0):
            self.read()

    def wait(self, seconds: float) -> None:
        """Until there is a message, the stream has ended, or so long."""
        until = time.monotonic() + seconds
        while not self.messages and not self.closed:
            settles = self.heard_at + (CUT if self.newline_heard else SETTLED)
            wakes = min(until, settles) if self.scanner.waiting else until
            if self._readable(max(wakes - time.monotonic(), 0)):
                self.read()
            elif self.scanner.waiting and time.monotonic() >= settles:
                self.messages += self.scanner.settled()
            elif time.monotonic() >= until:
                break

    def read(self) -> bytes:
        """The next piece, as it came; raises `Flood` if that is too much."""
        try:
            data = self.socket.recv(PIECE)
        except OSError:
            data = b""
        if not data:
            self.closed = True
            self.messages += self.scanner.settled()
            return data
        self.heard_at = time.monotonic()
        self.newline_heard = self.newline_heard or b"\n" in data
        self.messages += self.scanner.feed(data)
        if len(self.messages) > MOST_MESSAGES:
            raise Flood
        return data

    def _readable(self, seconds: float) -> bool:
        return bool(select.select([self.socket], [], [], seconds)[0])
