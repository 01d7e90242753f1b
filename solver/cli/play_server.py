"""A person plays Two Flags on a server."""

from __future__ import annotations

from solver.cli.words import tell
from solver.twoflags.net import protocol
from solver.twoflags.net.client import Client
from solver.twoflags.rules import Pawns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.cli.person import Person
    from solver.twoflags.net.client import Connection
    from solver.twoflags.net.conversation import Conversation, GameEnd


class ServerGame(Client):
    """Listens to the server and to the keyboard, but to the keyboard only when it is the
    person's turn: what a script has written ahead is for later turns."""

    def __init__(self, person: Person, connection: Connection, conversation: Conversation) -> None:
        super().__init__(connection, conversation)
        self.person = person
        self.shown = False  # the game that is being played
        self.asked = False  # for the move that is due

    # --- the server ----------------------------------------------------------------------

    def hear_one(self, message: protocol.Message) -> None:
        before = self.conversation.position
        super().hear_one(message)
        self._show_game()
        after = self.conversation.position
        if message.kind == protocol.MOVE and after != before:
            print(f"{before.mover()} plays {message.value}")
            self.person.show(after)

    def report_note(self, note: str) -> None:
        tell(note)

    def report_end(self, ending: GameEnd) -> None:
        print(ending, flush=True)

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

    # --- the person ----------------------------------------------------------------------

    def turn(self) -> None:
        """Whatever comes first, a line of input or a word of the server."""
        conversation, connection = self.conversation, self.connection
        if not self.asked and not self.is_still_our_turn():
            return
        self._show_game()
        if not self.asked:
            self.asked = True
            self.person.keyboard.ask(f"{conversation.colour} to move:")
        if connection.has_news() or not self.person.keyboard.wait(connection.socket):
            self.hear(connection.receive(protocol.SETTLED))
            return
        self.asked = False
        self._react()

    def _react(self) -> None:
        conversation = self.conversation
        entry = self.person.read_entry(conversation.position)
        if isinstance(entry.child, Pawns):
            self.person.show_move(conversation.position, entry.child)
            conversation.play(entry.child)
        elif entry.word == "undo":
            tell("On a server no move can be taken back.")
        elif entry.word in ("resign", "quit"):
            conversation.resign()
        self.flush()
