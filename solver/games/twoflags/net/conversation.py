"""What a client understands of what it hears: the dialect, the game, whose turn it is.  Messages go
in, answers come out in `outbox`."""

from __future__ import annotations

from typing import NamedTuple

from solver.errors import BoardError
from solver.games.twoflags import game
from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.protocol import DIALECTS, SERVER_SPEAKS, UNKNOWN_DIALECT, Message
from solver.games.twoflags.rules import NO_EN_PASSANT, WHITE_LANDED_AT, Pawns, other
from solver.games.twoflags.text import child_named, move_name, parse_setup
from solver.play.game import GameResult

GAME_CHANGES = {
    *(protocol.EXIT, protocol.RESET, protocol.SETUP),
    *(protocol.WON, protocol.LOST, protocol.WINNER, protocol.GAME_OVER),
}


class GameEnd(NamedTuple):
    """How a game has ended, as far as a client can tell; `winner` is empty if unknown."""

    winner: str
    reason: str
    colour: str = ""  # ours

    def __str__(self) -> str:
        return f"{self.winner} has won: {self.reason}" if self.winner else self.reason


class Conversation:
    """One connection from its first word to its last, with any number of games."""

    def __init__(self, dialect: str = "auto") -> None:
        self.dialect = DIALECTS.get(dialect, UNKNOWN_DIALECT)
        self.certain = dialect in DIALECTS
        self.outbox: list[str] = []
        self.notes: list[str] = []
        self.minutes: float | None = None
        self.setup = game.start()
        self.greeted = False
        self.finished = False
        self.endings: list[GameEnd] = []  # of all games so far
        self._new_game()

    def _new_game(self) -> None:
        self.position = self._position(self.setup)
        self.before: Pawns | None = None  # where our last move was made
        self.colour = ""
        self.begun = False
        self.heard_move = False
        self.names: list[str] = []  # of the moves so far
        self.plies = 0
        self.ending: GameEnd | None = None

    @property
    def our_turn(self) -> bool:
        return self.playing and not self.finished and self.position.mover() == self.colour

    @property
    def playing(self) -> bool:
        return bool(self.colour) and self.ending is None and (self.begun or self.heard_move)

    def _position(self, setup: str) -> Pawns:
        return parse_setup(setup, "server", NO_EN_PASSANT if self.dialect.variant else 0)

    def hear(self, message: Message) -> None:
        """Take in one message and answer it."""
        self._recognise(message)
        match message:
            case protocol.SETUP, value:
                self._set_up(value)
            case ((protocol.TIME | protocol.NUMBER), value):
                if self.ending is not None:
                    self._new_game()
                self.minutes = float(value)
            case ((protocol.BEGIN | protocol.PROMPT), _):
                self._begin(message.kind == protocol.PROMPT)
            case ((protocol.ROLE | protocol.COLOUR), value):
                self.colour = self.colour if self.plies else value
            case protocol.MOVE, value:
                self._hear_move(value)
            case protocol.WON, _:
                self._end(self.colour, "the server says so")
            case protocol.LOST, _:
                self._end(other(self.colour) if self.colour else "", "the server says so")
            case ((protocol.WINNER | protocol.GAME_OVER), value):
                self._end(value, "the server says so")
            case protocol.EXIT, _:
                self._exit()
            case protocol.RESET, _:
                self._end_unheard()
                self._new_game()
                self.outbox.append("Ready")
            case ((protocol.UNKNOWN | protocol.COMPLAINT), value):
                self.notes.append(f"the server says: {value}")
        if message.kind in self.dialect.answered and not message.value.startswith("welcome"):
            self.outbox.append("OK")

    def changes_the_game(self, message: Message) -> bool:
        """Whether there is no use in thinking about our move any longer."""
        kind, value = message
        if kind in (protocol.ROLE, protocol.COLOUR):
            return value != self.colour
        return kind in GAME_CHANGES or (kind == protocol.MOVE and not self.plies)

    def _recognise(self, message: Message) -> None:
        if message.kind == protocol.ROLE and self.plies:
            return  # our server says it late to those of whom it hears nothing
        dialect = SERVER_SPEAKS.get(message.kind, self.dialect)
        if not self.certain and dialect is not self.dialect:
            self.dialect = dialect
            if not self.plies:
                self.position = self._position(self.setup)

    def greet(self) -> None:
        """Speak first, where that is the custom."""
        if self.dialect.speaks_first and not self.greeted:
            self.greeted = True
            self.outbox.append("OK")

    def hear_silence(self) -> None:
        """Nothing was said for a second: perhaps we are waited for."""
        if self.dialect is UNKNOWN_DIALECT:
            self.dialect = DIALECTS["tournament"]
        self.greet()

    def _set_up(self, value: str) -> None:
        try:
            position = self._position(value)
        except BoardError as error:
            self.notes.append(f"a setup that cannot be played: {error}")
            return
        self._end_unheard()
        self.setup = value
        self._new_game()
        self.position = position

    def _begin(self, prompted: bool) -> None:
        """A prompt begins a game only where nothing else has begun or ended it."""
        if prompted and (self.colour or self.ending):
            return
        if self.ending is not None:
            self._new_game()
        if self.plies:
            return
        self.begun = True
        if not self.dialect.tells_roles:
            self.colour = self.position.mover()
        self._see_end()

    def _hear_move(self, value: str) -> None:
        if self.ending is not None:
            self._answer_after_the_end(value)
            return
        child = child_named(self.position, value)
        if child is None and value in self.names[-2:]:
            return  # some servers repeat our own move to us, ours sometimes the opponent's
        if not self.plies and child is not None:
            self.colour = other(self.position.mover())  # who hears a move first moves second
        if self.colour == self.position.mover():
            self.notes.append(f"{value} comes out of turn and is ignored")
            return
        self.heard_move = True
        self.names.append(value)
        child = child or self._understand(value)
        if child is not None:
            self._advance(child)

    def _understand(self, value: str) -> Pawns | None:
        """The position after an illegal move, as the opponent may see it; else the game is
        over, and claimed where that is possible."""
        found = resynchronise(self.before, self.position, value)
        if found is not None:
            self.notes.append(f"{value} is illegal on our board; {found[1]}")
            return found[0]
        if self.dialect.claims and self.colour:
            self.notes.append(f"{value} is illegal; the game is claimed")
            self.outbox.append(f"win: {self.colour.capitalize()}")
            self._end(self.colour, f"the opponent played {value}, which is illegal")
            return None
        self._end("", f"the opponent played {value}, which is illegal")
        return None

    def _answer_after_the_end(self, value: str) -> None:
        """An opponent who has not noticed that we have won goes on.  So do we, while we can:
        in the tournament's dialect the player who stops answering has lost."""
        here = self.position
        state = here.state & (1 << WHITE_LANDED_AT) - 1  # as if no pawn had landed
        child = child_named(Pawns(here.own, here.enemy, 0, state), value)
        if child is None or self.ending is None or self.ending.winner != self.colour:
            return
        self.position = child
        answers = child.children()
        if answers:
            self.outbox.append(move_name(child, answers[0]))
            self.position = answers[0]

    def _exit(self) -> None:
        if self.playing and self.position.mover() == self.colour:
            self._end("", "the server has ended the game on our turn")  # our time, perhaps
        elif self.playing:
            self._end(self.colour, "the opponent has left the game")
        self.finished = True

    def _end_unheard(self) -> None:
        """Another game begins although no end of this one was heard: the mover has given up
        or run out of time."""
        if self.playing:
            self._end(other(self.position.mover()), "another game begins before this one is over")

    def _end(self, winner: str, reason: str) -> None:
        if self.ending is None and (self.begun or self.heard_move):
            self.ending = GameEnd(winner, reason, self.colour)
            self.endings.append(self.ending)

    def play(self, child: Pawns) -> None:
        self.names.append(move_name(self.position, child))
        self.outbox.append(self.names[-1])
        self.before = self.position
        self._advance(child)

    def _advance(self, child: Pawns) -> None:
        self.position = child
        self.plies += 1
        outcome = self._see_end()
        if outcome is None:
            return
        if outcome.winner == self.colour:
            if self.dialect.claims:
                self.outbox.append(f"win: {self.colour.capitalize()}")
        else:
            self.outbox.append("exit")

    def _see_end(self) -> GameResult | None:
        """How the game has ended, if the board shows it; a setup may do so from the start."""
        outcome = game.outcome(self.position)
        if outcome is not None:
            self._end(outcome.winner, outcome.reason)
        return outcome


def resynchronise(before: Pawns | None, position: Pawns, name: str) -> tuple[Pawns, str] | None:
    """The position after an opponent's move that is illegal on our board, and how it was
    understood; None if it was not.  Some programs do not know en passant, some forget to remove the
    pawn that was taken.  `before` is the position in which we made the last move."""
    if before is None:
        return None
    forgotten = Pawns(before.enemy & ~position.enemy, position.enemy, 0, position.state)
    if child := child_named(forgotten, name):
        return child, "the pawn taken en passant is still on the opponent's board"
    all_rules = Pawns(before.own, before.enemy, 0, before.state & ~NO_EN_PASSANT)
    passed = child_named(all_rules, move_name(before, position))
    if passed and (child := child_named(passed, name)):
        return child, "the opponent takes en passant"
    return None
