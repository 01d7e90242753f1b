"""An agent: connects to a server and plays whatever games it is offered.

One thread does everything.  The search asks every few milliseconds whether something was
heard, so thinking stops when the game does, and pondering when the opponent has moved.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from solver.effort import branching_factor
from solver.score import describe
from solver.thinker import Thinker
from solver.timing import Clock
from solver.twoflags.moves import move_name
from solver.twoflags.net import wire
from solver.twoflags.net.connection import BrokenOff, Connection
from solver.twoflags.net.conversation import Conversation
from solver.twoflags.net.dialects import DIALECTS
from solver.twoflags.net.ending import Ending
from solver.twoflags.net.journal import GamePlayed, MovePlayed
from solver.twoflags.rules import Pawns

SILENCE = 1.0  # after so many seconds without a word we speak first
ROLE_FOLLOWS = 0.2  # a server of unknown dialect may still say that we are not the one to begin
FAREWELL = 10.0  # how long to wait for the server's last word, or for another game
STOPS_THINKING = {
    *(wire.EXIT, wire.RESET, wire.SETUP, wire.ROLE, wire.COLOUR, wire.MOVE),
    *(wire.WON, wire.LOST, wire.WINNER, wire.GAME_OVER),
}


@dataclass
class Settings:
    """How an agent plays."""

    make_thinker: Callable[[], Thinker]
    dialect: str = "auto"
    variant: str | None = None
    move_seconds: float | None = None
    ponders: bool = True
    patience: float = 600.0


class Agent:
    """One connection and the games on it; `tell` hears about every move, note and result."""

    def __init__(
        self,
        connection: Connection,
        settings: Settings,
        tell: Callable[[MovePlayed | Ending | str], None],
    ) -> None:
        self.connection = connection
        self.settings = settings
        self.tell = tell
        self.conversation = Conversation(settings.dialect, settings.variant)
        self.games: list[GamePlayed] = []
        self.game: GamePlayed | None = None  # the one that is being played
        self.thinker = settings.make_thinker()
        self.clock = Clock()
        self.heard_endings = 0
        if settings.dialect in DIALECTS:
            connection.newlines = DIALECTS[settings.dialect].newlines

    def run(self) -> list[GamePlayed]:
        """Play until the server has no more to say.

        A connection that breaks off after a game has ended is an end like any other.
        """
        try:
            self.conversation.greet()
            self._flush()
            while not self.conversation.finished:
                if self.conversation.our_turn:
                    self._move()
                elif not self._listen():
                    break
        except BrokenOff as error:
            if self.conversation.ending is None:
                self._close_game(Ending("", str(error), self.conversation.colour))
                raise
        except KeyboardInterrupt:
            self._close_game(Ending("", "interrupted", self.conversation.colour))
            raise
        return self.games

    # --- listening -----------------------------------------------------------------------

    def _listen(self) -> bool:
        """Take in what is said next; False if the game is over and nothing more comes."""
        if self.conversation.playing:
            self._open_game()
            if self.settings.ponders:
                self.thinker.ponder(self.conversation.position, self.connection.has_news)
        over = self.conversation.ending is not None
        patience = FAREWELL if over else self.settings.patience
        messages = self.connection.receive(SILENCE)
        self._hear(messages)
        if messages:
            return True
        if time.monotonic() - self.connection.heard_at < patience:
            self.conversation.hear_silence()
            self._flush()
            return True
        if over:
            return False
        raise BrokenOff(f"{self.connection.name}: the server was silent for {patience:g} s")

    def _hear(self, messages: list[wire.Message]) -> None:
        for message in messages:
            self.conversation.hear(message)
            self._flush()

    def _flush(self) -> None:
        """Say what there is to say, and tell what there is to tell."""
        conversation = self.conversation
        for note in conversation.notes:
            self.tell(note)
        conversation.notes.clear()
        words, conversation.outbox = conversation.outbox, []
        for word in words:
            self.connection.send(word)
        for ending in conversation.endings[self.heard_endings :]:
            self._open_game()
            self._close_game(ending)
        self.heard_endings = len(conversation.endings)

    # --- playing -------------------------------------------------------------------------

    def _open_game(self) -> GamePlayed:
        """The game that is being played, begun if it is not yet."""
        if self.game is None:
            conversation = self.conversation
            dialect = "" if conversation.dialect is None else conversation.dialect.name
            minutes = conversation.minutes
            self.game = GamePlayed(conversation.colour, dialect)
            self.clock = Clock(
                None if minutes is None else minutes * 60, self.settings.move_seconds
            )
            self.thinker = self.settings.make_thinker()
        return self.game

    def _close_game(self, ending: Ending) -> None:
        if self.game is not None:
            self.game.ending = ending
            self.game.colour = ending.colour
            self.games.append(self.game)
            self.game = None
            self.tell(ending)

    def _move(self) -> None:
        """Think and move, unless something is heard that changes the game."""
        conversation = self.conversation
        if not (conversation.plies or conversation.certain or conversation.endings):
            self._hear(self.connection.receive(ROLE_FOLLOWS))
            if not conversation.our_turn:
                return
        started = self.connection.heard_at
        game = self._open_game()
        position = conversation.position
        guess = self.thinker.guess
        pondered = self.thinker.ponder_nodes
        finding = self.thinker.think(position, self.clock.move_time(), self._interrupted)
        if self._interrupted():
            self._hear(self.connection.receive(0))
            return
        child = finding.best
        assert isinstance(child, Pawns)
        conversation.play(child)
        seconds = time.monotonic() - started
        self.clock.spend(seconds)
        ponder_hit = None if guess is None or not self.settings.ponders else guess == position
        effort = finding.effort.visited
        move = MovePlayed(
            number=len(game.moves) + 1,
            side=conversation.colour,
            name=move_name(position, child),
            depth=finding.depth,
            nodes=self.thinker.nodes,
            score=describe(finding.score),
            seconds=seconds,
            left=self.clock.left,
            ponder_hit=ponder_hit,
            ponder_nodes=pondered,
            branching=None if ponder_hit else branching_factor(effort, finding.depth),
            choices=len(position.children()),
        )
        game.moves.append(move)
        self.tell(move)
        self._flush()

    def _interrupted(self) -> bool:
        """Whether thinking on makes no sense; a word about the clocks is no reason."""
        connection = self.connection
        return connection.has_news() and (
            connection.closed or any(m.kind in STOPS_THINKING for m in connection.messages)
        )
