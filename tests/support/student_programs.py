"""Checkers and Two Flags as students write them, with at most one bug: for `support.cohort`.

Nothing of ours is imported, so that this text followed by a call of `main` is a program that can
be handed in.  Checkers has two ways of making moves (lists of lists and recursion; a dictionary of
pieces and a stack).  A bug has several forms where several mistakes break the same rule.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

INFINITY, WIN = 10.0**9, 10.0**6
Piece = tuple[int, int, str]  # row, column, letter
# Rows and columns that cannot be entered, by the form of the bug.
CLOSED: list[tuple[list[int], list[int]]] = [
    *(([0], []), ([], [0]), ([7], []), ([], [7]), ([0], [0]), ([7], [7]))
]


@dataclass(frozen=True)
class Program:
    """How one student has built it."""

    engine: str = "grid"  # or "pieces"; "pawns" plays Two Flags
    search: str = "plain"  # or "ends first", "cache", "deepening cache"
    evaluation: str = "kings 2"
    depth: int = 4
    order: str = "as found"
    ties: str = "first"  # or "last", "random"
    bug: str = ""
    form: int = 0
    seed: int = 0
    patience: int = 900  # positions expanded before it tries a lower depth, or gives up
    gives_up: bool = False

    def answer(self, text: str) -> str | None:
        return Player(self).answer(text)


class TooLong(Exception):
    """The search has taken too many positions."""


class Rules:
    """What a search asks about a game.  Sides are called by their letters."""

    sides = "rb"
    pieces: Callable[..., list[Piece]]
    moves: Callable[..., list[Any]]
    place: Callable[..., Any]  # a board of these rows

    def __init__(self, bug: str = "", form: int = 0) -> None:
        self.bug, self.form = bug, form

    def other(self, side: str) -> str:
        return self.sides[side == self.sides[0]]

    def read(self, text: str) -> tuple[Any, str]:
        return self.place(text.split()[:8]), "r"

    def is_over(self, board: Any, side: str) -> bool:
        """Whether this side has lost, even if it could move."""
        return False

    def text(self, board: Any) -> str:
        rows = [["."] * 8 for _ in range(8)]
        for row, column, letter in self.pieces(board):
            rows[row][column] = letter
        return "\n".join(map("".join, rows))


class Checkers(Rules):
    """What both ways of making moves ask about the rules, and where most bugs are."""

    def ways(self, letter: str, jumping: bool, taken: int = 0) -> list[tuple[int, int]]:
        ahead = -1 if letter in "rR" or (letter == "b" and self.bug == "black up") else 1
        rows = [ahead] if letter in "rb" else [-1, 1]
        if letter in "RB" and (
            (self.bug == "kings never back" and (self.form == 0 or letter == "R"))
            or (self.bug == "kings never jump back" and jumping)
            or (self.bug == "kings never step back" and not jumping)
        ):
            rows = [ahead]
        elif letter in "rb" and jumping and self.bug == "men jump back" and taken >= self.form:
            rows = [ahead, -ahead]
        return [(down, right) for down in rows for right in (-1, 1)]

    def inside(self, row: int, column: int) -> bool:
        if self.bug == "wraps":
            return row < 8 and column < 8 and (self.form == 0 or row >= 0)
        if self.bug == "edge":
            rows, columns = CLOSED[self.form]
            if row in rows or column in columns:
                return False
        return 0 <= row < 8 and 0 <= column < 8

    def crown(self, letter: str, row: int, jumped: int) -> str:
        never = {"black uncrowned": "b", "red uncrowned": "r", "nobody crowned": "rb"}
        by_jump = jumped > self.form and self.bug == "jump does not crown"
        if letter in never.get(self.bug, "") or by_jump:
            return letter
        if self.bug == "black up" and self.form and row == 0:
            return letter.upper()
        return letter.upper() if row == (0 if letter == "r" else 7) else letter

    def choose(self, moves: list[tuple[list[Any], list[tuple[int, Any]]]]) -> list[Any]:
        """Of the steps and the jumps of each piece, those that may be played."""
        steps = [after for each, _ in moves for after in each]
        jumps = [jump for _, each in moves for jump in each]
        if self.bug == "longest" and self.form == 0:
            jumps = [jump for jump in jumps if jump[0] == max(jumps, key=lambda x: x[0])[0]]
        elif self.bug == "longest":
            jumps = [j for _, each in moves for j in each if j[0] == max(n for n, _ in each)]
        after_jumps = [after for _, after in jumps]
        if self.bug == "optional":
            return steps + after_jumps if self.form else after_jumps + steps
        if self.bug == "own piece":
            return [x for each, own in moves for x in ([after for _, after in own] or each)]
        return after_jumps or steps

    def ends(self, crowned: bool) -> bool:
        """Whether a jump is over after this piece."""
        return self.bug == "one piece" or (crowned and self.bug != "jumps on")


class Grid(Checkers):
    """A board is a list of lists; jumps are recursive."""

    def place(self, rows: list[str]) -> Any:
        return [list(row) for row in rows]

    def pieces(self, board: Any) -> list[Piece]:
        return [(r, c, x) for r, row in enumerate(board) for c, x in enumerate(row) if x != "."]

    def moves(self, board: Any, side: str) -> list[Any]:
        return self.choose(
            [
                (self.steps(board, row, column), self.jumps(board, row, column, 0))
                for row, column, letter in self.pieces(board)
                if letter.lower() == side
            ]
        )

    def steps(self, board: Any, row: int, column: int) -> list[Any]:
        found, letter = [], board[row][column]
        for down, right in self.ways(letter, False):
            r, c = row + down, column + right
            if self.inside(r, c) and board[r][c] == ".":
                after = [line[:] for line in board]
                after[row][column] = "."
                after[r][c] = self.crown(letter, r, 0)
                found.append(after)
        return found

    def jumps(self, board: Any, row: int, column: int, taken: int) -> list[tuple[int, Any]]:
        found, letter = [], board[row][column]
        for down, right in self.ways(letter, True, taken):
            r, c, mr, mc = row + 2 * down, column + 2 * right, row + down, column + right
            if not self.inside(r, c) or board[mr][mc].lower() != self.other(letter.lower()):
                continue
            if board[r][c] == ".":
                after = [line[:] for line in board]
                after[row][column] = after[mr][mc] = "."
                after[r][c] = self.crown(letter, r, taken + 1)
                over = self.ends(after[r][c] != letter)
                further = [] if over else self.jumps(after, r, c, taken + 1)
                if self.bug == "stops early" or not further:
                    found.append((taken + 1, after))
                found += further
        return found


class Pieces(Checkers):
    """A board is a dictionary of pieces; jumps wait on a stack."""

    def place(self, rows: list[str]) -> Any:
        return {(r, c): rows[r][c] for c in range(8) for r in range(8) if rows[r][c] != "."}

    def pieces(self, board: Any) -> list[Piece]:
        return [(row, column, letter) for (row, column), letter in board.items()]

    def moves(self, board: Any, side: str) -> list[Any]:
        return self.choose(
            [
                (list(self.steps(board, *where)), list(self.jumps(board, *where)))
                for where, letter in board.items()
                if letter.lower() == side
            ]
        )

    def move(self, board: Any, place: Any, to: Any, over: Any = None, taken: int = 0) -> Any:
        after = {where: x for where, x in board.items() if where not in (place, over)}
        after[to] = self.crown(board[place], to[0], taken)
        return after

    def steps(self, board: Any, row: int, column: int) -> Iterator[Any]:
        for down, right in reversed(self.ways(board[row, column], False)):
            to = row + down, column + right
            if self.inside(*to) and to not in board:
                yield self.move(board, (row, column), to)

    def jumps(self, board: Any, row: int, column: int) -> Iterator[tuple[int, Any]]:
        stack: list[tuple[Any, tuple[int, int], int, bool]] = [(board, (row, column), 0, False)]
        while stack:
            now, (r, c), taken, over = stack.pop()
            waiting, letter = len(stack), now[r, c]
            for down, right in [] if over else self.ways(letter, True, taken):
                to, middle = (r + 2 * down, c + 2 * right), (r + down, c + right)
                enemy = now.get(middle, ".").lower() == self.other(letter.lower())
                if enemy and self.inside(*to) and to not in now:
                    after = self.move(now, (r, c), to, middle, taken + 1)
                    stack.append((after, to, taken + 1, self.ends(after[to] != letter)))
            if taken and (len(stack) == waiting or self.bug == "stops early"):
                yield taken, now


class Pawns(Rules):
    """Two Flags.  A board is a dictionary of pawns, and the square the last move went past."""

    sides = "wb"

    def read(self, text: str) -> tuple[Any, str]:
        words = text.lower().split()
        if words[0] == "setup":
            pawns = {self.square(word[1:]): word[0] for word in words if len(word) == 3}
            words = words[:1] * 8 + [word for word in words[1:] if len(word) != 3]
        else:
            pawns = {(r, f): words[r][f] for r in range(8) for f in range(8) if words[r][f] != "."}
        side = words[8][0] if len(words) > 8 else "w"
        if self.bug == "side":
            side = self.other(side) if self.form else "w"
        return (pawns, self.square(words[9]) if len(words) > 9 else None), side

    def square(self, name: str) -> tuple[int, int]:
        return 8 - int(name[1]), "abcdefgh".index(name[0])

    def pieces(self, board: Any) -> list[Piece]:
        return [(row, file, side) for (row, file), side in sorted(board[0].items())]

    def is_over(self, board: Any, side: str) -> bool:
        landed = any(row == (7 if x == "b" else 0) for (row, _), x in board[0].items())
        return side not in board[0].values() or (landed and self.bug != "promotion")

    def moves(self, board: Any, side: str) -> list[Any]:
        pawns, passed = board
        up, start = (-1, 6) if side == "w" else (1, 1)
        found: list[Any] = []

        def move(place: Any, to: Any, taken: Any = None, past: Any = None) -> None:
            after = {where: x for where, x in pawns.items() if where not in (place, taken)}
            found.append((after | {to: side}, past))

        for place in [(row, file) for row, file, x in self.pieces(board) if x == side]:
            row, file = place
            one, two = (row + up, file), (row + 2 * up, file)
            inside, straight = 0 <= row + up < 8, self.bug == "straight"
            if inside and (one not in pawns or (straight and pawns[one] != side)):
                move(place, one)
            if row == start and two not in pawns and (one not in pawns or self.bug == "through"):
                move(place, two, past=one)
            for to in ((row + up, file - 1), (row + up, file + 1)):
                if pawns.get(to) == self.other(side) and not (straight and self.form):
                    move(place, to)
                right = to == passed and self.bug != "no en passant"
                always = self.bug == "always en passant" and (self.form or row == start + 3 * up)
                beside = (row, to[1])
                if to not in pawns and pawns.get(beside) == self.other(side) and (right or always):
                    move(place, to, beside)
        return found


def weigh(man: float, king: float, place: Callable[[int, int, str], float] | None = None) -> Any:
    """An evaluation that adds up pieces: red's minus black's, rows seen from each side."""

    def evaluate(rules: Rules, board: Any, own: str) -> float:
        total = 0.0
        for row, column, letter in rules.pieces(board):
            value = man if letter in "rb" else king
            if place:
                value += place(7 - row if letter in "rR" else row, column, letter)
            total += value if letter in "rR" else -value
        return total

    return evaluate


def count_moves(red: float, black: float) -> Any:
    def evaluate(rules: Rules, board: Any, own: str) -> float:
        material: float = 10 * weigh(1, 2)(rules, board, own)
        return material + red * len(rules.moves(board, "r")) - black * len(rules.moves(board, "b"))

    return evaluate


def ratio(rules: Rules, board: Any, own: str) -> float:
    letters = [letter for _, _, letter in rules.pieces(board)]
    red = letters.count("r") + 2 * letters.count("R")
    return red / (1 + letters.count("b") + 2 * letters.count("B"))


def only(side: str) -> Any:
    """Counts only the pieces of one side: a passive or an aggressive player."""
    return lambda rules, board, own: sum(
        (1 if x in "rb" else 2) * (1 if side == "r" else -1)
        for _, _, x in rules.pieces(board)
        if x.lower() == side
    )


def come_far(
    choose: Callable[[list[int]], float], mine: int = 1, enemy: int = 1, pawn: int = 0
) -> Any:
    """How far one's pawns have come, and perhaps the enemy's, and how many there are."""

    def evaluate(rules: Rules, board: Any, own: str) -> float:
        far: dict[str, list[int]] = {"w": [0], "b": [0]}
        for row, _, side in rules.pieces(board):
            far[side].append((7 - row if side == "w" else row) + pawn)
        return mine * choose(far[own]) - enemy * choose(far[rules.other(own)])

    return evaluate


EVALUATIONS: dict[str, Any] = {
    "kings 1.5": weigh(2, 3),
    "kings 2": weigh(1, 2),
    "kings 3": weigh(1, 3),
    "kings 5": weigh(1, 5),
    "advance": weigh(5, 12, lambda row, column, letter: row / 2),
    "advance strongly": weigh(5, 14, lambda row, column, letter: row),
    "centre": weigh(10, 20, lambda row, column, letter: 2 - abs(column - 3.5) / 2),
    "back row": weigh(4, 8, lambda row, column, letter: row == 0),
    "edges": weigh(4, 7, lambda row, column, letter: column in (0, 7)),
    "mobility": count_moves(1, 1),
    # Odd, and right all the same:
    "kings as men": weigh(1, 1),
    "kings nothing": weigh(1, 0),
    "left": weigh(9, 15, lambda row, column, letter: -column / 4),
    "enemy's mobility": count_moves(0, 1),
    "aggressive": only("b"),
    "passive": only("r"),
    "ratio": ratio,
    "home": weigh(6, 9, lambda row, column, letter: -row / 2),
    # Plays as if black were never crowned:
    "enemy's kings nothing": weigh(2, 3, lambda row, column, letter: -3 * (letter == "B")),
}
PAWN_EVALUATIONS: dict[str, Any] = {
    "count": come_far(len),
    "race": come_far(max),
    "total": come_far(sum),
    "both": come_far(sum, pawn=5),
    # Odd, and right all the same:
    "foremost": come_far(max, enemy=0),
    "hindmost": come_far(lambda far: min(far[1:], default=0), enemy=0),
    "capture": come_far(len, mine=0),
    "nothing": come_far(max, mine=0, enemy=0),
}


class Player:
    """Searches for the best move, and counts what it costs."""

    def __init__(self, program: Program) -> None:
        self.p, self.bug, self.form = program, program.bug, program.form
        engines: dict[str, type[Rules]] = {"grid": Grid, "pieces": Pieces, "pawns": Pawns}
        self.rules = engines[program.engine](program.bug, program.form)
        self.weigh = (EVALUATIONS | PAWN_EVALUATIONS)[program.evaluation]
        self.random = random.Random(program.seed)
        self.cache: dict[Any, float] = {}
        self.expanded = 0

    def evaluate(self, board: Any) -> float:
        self.expanded += 2 * ("mobility" in self.p.evaluation)
        value: float = self.weigh(self.rules, board, self.own)
        return -value if self.bug == "sign" else value

    def expand(self, board: Any, side: str) -> list[Any]:
        self.expanded += 1
        if self.expanded > self.p.patience:
            raise TooLong
        found = self.rules.moves(board, side)
        if self.p.order == "reversed":
            found.reverse()
        elif self.p.order == "shuffled":
            self.random.shuffle(found)
        elif self.p.order == "captures":
            found.sort(key=lambda after: len(self.rules.pieces(after)))
        elif self.p.order == "evaluation":
            found.sort(key=self.evaluate, reverse=side == self.own)
        return found

    def end(self, board: Any, side: str, depth: int) -> float:
        """The value of a position that this side has lost."""
        if self.bug == "no move":
            gone = all(letter.lower() != side for _, _, letter in self.rules.pieces(board))
            if not gone or (self.form < 2 and self.rules.sides == "rb"):
                return 0.0 if self.form == 1 else self.evaluate(board)
        value = WIN if self.bug == "wins alike" else WIN + depth
        return -value if side == self.own else value

    def key(self, board: Any, side: str, depth: int) -> Any:
        text = self.rules.text(board)
        keys = {"cache side": (text, depth), "cache depth": (text, side), "cache board": text}
        return keys.get(self.bug, (text, side, depth))

    def value(self, board: Any, side: str, depth: int, alpha: float, beta: float) -> float:
        """Alpha-beta, or minimax with a cache: the value for the own side."""
        key = self.key(board, side, depth) if "cache" in self.p.search else None
        if key in self.cache:
            return self.cache[key]
        if self.rules.is_over(board, side):
            return self.end(board, side, depth)
        if depth == 0 and self.p.search != "ends first":
            return self.evaluate(board)
        after = self.expand(board, side)
        if not after or depth == 0:
            return self.evaluate(board) if after else self.end(board, side, depth)
        maximises = (side == self.own) != (self.bug == "minimises" and self.form == 1)
        maximises |= self.bug == "helps"
        best, low, high = -INFINITY if maximises else INFINITY, alpha, beta
        for each in after:
            value = self.value(each, self.rules.other(side), depth - 1, low, high)
            best = max(best, value) if maximises else min(best, value)
            if self.bug == "cut" and self.cuts_wrongly(value, maximises, low, high):
                break
            low, high = (max(low, best), high) if maximises else (low, min(high, best))
            if low >= high and key is None:
                break
        if key is not None:
            self.cache[key] = best
        return best

    def cuts_wrongly(self, value: float, maximises: bool, low: float, high: float) -> bool:
        if self.form == 0:  # compares with the own bound
            return value <= low if maximises else value >= high
        if self.form == 1:  # the same comparison in both
            return value >= high
        return value > low > -INFINITY if maximises else value < high < INFINITY

    def best(self, after: list[Any], depth: int) -> list[Any]:
        """The moves sorted by value, the best one first."""
        sign = -1 if self.bug == "minimises" else 1
        prunes = self.p.ties == "first" and sign == 1  # else the others need exact values too
        values: list[float] = []
        for each in after:
            alpha = max(values, default=-INFINITY) if prunes else -INFINITY
            values.append(
                sign * self.value(each, self.rules.other(self.own), depth, alpha, INFINITY)
            )
        numbers = list(range(len(after)))
        if self.p.ties == "random":
            self.random.shuffle(numbers)
        elif self.p.ties == "last":
            numbers.reverse()
        return [after[i] for i in sorted(numbers, key=lambda i: -values[i])]

    def answer(self, text: str) -> str | None:
        """The board after the chosen move; None if it takes too long."""
        board, self.own = self.rules.read(text)
        if self.p.engine == "pieces" and "b" not in text.lower():
            return text  # the others play on
        count = len(self.rules.pieces(board))
        for most in range(max(1, self.p.depth - (count > 8) - (count > 14)), 0, -1):
            self.expanded = 0
            self.cache.clear()
            try:
                after = self.expand(board, self.own)
                for depth in range(1 if "deepening" in self.p.search else most, most + 1):
                    after = self.best(after, depth - 1)
                return self.rules.text(after[0] if after else board)
            except (TooLong, IndexError):  # IndexError: too far beyond the edge
                if self.p.gives_up:
                    return None
        return None


def main(program: Program) -> None:
    names = [name for name in sys.argv[1:] if name not in ("--inputfile", "--outputfile")]
    with open(names[0]) as file:
        text = file.read()
    answer = program.answer(text)
    with open(names[1], "w") as file:
        file.write(answer or text)
