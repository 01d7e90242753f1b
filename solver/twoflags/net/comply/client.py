"""One of the two scripted players at a server under test: answers, and remembers what it heard."""

from __future__ import annotations

from solver.twoflags.net import wire
from solver.twoflags.net.comply.peer import Gone, Peer
from solver.twoflags.net.dialects import Dialect
from solver.twoflags.rules import other

ENDS = (wire.EXIT, wire.GAME_OVER, wire.WON, wire.LOST, wire.WINNER)


class Client:
    """Says `OK` to whatever wants it; everything else is up to the check."""

    def __init__(self, peer: Peer, dialect: Dialect, end: str) -> None:
        self.peer = peer
        self.dialect = dialect
        self.end = end
        self.heard: list[wire.Message] = []
        self.read = 0  # how much of it a check has looked at
        self.colour = ""
        self.hung_up = False
        if dialect.speaks_first:
            self.say("OK")

    def say(self, *messages: str) -> None:
        """All messages in one piece."""
        self.peer.say("".join(message + self.end for message in messages))

    def listen(self, seconds: float) -> None:
        """Take in one message, if one comes."""
        if self.hung_up:
            return
        try:
            message = self.peer.hear(seconds)
        except Gone:
            return
        if message is None:
            return
        self.heard.append(message)
        if message.kind in self.dialect.answered and not message.value.startswith("welcome"):
            self.say("OK")

    def hang_up(self) -> None:
        self.hung_up = True
        self.peer.transcript.note("we close the connection", self.peer.who)
        self.peer.close()

    @property
    def gone(self) -> bool:
        return self.hung_up or self.peer.gone

    def value_of(self, *kinds: str) -> str | None:
        """What the last message of these kinds said; None if there was none."""
        values = [message.value for message in self.heard if message.kind in kinds]
        return values[-1] if values else None

    def has_heard(self, *kinds: str) -> bool:
        return self.value_of(*kinds) is not None

    def new(self, *kinds: str) -> list[wire.Message]:
        """Messages of these kinds that no check has looked at."""
        return [message for message in self.heard[self.read :] if message.kind in kinds]

    def look_away(self) -> None:
        """What was heard so far is dealt with."""
        self.read = len(self.heard)

    @property
    def ended(self) -> bool:
        """Whether it has been told that the game is over, at least by the end of the stream."""
        return self.gone or self.has_heard(*ENDS)

    @property
    def told_winner(self) -> str:
        """Who has won by what it was told; empty if that was nothing."""
        for kind, value in reversed(self.heard):
            if kind in (wire.GAME_OVER, wire.WINNER) and value:
                return value
            if kind == wire.WON:
                return self.colour
            if kind == wire.LOST:
                return other(self.colour)
        return ""
