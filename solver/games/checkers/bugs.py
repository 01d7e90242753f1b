"""Checkers with one bug: plain rules on the written board, and a switch for each bug."""

from __future__ import annotations

from functools import cache

from solver.games.bugs import Bug, PlainRules

ONE_MOVE = "a piece that has jumped must jump on while it can, in the same move"
ALL_LINES = "pieces may enter all eight rows and columns"
BUGS = (
    Bug(
        "kings-forward",
        "kings never move backward",
        "a king steps and jumps in all four directions",
    ),
    Bug(
        "kings-jump-forward",
        "kings step but never jump backward",
        "a king jumps in all four directions",
    ),
    Bug(
        "kings-step-forward",
        "kings jump but never step backward",
        "a king steps in all four directions",
    ),
    Bug("men-jump-back", "men jump backward", "a man jumps forward only"),
    Bug("one-jump", "a jump ends after one piece", ONE_MOVE),
    Bug("stop-early", "a jump may stop early", ONE_MOVE),
    Bug(
        "crowned-jumps-on",
        "a man that is crowned by a jump jumps on",
        "a move ends when a man is crowned",
    ),
    Bug(
        "black-uncrowned",
        "black is never crowned",
        "a black man that reaches the bottom row becomes a king",
        "black's kings do not count in the evaluation",
    ),
    Bug(
        "red-uncrowned",
        "red is never crowned",
        "a red man that reaches the top row becomes a king",
        "red's kings do not count in the evaluation",
    ),
    Bug(
        "uncrowned",
        "nobody is crowned",
        "a man that reaches the far row becomes a king",
        "kings do not count in the evaluation",
    ),
    Bug(
        "jump-uncrowned",
        "a man is not crowned by a jump",
        "a man that reaches the far row by a jump becomes a king too",
    ),
    Bug("optional", "jumps are optional", "a side that can jump must jump"),
    Bug(
        "own-piece",
        "jumps are compulsory only for the piece that can jump",
        "if any piece can jump, no piece may step",
    ),
    Bug(
        "longest",
        "only the longest jump is allowed",
        "any jump may be chosen, as long as it is finished",
    ),
    Bug("black-up", "black's men move up", "black's men move down"),
    Bug("no-row-0", "row 0, the top one, cannot be entered", ALL_LINES),
    Bug("no-column-0", "column 0, on the left, cannot be entered", ALL_LINES),
    Bug("no-line-0", "row 0 and column 0 cannot be entered", ALL_LINES),
    Bug("no-row-7", "row 7, at the bottom, cannot be entered", ALL_LINES),
    Bug("no-column-7", "column 7, on the right, cannot be entered", ALL_LINES),
    Bug("no-line-7", "row 7 and column 7 cannot be entered", ALL_LINES),
    Bug(
        "wraps",
        "a piece that leaves the board at index -1 comes back on the other side",
        "pieces stay on the board; in Python, index -1 is the last element",
    ),
)

ENEMIES = {"r": "bB", "b": "rR"}
OTHER = {"red": "black", "black": "red"}
CROWNING = {"r": 0, "b": 7}
BOTH = (-1, 1)
KINGS = (2, 3, 5)  # what a king counts in each evaluation, if a man counts 2


class PlainCheckers(PlainRules):
    """`bug` is empty or the key of one of `BUGS`."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug
        squares = range(64)
        self.steps = {
            piece: [self._targets(at, self._ways(piece, "step"), (1,)) for at in squares]
            for piece in "rbRB"
        }
        self.jumps = {
            piece: [self._targets(at, self._ways(piece, "jump"), (1, 2)) for at in squares]
            for piece in "rbRB"
        }
        uncrowned = {"black-uncrowned": "b", "red-uncrowned": "r", "uncrowned": "rb"}
        self.uncrowned = uncrowned.get(bug, "")

    def _ways(self, piece: str, kind: str) -> tuple[int, ...]:
        """The directions of a piece, as rows."""
        forward = -1 if piece in "rR" or (piece == "b" and self.bug == "black-up") else 1
        if piece.isupper():
            short = self.bug in ("kings-forward", f"kings-{kind}-forward")
        else:
            short = (self.bug, kind) != ("men-jump-back", "jump")
        return (forward,) if short else BOTH

    def _targets(
        self, at: int, ways: tuple[int, ...], lengths: tuple[int, ...]
    ) -> list[tuple[int, ...]]:
        """The squares at these distances in each direction, if the last can be entered."""
        found = []
        for rows in ways:
            for columns in BOTH:
                places = [(at // 8 + rows * n, at % 8 + columns * n) for n in lengths]
                if self._can_enter(*places[-1]):
                    found.append(tuple(row % 8 * 8 + column % 8 for row, column in places))
        return found

    def _can_enter(self, row: int, column: int) -> bool:
        if (self.bug in ("no-row-0", "no-line-0") and row == 0) or (
            self.bug in ("no-row-7", "no-line-7") and row == 7
        ):
            return False
        if (self.bug in ("no-column-0", "no-line-0") and column == 0) or (
            self.bug in ("no-column-7", "no-line-7") and column == 7
        ):
            return False
        return row < 8 and column < 8 and (self.bug == "wraps" or min(row, column) >= 0)

    def moves(self, position: str) -> list[str]:
        side, other = position[64], OTHER[position[64:]]
        steps: list[str] = []
        jumps: list[tuple[int, str]] = []
        for at, piece in enumerate(position[:64]):
            if piece.lower() != side:
                continue
            cells = list(position[:64])
            cells[at] = "."
            mine: list[tuple[int, str]] = []
            self._jump(mine, cells, at, piece, other, 0)
            jumps += mine
            if mine and self.bug == "own-piece":
                continue
            for (to,) in self.steps[piece][at]:
                if position[to] == ".":
                    cells[to] = self._crown(piece, to)
                    steps.append("".join(cells) + other)
                    cells[to] = "."
        if self.bug == "longest" and jumps:
            longest = max(jumps)[0]
            jumps = [jump for jump in jumps if jump[0] == longest]
        chains = [board for _, board in jumps]
        if self.bug in ("optional", "own-piece"):
            chains += steps
        return list(dict.fromkeys(chains or steps))

    def _jump(
        self,
        found: list[tuple[int, str]],
        cells: list[str],
        at: int,
        piece: str,
        other: str,
        taken: int,
    ) -> None:
        """Add the boards after the jumps of a piece that is lifted from `at`."""
        enemies = ENEMIES[piece.lower()]
        ended = True
        if not (taken and self.bug == "one-jump"):
            for over, to in self.jumps[piece][at]:
                if cells[over] in enemies and cells[to] == ".":
                    ended = False
                    victim, cells[over] = cells[over], "."
                    self._land(found, cells, to, piece, other, taken + 1)
                    cells[over] = victim
        if taken and (ended or self.bug == "stop-early"):
            cells[at] = piece
            found.append((taken, "".join(cells) + other))
            cells[at] = "."

    def _land(
        self,
        found: list[tuple[int, str]],
        cells: list[str],
        to: int,
        piece: str,
        other: str,
        taken: int,
    ) -> None:
        crowned = piece if self.bug == "jump-uncrowned" else self._crown(piece, to)
        if crowned == piece or self.bug == "crowned-jumps-on":
            self._jump(found, cells, to, crowned, other, taken)
        else:
            cells[to] = crowned
            found.append((taken, "".join(cells) + other))
            cells[to] = "."

    def _crown(self, piece: str, at: int) -> str:
        if piece.isupper() or at // 8 != CROWNING[piece] or piece in self.uncrowned:
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


@cache
def rules(bug: str) -> PlainCheckers:
    return PlainCheckers(bug)
