"""A person plays Two Flags on a server."""

from __future__ import annotations

import time

from solver.cli.words import tell
from solver.twoflags.net import wire
from solver.twoflags.net.agent import FAREWELL, ROLE_FOLLOWS, SILENCE
from solver.twoflags.net.connection import SETTLED, BrokenOff
from solver.twoflags.net.dialects import DIALECTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.cli.person import Person
    from solver.twoflags.net.connection import Connection
    from solver.twoflags.net.conversation import Conversation


class ServerGame:
    """Listens to the server and to the keyboard, but to the keyboard only when it is the
    person's turn: what a script has written ahead is for later turns."""

    def __init__(self, person: Person, connection: Connection, conversation: Conversation) -> None:
        self.person = person
        self.connection = connection
        self.conversation = conversation
        self.shown = False  # the game that is being played
        self.asked = False  # for the move that is due
        self.told = 0  # endings
        if conversation.dialect is not None:
            connection.newlines = DIALECTS[conversation.dialect.name].newlines

    def play(self) -> None:
        """Until the server has no more to say, which need not be after the first game."""
        try:
            self.conversation.greet()
            self._flush()
            while not self.conversation.finished:
                if self.conversation.our_turn:
                    self._turn()
                elif not self._listen():
                    break
        except BrokenOff:
            if self.conversation.ending is None:
                raise

    # --- the server ----------------------------------------------------------------------

    def _listen(self) -> bool:
        """Take in what is said next; False if the game is over and nothing more comes."""
        messages = self.connection.receive(SILENCE)
        self._hear(messages)
        if not messages:
            self.conversation.hear_silence()
            self._flush()
        silent = time.monotonic() - self.connection.heard_at
        return self.conversation.ending is None or silent < FAREWELL

    def _hear(self, messages: list[wire.Message]) -> None:
        for message in messages:
            before = self.conversation.position
            self.conversation.hear(message)
            self._show_game()
            after = self.conversation.position
            if message.kind == wire.MOVE and after != before:
                print(f"{before.mover()} plays {message.value}")
                self.person.show(after)
            self._flush()

    def _show_game(self) -> None:
        """The position a game begins with, as soon as it is known whose is whose."""
        conversation = self.conversation
        if not conversation.playing:
            self.shown = self.shown and conversation.ending is not None
        elif not self.shown:
            self.shown = True
            print(f"you are {conversation.colour}")
            if not conversation.plies:
                self.person.show(conversation.position)

    def _flush(self) -> None:
        """Say what there is to say, and show what there is to show."""
        conversation = self.conversation
        for note in conversation.notes:
            tell(note)
        conversation.notes.clear()
        words, conversation.outbox = conversation.outbox, []
        for word in words:
            self.connection.send(word)
        for ending in conversation.endings[self.told :]:
            print(ending, flush=True)
        self.told = len(conversation.endings)

    # --- the person ----------------------------------------------------------------------

    def _turn(self) -> None:
        """Whatever comes first, a line of input or a word of the server."""
        conversation, connection = self.conversation, self.connection
        if not conversation.plies and not conversation.certain and not self.asked:
            self._hear(connection.receive(ROLE_FOLLOWS))
            if not conversation.our_turn:
                return
        self._show_game()
        if not self.asked:
            self.asked = True
            self.person.keyboard.ask(f"{conversation.colour} to move:")
        if connection.has_news() or not self.person.keyboard.wait(connection.socket):
            self._hear(connection.receive(SETTLED))
            return
        self.asked = False
        self._react()

    def _react(self) -> None:
        conversation = self.conversation
        entry = self.person.entry(conversation.position)
        if entry.child is not None:
            self.person.show_move(conversation.position, entry.child)
            conversation.play(entry.child)
        elif entry.word == "undo":
            tell("On a server no move can be taken back.")
        elif entry.word in ("resign", "quit"):
            conversation.resign()
        self._flush()
