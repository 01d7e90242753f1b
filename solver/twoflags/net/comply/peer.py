"""The other end of a socket: says and hears messages, and writes everything down."""

from __future__ import annotations

import select
import socket
import time
from collections import deque

from solver.twoflags.net.comply.checklist import Failed
from solver.twoflags.net.comply.transcript import Transcript
from solver.twoflags.net.connection import PIECE, SETTLED
from solver.twoflags.net.wire import Flood, Message, Scanner

CUT = 0.02  # seconds between the pieces of a message that is cut in two
SENDING = 5.0


class Gone(Exception):
    """The other side has closed the connection."""


class Peer:
    """Messages in both directions; nothing is ever waited for without an end."""

    def __init__(self, connected: socket.socket, transcript: Transcript, who: str = "") -> None:
        self.socket = connected
        self.transcript = transcript
        self.who = who
        self.waiting: deque[Message] = deque()
        self.scanner = Scanner()
        self.gone = False
        self.read_at = 0.0
        connected.settimeout(SENDING)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        self.socket.close()

    def say(self, text: str) -> None:
        """Send a text as it is, its end included; who is gone will be noticed by listening."""
        self.transcript.said(text, self.who)
        try:
            self.socket.sendall(text.encode("ascii"))
        except OSError as error:
            self.transcript.note(f"cannot send: {error}", self.who)

    def say_in_pieces(self, text: str, at: int) -> None:
        self.say(text[:at])
        time.sleep(CUT)
        self.say(text[at:])

    def hear(self, seconds: float) -> Message | None:
        """The next message, or None if none comes for so long."""
        until = time.monotonic() + seconds
        while not self.waiting and not self.gone:
            now = time.monotonic()
            settled_at = self.read_at + SETTLED if self.scanner.waiting else until
            if self._readable(max(0.0, min(until, settled_at) - now)):
                self._read()
            elif self.scanner.waiting and time.monotonic() >= settled_at:
                self.waiting += self.scanner.settled()
            elif time.monotonic() >= until:
                return None
        if not self.waiting:
            raise Gone
        return self.waiting.popleft()

    def _readable(self, seconds: float) -> bool:
        return bool(select.select([self.socket], [], [], seconds)[0])

    def _read(self) -> None:
        try:
            data = self.socket.recv(PIECE)
        except OSError:
            data = b""
        if not data:
            self.gone = True
            self.transcript.note("it has closed the connection", self.who)
            self.waiting += self.scanner.settled()
            return
        self.read_at = time.monotonic()
        self.transcript.heard(data.decode("ascii", "replace"), self.who)
        try:
            self.waiting += self.scanner.feed(data)
        except Flood:
            raise Failed("short messages", "more text than any game needs") from None
