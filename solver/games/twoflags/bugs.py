"""Two Flags with one bug: plain rules on the written board, and a switch for each bug."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from solver.games.bugs import PlainRules, read_bugs

BUGS = read_bugs(Path(__file__).with_name("bugs.toml"))
OTHER = {"white": "black", "black": "white"}
ROWS = {"white": (-8, 6, 3), "black": (8, 1, 4)}  # ahead; where double steps and en passant start
FILES = "abcdefgh"


class PlainTwoFlags(PlainRules):
    """`bug` is empty or the key of one of `BUGS`."""

    habits = ("first", "last", "foremost", "rearmost")

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def _side(self, position: str) -> str:
        """Who is to move, as the program sees it.  After its own moves it writes capitals."""
        side = position[64:69]
        if self.bug == "swapped" and side in OTHER:
            return OTHER[side]
        return "white" if self.bug == "always-white" and side in OTHER else side.lower()

    def moves(self, position: str) -> list[str]:
        cells, side = position[:64], self._side(position)
        passed = FILES.index(position[70]) + 8 * (8 - int(position[71])) if position[70:] else -1
        found: list[str] = []
        at = cells.find(side[0])
        while at >= 0:
            self._move(found, cells, side, passed, at)
            at = cells.find(side[0], at + 1)
        return list(dict.fromkeys(found))

    def _move(self, found: list[str], cells: str, side: str, passed: int, at: int) -> None:
        """Add the boards after the moves of one pawn."""
        (ahead, start, fifth), bug, enemy = ROWS[side], self.bug, OTHER[side][0]

        def add(to: int, taken: int = -1, passing: str = "") -> None:
            after = list(cells)
            after[at] = "."
            if taken >= 0:
                after[taken] = "."
            after[to] = side[0]
            found.append("".join(after) + OTHER[side].upper() + passing)

        to = at + ahead
        if not 0 <= to < 64:  # it stays where it has landed
            return
        if cells[to] == "." or (bug == "straight" and cells[to] == enemy):
            add(to)
        can_double = at // 8 == start or (bug == "double-anywhere" and 0 <= to + ahead < 64)
        is_free = cells[to] == "." or bug == "through"
        if can_double and bug != "no-double" and is_free and cells[to + ahead] == ".":
            row = cells[(to + ahead) // 8 * 8 :][:8]
            beside = row[max(at % 8 - 1, 0) : at % 8 + 2]
            add(to + ahead, passing=f" {FILES[at % 8]}{8 - to // 8}" if enemy in beside else "")
        for columns in (-1, 1):
            if not 0 <= at % 8 + columns < 8:
                continue
            target, next_to = to + columns, at + columns
            if cells[target] == enemy:
                add(target)
            elif cells[target] == ".":
                is_past = bug == "beside" or (bug == "always-en-passant" and at // 8 == fifth)
                is_past |= target == passed and bug != "no-en-passant"
                if cells[next_to] == enemy and is_past:
                    add(target, next_to)
                if bug == "diagonal":
                    add(target)

    def is_lost(self, position: str) -> bool:
        side = self._side(position)
        last_row = position[56:64] if side == "white" else position[:8]
        landed = OTHER[side][0] in last_row and self.bug != "no-promotion"
        return landed or side[0] not in position[:64]

    def evaluate(self, position: str) -> tuple[int, ...]:
        """Pawns; pawns and how far they are; the foremost pawns; nothing but a win."""
        cells, sign = position[:64], 1 if self._side(position) == "white" else -1
        white = [7 - at // 8 for at in range(64) if cells[at] == "w"]
        black = [at // 8 for at in range(64) if cells[at] == "b"]
        pawns = len(white) - len(black)
        foremost = max(white, default=0) - max(black, default=0)
        far = 8 * pawns + sum(white) - sum(black)
        return sign * pawns, sign * far, sign * foremost, 0

    def prefer(self, position: str, boards: frozenset[str], habit: str) -> frozenset[str]:
        """By the pawn that moves: in the order of the board, or by its rank."""
        pawn = self._side(position)[0]
        ways = {"first": 1, "last": -1, "foremost": 1, "rearmost": -1}

        def place(board: str) -> int:
            at = next((at for at in range(64) if position[at] == pawn != board[at]), 0)
            if habit in ("foremost", "rearmost"):
                at = at // 8 if pawn == "w" else -(at // 8)
            return at * ways[habit]

        least = min(map(place, boards))
        return frozenset(board for board in boards if place(board) == least)


@cache
def rules(bug: str) -> PlainTwoFlags:
    return PlainTwoFlags(bug)
