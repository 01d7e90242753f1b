"""The log of a game, which spectators see as it grows and `solver replay` reads back.

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

from dataclasses import dataclass

from solver.twoflags.net.referee import Move, Result
from solver.twoflags.rules import NO_EN_PASSANT, Pawns
from solver.twoflags.text import setup_text

LETTERS = {"white": "W", "black": "B"}


@dataclass(frozen=True)
class Record:
    """One game; without a result it was not finished, or is still going on."""

    number: int
    white: str
    black: str
    start: Pawns
    minutes: float = 0.0  # for each player and the whole game; 0 without clocks
    moves: tuple[Move, ...] = ()
    result: Result | None = None
    refused: str = ""  # the move that lost the game because it was not legal

    def __str__(self) -> str:
        moves = [move_line(ply, move) for ply, move in enumerate(self.moves, 1)]
        return "\n".join([*head_lines(self), *moves, *end_lines(self)]) + "\n"


def head_lines(record: Record) -> list[str]:
    lines = [
        f"# GAME {record.number} WHITE={record.white} BLACK={record.black}",
        f"# SETUP {setup_text(record.start).removeprefix('Setup ')}",
    ]
    if record.start.state & NO_EN_PASSANT:
        lines.append("# VARIANT no-en-passant")
    if record.minutes:
        lines.append(f"# TIME {record.minutes:g}")
    return lines


def move_line(ply: int, move: Move, clocks: dict[str, float] | None = None) -> str:
    """A move and, as a comment, the seconds it took and those that are left."""
    line = f"{ply} {LETTERS[move.side]} {move.name}"
    if move.seconds is not None:
        line += f" # {move.seconds:.2f}s"
    if clocks is not None:
        line += "".join(f" {side} {left:.2f}s" for side, left in clocks.items())
    return line


def end_lines(record: Record) -> list[str]:
    lines = [f"# REFUSED {record.refused}"] if record.refused else []
    if record.result is not None:
        winner, reason = record.result.winner.upper(), record.result.reason
        lines.append(f"RESULT {winner} reason={reason} plies={len(record.moves)}")
    return lines
