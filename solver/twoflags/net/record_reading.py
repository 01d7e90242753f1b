"""Reads logs of games back, with every fault by its line, and follows their moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from solver.errors import BoardError, Fault, counted
from solver.twoflags import game
from solver.twoflags.moves import child_named
from solver.twoflags.net.record import Record
from solver.twoflags.net.referee import SHOWN_BY_THE_BOARD, Move, Result, shown_result
from solver.twoflags.rules import NO_EN_PASSANT, Pawns
from solver.twoflags.text import parse_setup, shown

ADVICE = (
    "A log has '# GAME 1 WHITE=name BLACK=name', moves like '1 W e2e4', and "
    "'RESULT WHITE reason=landed plies=45'."
)
SIDES = {"W": "white", "B": "black"}
GAME = re.compile(r"# GAME (\d{1,9}) WHITE=(\S+) BLACK=(\S+)")
SETUP = re.compile(r"# SETUP (.+)")
VARIANT = re.compile(r"# VARIANT (\S+)")
TIME = re.compile(r"# TIME (\d{1,9}(?:\.\d{1,9})?)")
MOVE = re.compile(r"(\d{1,9}) ([WB]) (\S+)(?: *# *(\d{1,9}\.\d{1,9})s.*)?")
RESULT = re.compile(r"RESULT (WHITE|BLACK)(?: reason=(\S+))?(?: plies=(\d{1,9}))?")


def parse_records(text: str, source: str) -> list[Record]:
    """Every game of a log; raises `BoardError` with all faults, illegal moves included."""
    reading = Reading()
    for number, row in enumerate(text.split("\n"), 1):
        reading.read(number, row.rstrip())
    reading.finish()
    if not reading.records and not reading.faults:
        reading.faults.append(Fault(1, 1, "no game in this log"))
    if reading.faults:
        raise BoardError(source, reading.faults, ADVICE)
    return reading.records


def positions(record: Record) -> Iterator[tuple[Move, Pawns]]:
    """Every move with the position after it, as far as the moves are legal."""
    position = record.start
    for move in record.moves:
        child = child_named(position, move.name) if position.mover() == move.side else None
        if child is None:
            return
        position = child
        yield move, position


class Reading:
    """The games read so far, the one that is open, and the faults of all of them."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.faults: list[Fault] = []
        self.open: Record | None = None
        self.moves: list[Move] = []  # of the open game
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
        self.position = parse_setup(game.start(), "the start", 0)
        self.open = Record(int(match[1]), match[2], match[3], self.position)

    def open_game(self, what: str) -> Record | None:
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
            here = self.open.start
            without = Pawns(here.own, here.enemy, 0, here.state | NO_EN_PASSANT)
            self.restart("a variant", without)

    def read_time(self, match: re.Match[str]) -> None:
        game = self.open_game("a time")
        if game is not None:
            self.open = replace(game, minutes=float(match[1]))

    def read_move(self, match: re.Match[str]) -> None:
        game = self.open_game("a move")
        if game is None:
            return
        seconds = None if match[4] is None else float(match[4])
        move = Move(SIDES[match[2]], match[3].lower(), seconds)
        self.moves.append(move)
        self._check_number(int(match[1]), len(self.moves))
        if self.position is not None:
            self._follow(self.position, move, match.start(2) + 1)

    def _check_number(self, number: int, ply: int) -> None:
        """Some count plies and some count moves of both sides."""
        if number not in (ply, (ply + 1) // 2):
            self.fault(f"move {number}, but it is ply {ply} of the game")

    def _follow(self, position: Pawns, move: Move, column: int) -> None:
        self.position = None
        if position.mover() != move.side:
            self.fault(f"{move.side} moves, but it is {position.mover()}'s turn", column)
            return
        self.position = child_named(position, move.name)
        if self.position is None:
            over = shown_result(position)
            why = "is not legal" if over is None else f"after the end of the game: {over}"
            self.fault(f"{shown(move.name)} {why}", column + 2)

    def read_result(self, match: re.Match[str]) -> None:
        game = self.open_game("a result")
        if game is None:
            return
        result = Result(match[1].lower(), match[2] or "unknown")
        if match[3] is not None and int(match[3]) != len(self.moves):
            self.fault(f"plies={match[3]}, but the game has {counted(len(self.moves), 'move')}")
        if result.reason in SHOWN_BY_THE_BOARD and self.position is not None:
            self._check_result(result, shown_result(self.position))
        self.open = replace(game, result=result)
        self.finish()

    def _check_result(self, told: Result, seen: Result | None) -> None:
        if told != seen:
            self.fault(f"the log says {told}; the board: {seen or 'the game is not over'}")


READERS: tuple[tuple[re.Pattern[str], Callable[[Reading, re.Match[str]], None]], ...] = (
    (GAME, Reading.begin),
    (SETUP, Reading.read_setup),
    (VARIANT, Reading.read_variant),
    (TIME, Reading.read_time),
    (MOVE, Reading.read_move),
    (RESULT, Reading.read_result),
)
