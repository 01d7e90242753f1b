"""What a client understands of what it hears: the dialect, the game, whose turn it is.

Pure: messages go in, answers come out in `outbox`.  Agents and people use the same one.
"""

from __future__ import annotations

from solver.errors import BoardError
from solver.play.game import GameResult
from solver.twoflags import game
from solver.twoflags.moves import child_named, move_name
from solver.twoflags.net import protocol as wire
from solver.twoflags.net.ending import Ending
from solver.twoflags.net.protocol import DIALECTS, TELLTALES, Dialect
from solver.twoflags.net.resync import resynchronised, taken_at_its_word
from solver.twoflags.rules import NO_EN_PASSANT, WHITE_LANDED_AT, Pawns, other
from solver.twoflags.text import parse_setup


class Conversation:
    """One connection from its first word to its last, with any number of games."""

    def __init__(self, dialect: str = "auto", variant: str | None = None) -> None:
        self.dialect: Dialect | None = DIALECTS.get(dialect)
        self.certain = self.dialect is not None
        self.wanted_variant = variant
        self.outbox: list[str] = []
        self.notes: list[str] = []
        self.minutes: float | None = None
        self.setup = game.start()
        self.greeted = False
        self.finished = False
        self.endings: list[Ending] = []  # of all games so far
        self._new_game()

    def _new_game(self) -> None:
        self.position = self._position(self.setup)
        self.before: Pawns | None = None  # where our last move was made
        self.colour = ""
        self.begun = False
        self.heard_move = False
        self.plies = 0
        self.ending: Ending | None = None

    # --- state ---------------------------------------------------------------------------

    @property
    def our_turn(self) -> bool:
        """Whether we are to move now."""
        if self.ending is not None or self.finished or self.position.mover() != self.colour:
            return False
        return self.begun or self.heard_move

    @property
    def playing(self) -> bool:
        return bool(self.colour) and self.ending is None and (self.begun or self.heard_move)

    def variant(self) -> str:
        if self.wanted_variant is not None:
            return self.wanted_variant
        return "" if self.dialect is None else self.dialect.variant

    def _position(self, setup: str) -> Pawns:
        return parse_setup(setup, "server", NO_EN_PASSANT if self.variant() else 0)

    # --- hearing -------------------------------------------------------------------------

    def hear(self, message: wire.Message) -> None:
        """Take in one message and answer it."""
        self._recognise(message)
        handler = HANDLERS.get(message.kind)
        if handler is not None:
            handler(self, message.value)
        elif message.kind in (wire.UNKNOWN, wire.COMPLAINT):
            self.notes.append(f"the server says: {message.value}")
        answered = DIALECTS["course"].answered | {wire.NUMBER}
        if self.dialect is not None:
            answered = self.dialect.answered
        if message.kind in answered and not message.value.startswith("welcome"):
            self.outbox.append("OK")

    def _recognise(self, message: wire.Message) -> None:
        if self.certain:
            return
        dialect = TELLTALES.get(message.kind, self.dialect)
        if dialect is not self.dialect:
            self.dialect = dialect
            if not self.plies:
                self.position = self._position(self.setup)

    def greet(self) -> None:
        """Speak first, where that is the custom."""
        if self.dialect is not None and self.dialect.speaks_first and not self.greeted:
            self.greeted = True
            self.outbox.append("OK")

    def hear_silence(self) -> None:
        """Nothing was said for a second: perhaps we are waited for."""
        if self.dialect is None:
            self.dialect = DIALECTS["tournament"]
        self.greet()

    def _setup(self, value: str) -> None:
        try:
            position = self._position(value)
        except BoardError as error:
            self.notes.append(f"a setup that cannot be played: {error}")
            return
        self._end_unheard()
        self.setup = value
        self._new_game()
        self.position = position

    def _time(self, value: str) -> None:
        if self.ending is not None:
            self._new_game()
        self.minutes = float(value)

    def _begin(self, value: str) -> None:
        if self.ending is not None:
            self._new_game()
        if self.plies:
            return
        self.begun = True
        if self.dialect is None or not self.dialect.tells_roles:
            self.colour = self.position.mover()
        self._see_end()

    def _role(self, value: str) -> None:
        if not self.plies:
            self.colour = value

    def _move(self, value: str) -> None:
        if self.ending is not None:
            self._answer_after_the_end(value)
            return
        if self.before is not None and self._is_echo(value):
            return
        if not self.plies and child_named(self.position, value) is not None:
            self.colour = other(self.position.mover())  # whoever hears a move first moves second
        if self.colour == self.position.mover():
            self.notes.append(f"{value} comes out of turn and is ignored")
            return
        self.heard_move = True
        self._opponent_moves(value)

    def _is_echo(self, value: str) -> bool:
        """Some servers repeat our own move to us."""
        assert self.before is not None
        return (
            child_named(self.position, value) is None
            and child_named(self.before, value) == self.position
        )

    def _opponent_moves(self, value: str) -> None:
        child = child_named(self.position, value)
        if child is None:
            found = resynchronised(self.before, self.position, value)
            if found is not None:
                child, how = found
                self.notes.append(f"{value} is illegal on our board; {how}")
        if child is None:
            child = self._illegal(value)
        if child is not None:
            self._advance(child)

    def _illegal(self, value: str) -> Pawns | None:
        """Claim the game where that is possible, else play on as if the move were allowed."""
        if self.dialect is not None and self.dialect.claims and self.colour:
            self.notes.append(f"{value} is illegal; the game is claimed")
            self.outbox.append(f"win: {self.colour.capitalize()}")
            self._end(self.colour, f"the opponent played {value}, which is illegal")
            return None
        child = taken_at_its_word(self.position, value)
        self.notes.append(
            f"{value} is illegal" + ("" if child is None else "; taken at its word, nobody checks")
        )
        if child is None:
            self._end("", f"the opponent played {value}, which cannot be understood")
        return child

    def _answer_after_the_end(self, value: str) -> None:
        """An opponent who has not noticed that we have won goes on: so do we, while we can,
        because whoever stops answering has lost in the tournament's dialect."""
        going_on = Pawns(
            self.position.own,
            self.position.enemy,
            0,
            self.position.state & (1 << WHITE_LANDED_AT) - 1,
        )
        child = child_named(going_on, value)
        if child is None or self.ending is None or self.ending.winner != self.colour:
            return
        self.position = child
        answers = child.children()
        if answers:
            self.outbox.append(move_name(child, answers[0]))
            self.position = answers[0]

    def _win(self, value: str) -> None:
        self._end(self.colour, "the server says so")

    def _lose(self, value: str) -> None:
        self._end(other(self.colour) if self.colour else "", "the server says so")

    def _winner(self, value: str) -> None:
        self._end(value, "the server says so")

    def _exit(self, value: str) -> None:
        if self.playing and self.position.mover() == self.colour:
            self._end("", "the server has ended the game on our turn")  # our time, perhaps
        elif self.playing:
            self._end(self.colour, "the opponent has left the game")
        self.finished = True

    def _reset(self, value: str) -> None:
        self._end_unheard()
        self._new_game()
        self.outbox.append("Ready")

    def _end_unheard(self) -> None:
        """Another game begins and nobody has said how this one ended: whoever was to move has
        given up or run out of time."""
        if self.playing:
            self._end(other(self.position.mover()), "another game begins before this one is over")

    def _end(self, winner: str, reason: str) -> None:
        if self.ending is None and (self.begun or self.heard_move):
            self.ending = Ending(winner, reason, self.colour)
            self.endings.append(self.ending)

    # --- playing -------------------------------------------------------------------------

    def play(self, child: Pawns) -> None:
        """Make our move."""
        self.outbox.append(move_name(self.position, child))
        self.before = self.position
        self._advance(child)

    def resign(self) -> None:
        self.outbox.append("exit")
        self._end(other(self.colour) if self.colour else "", "resignation")
        self.finished = True

    def _advance(self, child: Pawns) -> None:
        self.position = child
        self.plies += 1
        outcome = self._see_end()
        if outcome is None:
            return
        if outcome.winner == self.colour:
            if self.dialect is not None and self.dialect.claims:
                self.outbox.append(f"win: {self.colour.capitalize()}")
        else:
            self.outbox.append("exit")

    def _see_end(self) -> GameResult | None:
        """How the game has ended, if the board shows it; a setup may do so from the start."""
        outcome = game.outcome(self.position)
        if outcome is not None:
            self._end(outcome.winner, outcome.reason)
        return outcome


HANDLERS = {
    wire.SETUP: Conversation._setup,
    wire.TIME: Conversation._time,
    wire.NUMBER: Conversation._time,
    wire.BEGIN: Conversation._begin,
    wire.ROLE: Conversation._role,
    wire.COLOUR: Conversation._role,
    wire.MOVE: Conversation._move,
    wire.WON: Conversation._win,
    wire.LOST: Conversation._lose,
    wire.WINNER: Conversation._winner,
    wire.GAME_OVER: Conversation._winner,
    wire.EXIT: Conversation._exit,
    wire.RESET: Conversation._reset,
}
