"""A checkers puzzle in `inputs/` as its files tell it, and plain things to say about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grader.puzzles.truth import Move, Truth, read_truth
from solver.checkers import game
from solver.checkers.mixed import TwoBoards
from solver.checkers.rules import Board

ROOT = Path(__file__).parent.parent
INPUTS = sorted((ROOT / "inputs" / "checkers").glob("*.txt"))
EXPECTED = ROOT / "expected" / "checkers"
Checkers = Board | TwoBoards


@dataclass(frozen=True)
class Puzzle:
    """A puzzle as its files tell it."""

    name: str
    rows: list[str]
    truth: Truth

    @cached_property
    def position(self) -> Checkers:
        return game.read("\n".join(self.rows), self.name, True)[0]

    def child(self, move: Move) -> Checkers:
        """The position after a move."""
        return next(c for c in self.position.children() if str(c) == move.board)

    @property
    def after(self) -> Checkers:
        return self.child(self.best)

    @property
    def best(self) -> Move:
        return next(move for move in self.truth.moves if move.board == self.truth.board)

    @property
    def others(self) -> list[Move]:
        return [move for move in self.truth.moves if move.name not in self.truth.best]

    def worth(self, result: str) -> list[Move]:
        """The moves of value `win`, `draw` or `loss`."""
        return [move for move in self.truth.moves if move.value.startswith(result)]

    def piece(self, square: str) -> str:
        return self.rows[8 - int(square[1])]["abcdefgh".index(square[0])]

    def count(self, pieces: str) -> int:
        return sum(row.count(piece) for row in self.rows for piece in pieces)

    @property
    def material(self) -> str:
        """`RRvBb`: kings first."""
        return "v".join("".join(p * self.count(p) for p in side) for side in ("Rr", "Bb"))


def read_puzzle(path: Path) -> Puzzle:
    expected = EXPECTED / path.name
    proof = expected.with_suffix(".json")
    truth = read_truth(proof.read_text(), expected.read_text(), str(proof))
    return Puzzle(path.stem, path.read_text().split(), truth)


Motif = Callable[[Puzzle], bool]


def path(move: Move) -> list[str]:
    """The squares of a move."""
    return re.split("[-x]", move.name)


def rank(square: str) -> int:
    return int(square[1])


def taken(move: Move) -> int:
    return move.name.count("x")


def mover(puzzle: Puzzle, move: Move) -> str:
    return puzzle.piece(path(move)[0])


def crowns(puzzle: Puzzle, move: Move) -> bool:
    return mover(puzzle, move) == "r" and rank(path(move)[-1]) == 8


def jumped(position: Checkers, child: Checkers) -> int:
    return game.pieces(position) - game.pieces(child)


def both(*motifs: Motif) -> Motif:
    return lambda puzzle: all(motif(puzzle) for motif in motifs)


def wins(puzzle: Puzzle) -> bool:
    return puzzle.truth.value.startswith("win")


def only_one_wins(puzzle: Puzzle) -> bool:
    return wins(puzzle) and len(puzzle.worth("win")) == 1


def only_one_draws(puzzle: Puzzle) -> bool:
    """And all others lose."""
    counts = len(puzzle.worth("draw")), len(puzzle.worth("loss"))
    return counts == (1, len(puzzle.truth.moves) - 1) and counts[1] > 0


def only_one_best(puzzle: Puzzle) -> bool:
    return len(puzzle.truth.best) == 1


def best_of(best: int, least: int = 0) -> Motif:
    """So many moves are best, of at least so many more."""
    return lambda puzzle: len(puzzle.truth.best) == best <= len(puzzle.truth.moves) - max(1, least)


def value(words: str) -> Motif:
    return lambda puzzle: puzzle.truth.value == words


def material(*wanted: str) -> Motif:
    return lambda puzzle: puzzle.material in wanted


def outnumbered(puzzle: Puzzle) -> bool:
    return puzzle.count("rR") < puzzle.count("bB")


def pieces(least: int, most: int = 24) -> Motif:
    return lambda puzzle: least <= puzzle.count("rRbB") <= most


def lies_on(*colours: int) -> Motif:
    """Pieces stand on squares with these sums of row and column, odd or even."""

    def check(puzzle: Puzzle) -> bool:
        squares = [(row, column) for row in range(8) for column in range(8)]
        return set(colours) == {
            (row + column) % 2 for row, column in squares if puzzle.rows[row][column] != "."
        }

    return check


def is_over(puzzle: Puzzle) -> bool:
    return puzzle.truth.moves == () and puzzle.truth.best == ()


def is_blocked(puzzle: Puzzle) -> bool:
    return is_over(puzzle) and puzzle.count("rR") > 0 and puzzle.count("bB") > 0


def is_lost(puzzle: Puzzle) -> bool:
    """All moves lose, some sooner than others."""
    values = {move.value for move in puzzle.truth.moves}
    return len(values) > 2 and all(value.startswith("loss") for value in values)
