"""Other programs that know checkers, where they are installed: how fast they count moves.

They come from elsewhere, so that none of them is needed, and each is looked for by its name.
The name of the package and not of its module: many a program for checkers is called `checkers`.
"""

from __future__ import annotations

import time
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

DEPTH = 4  # from the start: before any double jump, which one of them counts as two moves
LEAVES = 1469


def pydraughts() -> int:
    board = import_module("draughts").Board(variant="english", fen="startpos")

    def count(depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in board.legal_moves():
            board.push(move)
            total += count(depth - 1)
            board.pop()
        return total

    return count(DEPTH)


def imparaai_checkers() -> int:
    def count(board: Any, depth: int) -> int:
        if depth == 0:
            return 1
        moves = board.get_possible_moves()
        return sum(count(board.create_new_board_from_move(move), depth - 1) for move in moves)

    return count(import_module("checkers.game").Game().board, DEPTH)


# The packages, and the work.
PEERS: dict[str, Callable[[], int]] = {
    "pydraughts": pydraughts,
    "imparaai-checkers": imparaai_checkers,
}


def installed() -> list[str]:
    return [name for name in PEERS if _is_installed(name)]


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def measure(name: str) -> dict[str, tuple[int, float]]:
    """Its leaves of perft, and the seconds that they take once."""
    work = PEERS[name]
    started = time.process_time()
    count = work()
    seconds = time.process_time() - started
    if count != LEAVES:
        raise ValueError(f"{name} counts {count} leaves and not {LEAVES}: its rules are others")
    return {"perft": (count, seconds)}
