"""Games between two players, without sockets: openings, the referee, and the log.

The log is what spectators see as it grows.  A program that knows only `# GAME`, moves and
`RESULT` can skip the rest as comments:

    # GAME 1 WHITE=player-1 BLACK=player-2
    # SETUP Wa2 Wb2 ... Bh7 WHITE
    # VARIANT no-en-passant
    # TIME 5
    1 W e2e4 # 0.12s
    2 B e7e5 # 0.30s
    RESULT WHITE reason=resignation plies=2
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import NamedTuple

from solver.errors import BoardError, UserError
from solver.games.twoflags import game
from solver.games.twoflags.rules import NO_EN_PASSANT, WHITE_LANDED_AT, Pawns, other
from solver.games.twoflags.text import child_named, move_name, parse_setup, setup_text
from solver.play.game import EndedBy, GameResult

MOST_PLIES = 40  # of a random opening: random games are rarely longer
TRIES = 1000


class Reason(StrEnum):
    """Why a game is over, for people."""

    LANDED = "a pawn has landed"
    LAST_PAWN_TAKEN = "the last enemy pawn is taken"
    NO_LEGAL_MOVE = "the opponent has no legal move"
    ILLEGAL_MOVE = "the opponent has made an illegal move"
    OUT_OF_TURN = "the opponent has moved out of turn"
    TIME = "the opponent's time is up"
    RESIGNATION = "the opponent has resigned"
    DISCONNECTION = "the opponent has left"
    SILENCE = "the opponent does not answer"
    FLOOD = "the opponent has sent more than any game needs"
    FALSE_CLAIM = "the opponent has claimed a win that the board does not show"

    @property
    def word(self) -> str:
        """As the log has it: `illegal-move`."""
        return self.name.lower().replace("_", "-")


def find_result(position: Pawns) -> GameResult | None:
    """How the game has ended, if the board shows it."""
    outcome = game.outcome(position)
    if outcome is None:
        return None
    if position.state >> WHITE_LANDED_AT:
        return GameResult(outcome.winner, Reason.LANDED)
    last = not position.own or not position.enemy
    return GameResult(outcome.winner, Reason.LAST_PAWN_TAKEN if last else Reason.NO_LEGAL_MOVE)


class TimedMove(NamedTuple):
    side: str
    name: str
    seconds: float


class Referee:
    """Checks every move and keeps both clocks; `seconds` is None for a game without clocks.  The
    caller says how long a move took."""

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
        """Whether the move stands; if not, the side has lost."""
        if self.result is not None:
            return False
        child = child_named(self.position, name) if side == self.mover else None
        if side == self.mover and self.clocks is not None:
            self.clocks[side] = max(0.0, self.clocks[side] - seconds)
            if not self.clocks[side]:
                self.lose(side, Reason.TIME)
                return False
        if child is None:
            self.refused = f"{side[0].upper()} {name}"
            self.lose(side, Reason.ILLEGAL_MOVE if side == self.mover else Reason.OUT_OF_TURN)
            return False
        self.moves.append(TimedMove(side, move_name(self.position, child), seconds))
        self.position = child
        self.result = find_result(child)
        return True

    def lose(self, side: str, reason: Reason) -> None:
        """The side has lost, unless the game was over before."""
        if self.result is None:
            resigned = reason is Reason.RESIGNATION
            ended_by = EndedBy.RESIGNATION if resigned else EndedBy.FORFEIT
            self.result = GameResult(other(side), reason, ended_by)

    def run_out(self) -> None:
        """The mover has used all its time, or has been silent for too long."""
        if self.clocks is not None:
            self.clocks[self.mover] = 0.0
        self.lose(self.mover, Reason.SILENCE if self.clocks is None else Reason.TIME)

    def claim(self, side: str, winner: str) -> None:
        """A side says who has won.  The board has not shown it, so a claim is false; a side
        that calls the opponent the winner resigns."""
        self.lose(side, Reason.FALSE_CLAIM if winner == side else Reason.RESIGNATION)


# Two games in a row have the same opening, so that each player has both colours.

Openings = Callable[[int], Pawns]
"""The position that game 1, 2, 3, ... begins with, all rules in force."""


def start_opening(number: int) -> Pawns:
    return parse_setup(game.start(), "the start", 0)


def fixed_opening(position: Pawns) -> Openings:
    return lambda number: position


def random_openings(plies: int, seed: int) -> Openings:
    """Positions after this number of random moves; the same for the same seed."""

    def choose(number: int) -> Pawns:
        chance = Random(f"{seed}/{(number - 1) // 2}")
        for _ in range(TRIES):
            position = start_opening(1)
            for _ in range(plies):
                position = chance.choice(position.children() or [position])
            if find_fault(position) is None:
                return position
        raise UserError(f"There is no open game after {plies} random plies. Try fewer.")

    return choose


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
    """What players are told; the side to move only if it is Black: many clients do not know
    the word, and in the course White always began."""
    return setup_text(position).removesuffix(" WHITE")


@dataclass(frozen=True)
class GameRecord:
    """One game; without a result it is still going on, or the server was stopped."""

    number: int
    white: str
    black: str
    start: Pawns
    minutes: float = 0.0  # for each player and the whole game; 0 without clocks
    moves: tuple[TimedMove, ...] = ()
    result: GameResult | None = None
    refused: str = ""  # the move that lost the game because it was not legal
    interrupted: bool = False

    def __str__(self) -> str:
        moves = [move_line(ply, move) for ply, move in enumerate(self.moves, 1)]
        return "\n".join([*head_lines(self), *moves, *end_lines(self)]) + "\n"


def head_lines(record: GameRecord) -> list[str]:
    lines = [
        f"# GAME {record.number} WHITE={record.white} BLACK={record.black}",
        f"# SETUP {setup_text(record.start).removeprefix('Setup ')}",
    ]
    if record.start.state & NO_EN_PASSANT:
        lines.append("# VARIANT no-en-passant")
    return [*lines, f"# TIME {record.minutes:g}"] if record.minutes else lines


def move_line(ply: int, move: TimedMove, clocks: dict[str, float] | None = None) -> str:
    """A move and, as a comment, the seconds it took and those that are left."""
    left = "".join(f" {side} {seconds:.2f}s" for side, seconds in (clocks or {}).items())
    return f"{ply} {move.side[0].upper()} {move.name} # {move.seconds:.2f}s{left}"


def end_lines(record: GameRecord) -> list[str]:
    lines = [f"# REFUSED {record.refused}"] if record.refused else []
    lines += [f"# INTERRUPTED plies={len(record.moves)}"] if record.interrupted else []
    if (result := record.result) is not None:
        end = f"reason={Reason(result.reason).word} plies={len(record.moves)}"
        lines.append(f"RESULT {result.winner.upper()} {end}")
    return lines


def follow_log(position: Pawns | None, line: str) -> Pawns | None:
    """The position after one more line; None if it is unknown, as before the first game or after
    a move that is not legal."""
    words = line.split()
    if words[:2] == ["#", "GAME"]:
        return start_opening(1)
    if position is None:
        return None
    match words:
        case ["#", "SETUP", *pawns]:
            with suppress(BoardError):
                setup = " ".join(["Setup", *pawns])
                return parse_setup(setup, "", position.state & NO_EN_PASSANT)
            return None
        case ["#", "VARIANT", "no-en-passant"]:
            return without_en_passant(position)
        case [ply, ("W" | "B") as letter, name, *_] if ply.isdigit():
            in_turn = position.mover()[0].upper() == letter
            return child_named(position, name.lower()) if in_turn else None
    return position
