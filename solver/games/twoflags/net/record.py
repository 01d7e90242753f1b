"""The log of a game, which spectators see as it grows and `solver replay` reads back:

    # GAME 1 WHITE=player-1 BLACK=player-2
    # SETUP Wa2 Wb2 ... Bh7 WHITE
    # VARIANT no-en-passant
    # TIME 5
    1 W e2e4 # 0.12s
    2 B e7e5 # 0.30s
    RESULT WHITE reason=resignation plies=2

A program that knows only `# GAME`, moves and `RESULT` can skip the rest as comments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from solver.errors import BoardError, Fault, counted
from solver.games.twoflags.moves import child_named
from solver.games.twoflags.net.referee import (
    SHOWN_BY_THE_BOARD,
    GameResult,
    TimedMove,
    find_result,
    start_opening,
    without_en_passant,
)
from solver.games.twoflags.rules import NO_EN_PASSANT, Pawns
from solver.games.twoflags.text import parse_setup, setup_text, shown

LETTERS = {"white": "W", "black": "B"}
SIDES = {letter: side for side, letter in LETTERS.items()}
ADVICE = (
    "A log has '# GAME 1 WHITE=name BLACK=name', moves like '1 W e2e4', and "
    "'RESULT WHITE reason=landed plies=45'."
)
GAME = re.compile(r"# GAME (\d{1,9}) WHITE=(\S+) BLACK=(\S+)")
SETUP = re.compile(r"# SETUP (.+)")
VARIANT = re.compile(r"# VARIANT (\S+)")
TIME = re.compile(r"# TIME (\d{1,9}(?:\.\d{1,9})?)")
MOVE = re.compile(r"(\d{1,9}) ([WB]) (\S+)(?: *# *(\d{1,9}\.\d{1,9})s.*)?")
RESULT = re.compile(r"RESULT (WHITE|BLACK)(?: reason=(\S+))?(?: plies=(\d{1,9}))?")


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
    if record.minutes:
        lines.append(f"# TIME {record.minutes:g}")
    return lines


def move_line(ply: int, move: TimedMove, clocks: dict[str, float] | None = None) -> str:
    """A move and, as a comment, the seconds it took and those that are left."""
    line = f"{ply} {LETTERS[move.side]} {move.name}"
    if move.seconds is not None:
        line += f" # {move.seconds:.2f}s"
    if clocks is not None:
        line += "".join(f" {side} {left:.2f}s" for side, left in clocks.items())
    return line


def end_lines(record: GameRecord) -> list[str]:
    lines = [f"# REFUSED {record.refused}"] if record.refused else []
    if record.result is not None:
        winner, reason = record.result.winner.upper(), record.result.reason
        lines.append(f"RESULT {winner} reason={reason} plies={len(record.moves)}")
    return lines


# --- reading back --------------------------------------------------------------------------


def parse_records(text: str, source: str) -> list[GameRecord]:
    """Every game of a log; raises `BoardError` with all faults, illegal moves included."""
    reader = LogReader()
    for number, row in enumerate(text.split("\n"), 1):
        reader.read(number, row.rstrip())
    reader.finish()
    if not reader.records and not reader.faults:
        reader.faults.append(Fault(1, 1, "no game in this log"))
    if reader.faults:
        raise BoardError(source, reader.faults, ADVICE)
    return reader.records


def follow_moves(record: GameRecord) -> Iterator[tuple[TimedMove, Pawns]]:
    """Every move with the position after it, as far as the moves are legal."""
    position = record.start
    for move in record.moves:
        child = child_named(position, move.name) if position.mover() == move.side else None
        if child is None:
            return
        position = child
        yield move, position


class LogReader:
    """The games read so far, the one that is open, and the faults of all of them."""

    def __init__(self) -> None:
        self.records: list[GameRecord] = []
        self.faults: list[Fault] = []
        self.open: GameRecord | None = None
        self.moves: list[TimedMove] = []  # of the open game
        self.position: Pawns | None = None  # None after an illegal move: nothing can be said
        self.line = 0

    def read(self, line: int, row: str) -> None:
        self.line = line
        for pattern, reader in READERS:
            match = pattern.fullmatch(row)
            if match is not None:
                reader(self, match)
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

    def begin(self, match: re.Match[str]) -> None:
        self.finish()
        self.position = start_opening(1)
        self.open = GameRecord(int(match[1]), match[2], match[3], self.position)

    def open_game(self, what: str) -> GameRecord | None:
        """The game that a line belongs to; such a line outside of a game is a fault."""
        if self.open is None:
            self.fault(f"{what} outside of a game")
        return self.open

    def restart(self, what: str, position: Pawns) -> None:
        game = self.open_game(what)
        if game is not None and self.moves:
            self.fault(f"{what} after the first move")
        elif game is not None:
            self.position = position
            self.open = replace(game, start=position)

    def read_setup(self, match: re.Match[str]) -> None:
        state = NO_EN_PASSANT if self.open and self.open.start.state & NO_EN_PASSANT else 0
        try:
            self.restart("a setup", parse_setup(f"Setup {match[1]}", "", state))
        except BoardError as error:
            for fault in error.faults:
                self.fault(fault.rule, fault.column + len("# "))

    def read_variant(self, match: re.Match[str]) -> None:
        if match[1] != "no-en-passant":
            self.fault(f"there is no variant {shown(match[1])}")
        elif self.open is not None:
            self.restart("a variant", without_en_passant(self.open.start))

    def read_time(self, match: re.Match[str]) -> None:
        game = self.open_game("a time")
        if game is not None:
            self.open = replace(game, minutes=float(match[1]))

    def read_move(self, match: re.Match[str]) -> None:
        game = self.open_game("a move")
        if game is None:
            return
        seconds = None if match[4] is None else float(match[4])
        move = TimedMove(SIDES[match[2]], match[3].lower(), seconds)
        self.moves.append(move)
        self._check_number(int(match[1]), len(self.moves))
        if self.position is not None:
            self._follow(self.position, move, match.start(2) + 1)

    def _check_number(self, number: int, ply: int) -> None:
        """Some count plies and some count moves of both sides."""
        if number not in (ply, (ply + 1) // 2):
            self.fault(f"move {number}, but it is ply {ply} of the game")

    def _follow(self, position: Pawns, move: TimedMove, column: int) -> None:
        self.position = None
        if position.mover() != move.side:
            self.fault(f"{move.side} moves, but it is {position.mover()}'s turn", column)
            return
        self.position = child_named(position, move.name)
        if self.position is None:
            over = find_result(position)
            why = "is not legal" if over is None else f"after the end of the game: {over}"
            self.fault(f"{shown(move.name)} {why}", column + 2)

    def read_result(self, match: re.Match[str]) -> None:
        game = self.open_game("a result")
        if game is None:
            return
        result = GameResult(match[1].lower(), match[2] or "unknown")
        if match[3] is not None and int(match[3]) != len(self.moves):
            self.fault(f"plies={match[3]}, but the game has {counted(len(self.moves), 'move')}")
        if result.reason in SHOWN_BY_THE_BOARD and self.position is not None:
            self._check_result(result, find_result(self.position))
        self.open = replace(game, result=result)
        self.finish()

    def _check_result(self, told: GameResult, seen: GameResult | None) -> None:
        if told != seen:
            self.fault(f"the log says {told}; the board: {seen or 'the game is not over'}")


READERS: tuple[tuple[re.Pattern[str], Callable[[LogReader, re.Match[str]], None]], ...] = (
    (GAME, LogReader.begin),
    (SETUP, LogReader.read_setup),
    (VARIANT, LogReader.read_variant),
    (TIME, LogReader.read_time),
    (MOVE, LogReader.read_move),
    (RESULT, LogReader.read_result),
)
