"""Games between two players, without sockets: openings, the referee, and the log.

The log is what spectators see as it grows and `solver replay` reads back.  A program that knows
only `# GAME`, moves and `RESULT` can skip the rest as comments:

    # GAME 1 WHITE=player-1 BLACK=player-2
    # SETUP Wa2 Wb2 ... Bh7 WHITE
    # VARIANT no-en-passant
    # TIME 5
    1 W e2e4 # 0.12s
    2 B e7e5 # 0.30s
    RESULT WHITE reason=resignation plies=2
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from typing import NamedTuple

from solver.errors import BoardError, Fault, UserError, counted, shown
from solver.games.twoflags import game
from solver.games.twoflags.rules import NO_EN_PASSANT, WHITE_LANDED_AT, Pawns, other
from solver.games.twoflags.text import (
    BOARD_ADVICE,
    SETUP_ADVICE,
    child_named,
    is_setup,
    move_name,
    parse_board,
    parse_setup,
    setup_text,
)
from solver.play.game import EndedBy, GameResult

MOST_PLIES = 40  # of a random opening: random games are rarely longer
TRIES = 1000


class Reason(StrEnum):
    """Why a game is over: the word in the log, and how people say it."""

    in_words: str

    def __new__(cls, word: str, in_words: str) -> Reason:
        reason = str.__new__(cls, word)
        reason._value_ = word
        reason.in_words = in_words
        return reason

    LANDED = "landed", "a pawn has landed"
    LAST_PAWN = "last-pawn-taken", "the last enemy pawn is taken"
    BLOCKED = "no-legal-move", "the opponent has no legal move"
    ILLEGAL = "illegal-move", "the opponent has made an illegal move"
    OUT_OF_TURN = "out-of-turn", "the opponent has moved out of turn"
    TIME = "time", "the opponent's time is up"
    RESIGNATION = "resignation", "the opponent has resigned"
    DISCONNECTION = "disconnection", "the opponent has left"
    SILENCE = "silence", "the opponent does not answer"
    FLOOD = "flood", "the opponent has sent more than any game needs"
    FALSE_CLAIM = "false-claim", "the opponent has claimed a win that the board does not show"


SHOWN_BY_THE_BOARD = (Reason.LANDED, Reason.LAST_PAWN, Reason.BLOCKED)


def make_result(winner: str, reason: str) -> GameResult:
    """The result with a reason as in a log, which may be one of another program's own."""
    if reason in SHOWN_BY_THE_BOARD:
        return GameResult(winner, reason)
    resigned = reason == Reason.RESIGNATION
    return GameResult(winner, reason, EndedBy.RESIGNATION if resigned else EndedBy.FORFEIT)


def describe_result(result: GameResult) -> str:
    in_words = {str(reason): reason.in_words for reason in Reason}
    return f"{result.winner} has won: {in_words.get(result.reason, result.reason)}"


def find_result(position: Pawns) -> GameResult | None:
    """How the game has ended, if the board shows it."""
    outcome = game.outcome(position)
    if outcome is None:
        return None
    if position.state >> WHITE_LANDED_AT:
        return make_result(outcome.winner, Reason.LANDED)
    last = not position.own or not position.enemy
    return make_result(outcome.winner, Reason.LAST_PAWN if last else Reason.BLOCKED)


# --- the referee ---------------------------------------------------------------------------


class TimedMove(NamedTuple):
    side: str
    name: str
    seconds: float | None = None


class Referee:
    """Checks every move and keeps both clocks; `seconds` is None for a game without clocks.

    The caller says how long a move took.
    """

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
            self.lose(side, Reason.ILLEGAL if side == self.mover else Reason.OUT_OF_TURN)
            return False
        self.moves.append(TimedMove(side, move_name(self.position, child), seconds))
        self.position = child
        self.result = find_result(child)
        return True

    def lose(self, side: str, reason: str) -> None:
        """The side has lost, unless the game was over before."""
        if self.result is None:
            self.result = make_result(other(side), reason)

    def run_out(self) -> None:
        """The mover has used all its time, or has been silent for too long."""
        if self.clocks is not None:
            self.clocks[self.mover] = 0.0
        self.lose(self.mover, Reason.SILENCE if self.clocks is None else Reason.TIME)

    def claim(self, side: str, winner: str) -> None:
        """A side says who has won.  The board has not shown it, so a claim is false; a side
        that calls the opponent the winner resigns."""
        self.lose(side, Reason.FALSE_CLAIM if winner == side else Reason.RESIGNATION)


# --- openings: two games in a row have the same, so that each player has both colours ------

Openings = Callable[[int], Pawns]
"""The position that game 1, 2, 3, ... begins with, all rules in force."""


def start_opening(number: int) -> Pawns:
    return parse_setup(game.start(), "the start", 0)


def listed_openings(positions: list[Pawns]) -> Openings:
    """These positions in turn, for two games each."""
    return lambda number: positions[(number - 1) // 2 % len(positions)]


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


def parse_openings(text: str, source: str) -> list[Pawns]:
    """The positions of a file: a board, or a `Setup` on each line."""
    setups = is_setup(text)
    found = []
    faults: list[Fault] = []
    for line, row in enumerate(text.split("\n") if setups else [text], 1):
        if setups and not row.strip():
            continue
        if setups and not is_setup(row):
            faults.append(Fault(line, 1, "a line that does not begin with 'Setup'"))
            continue
        try:
            position = parse_setup(row, "", 0) if setups else parse_board(row, source, 0)
        except BoardError as error:
            for fault in error.faults:
                faults.append(Fault(line - 1 + fault.line, fault.column, fault.rule))
            continue
        found.append(position)
        if (rule := find_fault(position)) is not None:
            faults.append(Fault(line, 1, rule))
    if faults:
        raise BoardError(source, faults, SETUP_ADVICE if setups else BOARD_ADVICE)
    return found


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


# --- the log -------------------------------------------------------------------------------

PATTERNS = {
    "game": re.compile(r"# GAME (?P<number>\d{1,9}) WHITE=(?P<white>\S+) BLACK=(?P<black>\S+)"),
    "setup": re.compile(r"# SETUP (?P<setup>.+)"),
    "variant": re.compile(r"# VARIANT (?P<variant>\S+)"),
    "time": re.compile(r"# TIME (?P<minutes>\d{1,9}(?:\.\d{1,9})?)"),
    "move": re.compile(
        r"(?P<ply>\d{1,9}) (?P<letter>[WB]) (?P<name>\S+)(?: # (?P<seconds>\d{1,9}\.\d{1,9})s.*)?"
    ),
    "result": re.compile(
        r"RESULT (?P<winner>WHITE|BLACK)(?: reason=(?P<reason>\S+))?(?: plies=(?P<plies>\d{1,9}))?"
    ),
}
LOG_ADVICE = (
    "A log has '# GAME 1 WHITE=name BLACK=name', moves like '1 W e2e4', and "
    "'RESULT WHITE reason=landed plies=45'."
)


@dataclass(frozen=True)
class GameRecord:
    """One game; without a result it was not finished, or is still going on."""

    number: int
    white: str
    black: str
    start: Pawns
    minutes: float = 0.0  # for each player and the whole game; 0 without clocks
    moves: tuple[TimedMove, ...] = ()
    result: GameResult | None = None
    refused: str = ""  # the move that lost the game because it was not legal

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
    line = f"{ply} {move.side[0].upper()} {move.name}"
    left = "".join(f" {side} {seconds:.2f}s" for side, seconds in (clocks or {}).items())
    return line if move.seconds is None else f"{line} # {move.seconds:.2f}s{left}"


def end_lines(record: GameRecord) -> list[str]:
    lines = [f"# REFUSED {record.refused}"] if record.refused else []
    if (result := record.result) is not None:
        end = f"reason={result.reason} plies={len(record.moves)}"
        lines.append(f"RESULT {result.winner.upper()} {end}")
    return lines


def parse_records(text: str, source: str) -> list[GameRecord]:
    """Every game of a log; raises `BoardError` with all faults, illegal moves included."""
    reader = LogReader()
    for number, row in enumerate(text.split("\n"), 1):
        reader.read(number, row.rstrip())
    reader.finish()
    if not reader.records and not reader.faults:
        reader.faults.append(Fault(1, 1, "no game in this log"))
    if reader.faults:
        raise BoardError(source, reader.faults, LOG_ADVICE)
    return reader.records


def follow_moves(record: GameRecord) -> Iterator[tuple[TimedMove, Pawns]]:
    """Every move with the position after it."""
    position = record.start
    for move in record.moves:
        child = child_named(position, move.name)
        assert child is not None  # `parse_records` lets no other move pass
        position = child
        yield move, position


class LogReader:
    """The games read so far, the one that is open, and the faults of all of them."""

    def __init__(self) -> None:
        self.records: list[GameRecord] = []
        self.faults: list[Fault] = []
        self.open: GameRecord | None = None
        self.moves: list[TimedMove] = []  # of the open game
        self.position: Pawns | None = None  # None after an illegal move
        self.line = 0

    def read(self, line: int, row: str) -> None:
        self.line = line
        for kind, pattern in PATTERNS.items():
            match = pattern.fullmatch(row)
            if match is not None:
                self._take(kind, match)
                return
        if row and not row.startswith("#"):
            self.fault(f"{shown(row)} is neither a move like '1 W e2e4' nor a RESULT")

    def fault(self, rule: str, column: int = 1) -> None:
        self.faults.append(Fault(self.line, column, rule))

    def finish(self) -> None:
        """Close the open game, which may have no result."""
        if self.open is not None:
            self.records.append(replace(self.open, moves=tuple(self.moves)))
        self.open = None
        self.moves = []

    def _take(self, kind: str, match: re.Match[str]) -> None:
        if kind == "game":
            self.finish()
            self.position = start_opening(1)
            names = match["white"], match["black"]
            self.open = GameRecord(int(match["number"]), *names, self.position)
        elif self.open is None:
            self.fault(f"a {kind} outside of a game")
        elif kind == "time":
            self.open = replace(self.open, minutes=float(match["minutes"]))
        elif kind == "move":
            self._move(match)
        elif kind == "result":
            self._result(self.open, match)
        elif self.moves:
            self.fault(f"a {kind} after the first move")
        else:
            self._start(self.open, kind, match)

    def _start(self, record: GameRecord, kind: str, match: re.Match[str]) -> None:
        """A setup or a variant."""
        position = record.start
        try:
            if kind == "setup":
                position = parse_setup(
                    f"Setup {match['setup']}", "", position.state & NO_EN_PASSANT
                )
            elif match["variant"] == "no-en-passant":
                position = without_en_passant(position)
            else:
                self.fault(f"there is no variant {shown(match['variant'])}")
        except BoardError as error:
            for fault in error.faults:
                self.fault(fault.rule, fault.column + len("# "))
        self.position = position
        self.open = replace(record, start=position)

    def _move(self, match: re.Match[str]) -> None:
        """Some programs count plies and some count moves of both sides."""
        side = "white" if match["letter"] == "W" else "black"
        seconds = None if match["seconds"] is None else float(match["seconds"])
        move = TimedMove(side, match["name"].lower(), seconds)
        self.moves.append(move)
        ply, column = len(self.moves), match.start("letter") + 1
        if int(match["ply"]) not in (ply, (ply + 1) // 2):
            self.fault(f"move {match['ply']}, but it is ply {ply} of the game")
        here, self.position = self.position, None
        if here is None:
            return
        if here.mover() != side:
            self.fault(f"{side} moves, but it is {here.mover()}'s turn", column)
            return
        self.position = child_named(here, move.name)
        if self.position is None:
            over = find_result(here)
            end = f"after the end of the game: {describe_result(over)}" if over else "is not legal"
            self.fault(f"{shown(move.name)} {end}", column + 2)

    def _result(self, record: GameRecord, match: re.Match[str]) -> None:
        result = make_result(match["winner"].lower(), match["reason"] or "unknown")
        plies = match["plies"]
        if plies is not None and int(plies) != len(self.moves):
            self.fault(f"plies={plies}, but the game has {counted(len(self.moves), 'move')}")
        if result.reason in SHOWN_BY_THE_BOARD and self.position is not None:
            seen = find_result(self.position)
            if result != seen:
                on_board = describe_result(seen) if seen else "the game is not over"
                self.fault(f"the log says {describe_result(result)}; the board: {on_board}")
        self.open = replace(record, result=result)
        self.finish()
