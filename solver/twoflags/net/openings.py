"""Where games begin: at the start, in positions from a file, or after random moves.

Two games in a row have the same opening, so that each player has it with both colours.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from solver.errors import BoardError, Fault, UserError
from solver.twoflags import game
from solver.twoflags.rules import NO_EN_PASSANT, Pawns
from solver.twoflags.text import (
    BOARD_ADVICE,
    SETUP_ADVICE,
    is_setup,
    parse_board,
    parse_setup,
    setup_text,
)

MOST_PLIES = 40  # random games are rarely longer
TRIES = 1000

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
        if fault_of(position) is None:
            return position
    raise UserError(f"There is no open game after {plies} random plies. Try fewer.")


def parse_openings(text: str, source: str) -> list[Pawns]:
    """The positions of a file: a board, or a `Setup` on each line."""
    if not is_setup(text):
        return [_checked(parse_board(text, source, 0), source, BOARD_ADVICE)]
    found = []
    faults: list[Fault] = []
    for line, row in enumerate(text.split("\n"), 1):
        if row.strip():
            try:
                found.append(_checked(_parse_row(row), source, SETUP_ADVICE))
            except BoardError as error:
                faults += [Fault(line, fault.column, fault.rule) for fault in error.faults]
    if faults:
        raise BoardError(source, faults, SETUP_ADVICE)
    return found


def _parse_row(row: str) -> Pawns:
    if not is_setup(row):
        raise BoardError("", [Fault(1, 1, "a line that does not begin with 'Setup'")], "")
    return parse_setup(row, "", 0)


def _checked(position: Pawns, source: str, advice: str) -> Pawns:
    rule = fault_of(position)
    if rule is not None:
        raise BoardError(source, [Fault(1, 1, rule)], advice)
    return position


def fault_of(position: Pawns) -> str | None:
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
