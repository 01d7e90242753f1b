"""An agent: connects to a server and plays whatever games it is offered.

One thread does everything.  The search asks every few milliseconds whether something was
heard, so thinking stops when the game does, and pondering when the opponent has moved.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from solver.effort import branching_factor
from solver.play.clock import Clock
from solver.play.ponderer import Ponderer
from solver.score import describe
from solver.twoflags.moves import move_name
from solver.twoflags.net import protocol as wire
from solver.twoflags.net.client import Client
from solver.twoflags.net.connection import BrokenOff, Connection
from solver.twoflags.net.conversation import Conversation
from solver.twoflags.net.ending import Ending
from solver.twoflags.net.journal import GamePlayed, MovePlayed
from solver.twoflags.rules import Pawns

STOPS_THINKING = {
    *(wire.EXIT, wire.RESET, wire.SETUP, wire.ROLE, wire.COLOUR, wire.MOVE),
    *(wire.WON, wire.LOST, wire.WINNER, wire.GAME_OVER),
}


@dataclass
class Settings:
    """How an agent plays."""

    make_thinker: Callable[[], Ponderer]
    dialect: str = "auto"
    variant: str | None = None
    move_seconds: float | None = None
    ponders: bool = True
    patience: float = 600.0


class Agent(Client):
    """One connection and the games on it; `tell` hears about every move, note and result."""

    def __init__(
        self,
        connection: Connection,
        settings: Settings,
        tell: Callable[[MovePlayed | Ending | str], None],
    ) -> None:
        conversation = Conversation(settings.dialect, settings.variant)
        super().__init__(connection, conversation, settings.patience)
        self.settings = settings
        self.tell = tell
        self.games: list[GamePlayed] = []
        self.game: GamePlayed | None = None  # the one that is being played
        self.thinker = settings.make_thinker()
        self.clock = Clock()

    def run(self) -> list[GamePlayed]:
        """Play until the server has no more to say; a game that is broken off counts too."""
        try:
            self.converse()
        except (BrokenOff, KeyboardInterrupt) as error:
            self._close_game(Ending("", str(error) or "interrupted", self.conversation.colour))
            raise
        return self.games

    def idle(self) -> None:
        if self.conversation.playing:
            self._open_game()
            if self.settings.ponders:
                self.thinker.ponder(self.conversation.position, self.connection.has_news)

    def note(self, note: str) -> None:
        self.tell(note)

    def end(self, ending: Ending) -> None:
        """Also of a game that was over before anybody could move."""
        self._open_game()
        self._close_game(ending)

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

    def turn(self) -> None:
        """Think and move, unless something is heard that changes the game."""
        if not self.still_our_turn():
            return
        conversation = self.conversation
        started = self.connection.heard_at
        game = self._open_game()
        position = conversation.position
        guess = self.thinker.guess
        pondered = self.thinker.ponder_nodes
        finding = self.thinker.think(position, self.clock.move_time(), self._interrupted)
        if self._interrupted():
            self.hear(self.connection.receive(0))
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
        self.flush()

    def _interrupted(self) -> bool:
        """Whether thinking on makes no sense; a word about the clocks is no reason."""
        connection = self.connection
        return connection.has_news() and (
            connection.closed or any(m.kind in STOPS_THINKING for m in connection.messages)
        )
