"""The other end of a socket: says and hears messages, and writes everything down."""

from __future__ import annotations

import socket
import time

from solver.twoflags.net.comply.checklist import Failed
from solver.twoflags.net.comply.transcript import Transcript
from solver.twoflags.net.stream import Stream
from solver.twoflags.net.wire import Flood, Message

BETWEEN_PIECES = 0.02  # seconds, of a message that is cut in two
SENDING = 5.0


class Gone(Exception):
    """The other side has closed the connection."""


class Peer(Stream):
    """Messages in both directions; nothing is ever waited for without an end."""

    def __init__(self, connected: socket.socket, transcript: Transcript, who: str = "") -> None:
        super().__init__(connected, SENDING)
        self.transcript = transcript
        self.who = who
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def say(self, text: str) -> None:
        """Send a text as it is, its end included; who is gone will be noticed by listening."""
        self.transcript.said(text, self.who)
        try:
            self.socket.sendall(text.encode("ascii"))
        except OSError as error:
            self.transcript.note(f"cannot send: {error}", self.who)

    def say_in_pieces(self, text: str, at: int) -> None:
        self.say(text[:at])
        time.sleep(BETWEEN_PIECES)
        self.say(text[at:])

    def hear(self, seconds: float) -> Message | None:
        """The next message, or None if none comes for so long."""
        self.wait(seconds)
        if self.messages:
            return self.messages.popleft()
        if self.closed:
            raise Gone
        return None

    @property
    def gone(self) -> bool:
        """Whether nothing more can be heard; what has come before the end still is."""
        return self.closed and not self.messages

    def read(self) -> bytes:
        try:
            data = super().read()
        except Flood:
            raise Failed("short messages", "more text than any game needs") from None
        if data:
            self.transcript.heard(data.decode("ascii", "replace"), self.who)
        else:
            self.transcript.note("it has closed the connection", self.who)
        return data
