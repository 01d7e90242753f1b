"""A game without sockets and clocks: where it begins, what is legal, who has won and why.

The caller says how long a move took, so a test can play every way to lose in a few lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import NamedTuple

from solver.errors import BoardError, Fault, UserError
from solver.games.twoflags import game
from solver.games.twoflags.moves import child_named, move_name
from solver.games.twoflags.rules import NO_EN_PASSANT, WHITE_LANDED_AT, Pawns, other
from solver.games.twoflags.text import (
    BOARD_ADVICE,
    SETUP_ADVICE,
    is_setup,
    parse_board,
    parse_setup,
    setup_text,
)

MOST_PLIES = 40  # of a random opening: random games are rarely longer
TRIES = 1000


class Reason(StrEnum):
    """Why a game is over; the value is the word in the log."""

    LANDED = "landed"
    LAST_PAWN = "last-pawn-taken"
    BLOCKED = "no-legal-move"
    ILLEGAL = "illegal-move"
    OUT_OF_TURN = "out-of-turn"
    TIME = "time"
    RESIGNATION = "resignation"
    DISCONNECTION = "disconnection"
    SILENCE = "silence"
    FLOOD = "flood"
    CLAIM = "claim"
    FALSE_CLAIM = "false-claim"


SHOWN_BY_THE_BOARD = (Reason.LANDED, Reason.LAST_PAWN, Reason.BLOCKED)

IN_WORDS: dict[str, str] = {
    Reason.LANDED: "a pawn has landed",
    Reason.LAST_PAWN: "the last enemy pawn is taken",
    Reason.BLOCKED: "the opponent has no legal move",
    Reason.ILLEGAL: "the opponent has made an illegal move",
    Reason.OUT_OF_TURN: "the opponent has moved out of turn",
    Reason.TIME: "the opponent's time is up",
    Reason.RESIGNATION: "the opponent has resigned",
    Reason.DISCONNECTION: "the opponent has left",
    Reason.SILENCE: "the opponent does not answer",
    Reason.FLOOD: "the opponent has sent more than any game needs",
    Reason.CLAIM: "claimed (no referee)",
    Reason.FALSE_CLAIM: "the opponent has claimed a win that the board does not show",
}


@dataclass(frozen=True)
class GameResult:
    """Who has won, and why; a log by another program may give reasons of its own."""

    winner: str
    reason: str

    def __str__(self) -> str:
        return f"{self.winner} has won: {IN_WORDS.get(self.reason, self.reason)}"


class TimedMove(NamedTuple):
    side: str
    name: str
    seconds: float | None = None


def find_result(position: Pawns) -> GameResult | None:
    """How the game has ended, if the board shows it."""
    outcome = game.outcome(position)
    if outcome is None:
        return None
    if position.state >> WHITE_LANDED_AT:
        return GameResult(outcome.winner, Reason.LANDED)
    if not position.own or not position.enemy:
        return GameResult(outcome.winner, Reason.LAST_PAWN)
    return GameResult(outcome.winner, Reason.BLOCKED)


class Referee:
    """Checks every move and keeps both clocks; `seconds` is None for a game without clocks."""

    def __init__(self, start: Pawns, seconds: float | None = None) -> None:
        self.position = start
        self.moves: list[TimedMove] = []
        self.clocks = None if seconds is None else {"white": seconds, "black": seconds}
        self.result = find_result(start)
        self.refused = ""  # the move that was not legal

    @property
    def mover(self) -> str:
        return self.position.mover()

    def play(self, side: str, name: str, seconds: float) -> bool:
        """Whether the move stands; if it does not, the side has lost."""
        if self.result is not None:
            return False
        if side != self.mover:
            return self._refuse(side, name, Reason.OUT_OF_TURN)
        if not self._pay(side, seconds):
            return False
        child = child_named(self.position, name)
        if child is None:
            return self._refuse(side, name, Reason.ILLEGAL)
        self.moves.append(TimedMove(side, move_name(self.position, child), seconds))
        self.position = child
        self.result = find_result(child)
        return True

    def _pay(self, side: str, seconds: float) -> bool:
        """Whether the side had the time for its move."""
        if self.clocks is None:
            return True
        self.clocks[side] = max(0.0, self.clocks[side] - seconds)
        if self.clocks[side] == 0:
            self.lose(side, Reason.TIME)
        return self.result is None

    def _refuse(self, side: str, name: str, reason: Reason) -> bool:
        self.refused = f"{side[0].upper()} {name}"
        self.lose(side, reason)
        return False

    def lose(self, side: str, reason: str) -> None:
        """The side has lost, unless the game was over before."""
        if self.result is None:
            self.result = GameResult(other(side), reason)

    def run_out(self) -> None:
        """The mover has let all its time pass, or the patience that stands for it."""
        side = self.mover
        if self.clocks is not None:
            self.clocks[side] = 0.0
        self.lose(side, Reason.SILENCE if self.clocks is None else Reason.TIME)

    def claim(self, side: str, winner: str) -> None:
        """A side says who has won.  While the game is on the board has not shown it, so it
        is false; to call the opponent the winner is to resign."""
        self.lose(side, Reason.FALSE_CLAIM if winner == side else Reason.RESIGNATION)


class Relay(Referee):
    """Accepts everything: moves are passed on unchecked and without clocks, and a game goes
    on until a player ends it.  The position stays where the game began."""

    def __init__(self, start: Pawns) -> None:
        super().__init__(start)
        self.result = None

    @property
    def mover(self) -> str:
        return other(self.moves[-1].side) if self.moves else self.position.mover()

    def play(self, side: str, name: str, seconds: float) -> bool:
        if self.result is None:
            self.moves.append(TimedMove(side, name, seconds))
        return self.result is None

    def claim(self, side: str, winner: str) -> None:
        self.lose(other(winner), Reason.CLAIM if winner == side else Reason.RESIGNATION)


# --- openings: two games in a row have the same, so that each player has both colours ------

Openings = Callable[[int], Pawns]
"""The position that game 1, 2, 3, ... begins with, all rules in force."""


def start_opening(number: int) -> Pawns:
    return parse_setup(game.start(), "the start", 0)


def listed_openings(positions: list[Pawns]) -> Openings:
    """These positions in turn, for two games each."""
    return lambda number: positions[(number - 1) // 2 % len(positions)]


def random_openings(plies: int, seed: int) -> Openings:
    """Positions after so many random moves; the same seed, the same positions."""
    return lambda number: _random_position(plies, Random(f"{seed}/{(number - 1) // 2}"))


def _random_position(plies: int, chance: Random) -> Pawns:
    for _ in range(TRIES):
        position = start_opening(1)
        for _ in range(plies):
            position = chance.choice(position.children() or [position])
        if find_fault(position) is None:
            return position
    raise UserError(f"There is no open game after {plies} random plies. Try fewer.")


def parse_openings(text: str, source: str) -> list[Pawns]:
    """The positions of a file: a board, or a `Setup` on each line."""
    if not is_setup(text):
        return [_check_opening(parse_board(text, source, 0), source, BOARD_ADVICE)]
    found = []
    faults: list[Fault] = []
    for line, row in enumerate(text.split("\n"), 1):
        if row.strip():
            try:
                found.append(_check_opening(_parse_row(row), source, SETUP_ADVICE))
            except BoardError as error:
                faults += [Fault(line, fault.column, fault.rule) for fault in error.faults]
    if faults:
        raise BoardError(source, faults, SETUP_ADVICE)
    return found


def _parse_row(row: str) -> Pawns:
    if not is_setup(row):
        raise BoardError("", [Fault(1, 1, "a line that does not begin with 'Setup'")], "")
    return parse_setup(row, "", 0)


def _check_opening(position: Pawns, source: str, advice: str) -> Pawns:
    rule = find_fault(position)
    if rule is not None:
        raise BoardError(source, [Fault(1, 1, rule)], advice)
    return position


def find_fault(position: Pawns) -> str | None:
    """Why no game can begin here."""
    outcome = game.outcome(position)
    if outcome is not None:
        return f"the game is over, {outcome}"
    if position.passed:
        return "a game cannot begin with a capture en passant, which players are not told of"
    return None


def without_en_passant(position: Pawns) -> Pawns:
    return Pawns(position.own, position.enemy, 0, position.state | NO_EN_PASSANT)


def setup_message(position: Pawns) -> str:
    """What players are told; the side to move only if it is not White, as it always was in
    the course: many do not know the word."""
    return setup_text(position).removesuffix(" WHITE")
