"""Whoever takes part in games on a server, program or person: hears, answers, and is asked to
move."""

from __future__ import annotations

import math
import time

from solver.twoflags.net.connection import BrokenOff, Connection
from solver.twoflags.net.conversation import Conversation
from solver.twoflags.net.ending import Ending
from solver.twoflags.net.protocol import Message

SILENCE = 1.0  # after so many seconds without a word we speak first
ROLE_FOLLOWS = 0.2  # a server of unknown dialect may still say that we are not the one to begin
FAREWELL = 10.0  # how long to wait for the server's last word, or for another game


class Client:
    """One connection from its first word to its last; how to move is up to others."""

    def __init__(
        self, connection: Connection, conversation: Conversation, patience: float = math.inf
    ) -> None:
        self.connection = connection
        self.conversation = conversation
        self.patience = patience
        self.told = 0  # endings

    def converse(self) -> None:
        """Until the server has no more to say, which need not be after the first game.

        A connection that breaks off after a game has ended is an end like any other.
        """
        try:
            self.conversation.greet()
            self.flush()
            while not self.conversation.finished:
                if self.conversation.our_turn:
                    self.turn()
                elif not self._listen():
                    break
        except BrokenOff:
            if self.conversation.ending is None:
                raise

    # --- what is up to others ------------------------------------------------------------

    def turn(self) -> None:
        """It is our turn: move, or let something be heard first."""
        raise NotImplementedError

    def idle(self) -> None:
        """The other side is waited for."""

    def note(self, note: str) -> None:
        """Something odd was heard."""
        raise NotImplementedError

    def end(self, ending: Ending) -> None:
        """A game is over."""
        raise NotImplementedError

    # --- listening -----------------------------------------------------------------------

    def _listen(self) -> bool:
        """Take in what is said next; False if the game is over and nothing more comes."""
        self.idle()
        messages = self.connection.receive(SILENCE)
        self.hear(messages)
        if messages:
            return True
        over = self.conversation.ending is not None
        patience = FAREWELL if over else self.patience
        if time.monotonic() - self.connection.heard_at < patience:
            self.conversation.hear_silence()
            self.flush()
            return True
        if over:
            return False
        raise BrokenOff(f"{self.connection.name}: the server was silent for {patience:g} s")

    def hear(self, messages: list[Message]) -> None:
        for message in messages:
            self.hear_one(message)
            self.flush()

    def hear_one(self, message: Message) -> None:
        self.conversation.hear(message)

    def still_our_turn(self) -> bool:
        """Give a server of unknown dialect a moment before our first move."""
        conversation = self.conversation
        if not (conversation.plies or conversation.certain or conversation.endings):
            self.hear(self.connection.receive(ROLE_FOLLOWS))
        return conversation.our_turn

    def flush(self) -> None:
        """Say what there is to say, and tell what there is to tell."""
        conversation = self.conversation
        for note in conversation.notes:
            self.note(note)
        conversation.notes.clear()
        words, conversation.outbox = conversation.outbox, []
        for word in words:
            self.connection.send(word)
        endings = conversation.endings[self.told :]
        self.told = len(conversation.endings)
        for ending in endings:
            self.end(ending)
