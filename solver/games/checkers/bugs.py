"""Checkers with one bug: plain rules on the written board, and a switch for each bug."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from solver.games.bugs import PlainRules, read_bugs

BUGS = read_bugs(Path(__file__).with_name("bugs.toml"))
ENEMIES = {"r": "bB", "b": "rR"}
OTHER = {"red": "black", "black": "red"}
CROWNING = {"r": 0, "b": 7}
BOTH = (-1, 1)
UNCROWNED = {"black-uncrowned": "b", "red-uncrowned": "r", "uncrowned": "rb"}
CLOSED: dict[str, tuple[set[int], set[int]]] = {  # rows and columns
    "no-row-0": ({0}, set()),
    "no-column-0": (set(), {0}),
    "no-line-0": ({0}, {0}),
    "no-row-7": ({7}, set()),
    "no-column-7": (set(), {7}),
    "no-line-7": ({7}, {7}),
}
KINGS = (2, 3, 5)  # what a king counts in each evaluation, if a man counts 2


class PlainCheckers(PlainRules):
    """`bug` is empty or the key of one of `BUGS`."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug
        self.steps, self.jumps = (
            {piece: [self._targets(piece, kind, at) for at in range(64)] for piece in "rbRB"}
            for kind in ("step", "jump")
        )

    def _ways(self, piece: str, kind: str) -> tuple[int, ...]:
        """The directions of a piece, as rows."""
        forward = -1 if piece in "rR" or (piece == "b" and self.bug == "black-up") else 1
        if piece.isupper():
            short = self.bug in ("kings-forward", f"kings-{kind}-forward")
        else:
            short = (self.bug, kind) != ("men-jump-back", "jump")
        return (forward,) if short else BOTH

    def _targets(self, piece: str, kind: str, at: int) -> list[tuple[int, int]]:
        """The next square and the last one in each direction, if the last can be entered."""
        found = []
        length = 1 if kind == "step" else 2
        for rows in self._ways(piece, kind):
            for columns in BOTH:
                row, column = at // 8 + rows * length, at % 8 + columns * length
                if self._can_enter(row, column):
                    over = (at // 8 + rows) % 8 * 8 + (at % 8 + columns) % 8
                    found.append((over, row % 8 * 8 + column % 8))
        return found

    def _can_enter(self, row: int, column: int) -> bool:
        rows, columns = CLOSED.get(self.bug, ((), ()))
        inside = self.bug == "wraps" or min(row, column) >= 0
        return inside and max(row, column) < 8 and row not in rows and column not in columns

    def moves(self, position: str) -> list[str]:
        side, other = position[64], OTHER[position[64:]]
        steps: list[str] = []
        jumps: list[tuple[int, str]] = []
        for at, piece in enumerate(position[:64]):
            if piece.lower() != side:
                continue
            cells = list(position[:64])
            cells[at] = "."
            own = list(self._jump(cells, piece, at))
            jumps += own
            if not (own and self.bug == "own-piece"):
                for _, to in self.steps[piece][at]:
                    if cells[to] == ".":
                        steps.append(_place(cells, self._crown(piece, to), to))
        if self.bug == "longest":
            longest = max(jumps, default=(0, ""))[0]
            jumps = [jump for jump in jumps if jump[0] == longest]
        boards = [board for _, board in jumps]
        if not boards or self.bug in ("optional", "own-piece"):
            boards += steps
        return [board + other for board in dict.fromkeys(boards)]

    def _jump(
        self, cells: list[str], piece: str, at: int, taken: int = 0
    ) -> Iterator[tuple[int, str]]:
        """The jumps of a piece that is lifted from `at`: how many it takes, and the board."""
        ended = True
        for over, to in self.jumps[piece][at] if not (taken and self.bug == "one-jump") else ():
            if cells[over] not in ENEMIES[piece.lower()] or cells[to] != ".":
                continue
            ended = False
            victim, cells[over] = cells[over], "."
            landed = piece if self.bug == "jump-uncrowned" else self._crown(piece, to)
            if landed == piece or self.bug == "crowned-jumps-on":
                yield from self._jump(cells, landed, to, taken + 1)
            else:
                yield taken + 1, _place(cells, landed, to)
            cells[over] = victim
        if taken and (ended or self.bug == "stop-early"):
            yield taken, _place(cells, piece, at)

    def _crown(self, piece: str, at: int) -> str:
        if piece.isupper() or at // 8 != CROWNING[piece] or piece in UNCROWNED.get(self.bug, ""):
            return piece
        return piece.upper()

    def is_lost(self, position: str) -> bool:
        side = position[64]
        return side not in position[:64] and side.upper() not in position[:64]

    def evaluate(self, position: str) -> tuple[int, ...]:
        cells, sign = position[:64], 1 if position[64] == "r" else -1
        men = 2 * (cells.count("r") - cells.count("b"))
        kings = cells.count("R") - cells.count("B")
        return tuple(sign * (men + worth * kings) for worth in KINGS)


def _place(cells: list[str], piece: str, at: int) -> str:
    return "".join((*cells[:at], piece, *cells[at + 1 :]))


@cache
def rules(bug: str) -> PlainCheckers:
    return PlainCheckers(bug)
