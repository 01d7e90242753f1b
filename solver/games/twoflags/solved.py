"""Positions that were solved before: the moves of winning strategies, and the values of the first
moves of the game.  A file is read at the first position that it may know."""

from __future__ import annotations

import os

from solver.errors import UserError
from solver.games.twoflags.rules import FILES, NO_EN_PASSANT, RANK_2, RANK_7, Pawns
from solver.games.twoflags.runner import Runners
from solver.games.twoflags.text import move_name
from solver.search.position import count
from solver.search.result import Counters, SearchResult
from solver.search.score import distance, loss_in, win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from solver.proof.strategy import Book
    from solver.search.position import Position

HERE = os.path.dirname(__file__)
FIRST_MOVES = os.path.join(HERE, "first-moves.txt")
SHIPPED = (os.path.join(HERE, "start.proof"), os.path.join(HERE, "start-no-en-passant.proof"))
FEWEST = 10  # pawns in a position of the shipped proofs that no small search wins
MIRROR = str.maketrans(FILES, FILES[::-1])


class Solved(Runners):
    """What one proof knows, by default that of the package for the rules of the position."""

    def __init__(self, path: str = "") -> None:
        self.path = path
        self.books: dict[str, Book | None] = {}
        if path:
            self._open(path)

    def open(self) -> None:
        """For players, before a clock runs: read the files of the package now."""
        if not self.path:
            for path in filter(os.path.exists, SHIPPED):
                self._open(path)

    def solution(
        self, position: Position, leave_out: frozenset[int] = frozenset()
    ) -> SearchResult | None:
        assert isinstance(position, Pawns)
        if position.own == RANK_2 and position.enemy == RANK_7 and not self.path:
            return first_move(position, leave_out)
        book = None if leave_out else self._book(position)
        if book is None:
            return None
        simple = self.simplest(position)
        found = book.find(simple)
        if found is None:
            return None
        index, plies = found
        wanted = self.simplest(simple.children()[index])
        child = next(each for each in position.children() if self.simplest(each) == wanted)
        return SearchResult(0, win_in(plies), [child], Counters(), bound=True)

    def _book(self, position: Pawns) -> Book | None:
        without = position.state & NO_EN_PASSANT != 0
        variant = "no-en-passant" if without else ""
        if variant not in self.books and not self.path:
            if count(position.own | position.enemy) < FEWEST:
                return None
            self.books[variant] = None
            if os.path.exists(SHIPPED[without]):
                self._open(SHIPPED[without])
        return self.books.get(variant)

    def _open(self, path: str) -> None:
        from solver.games.twoflags import game
        from solver.proof.strategy import open_strategy

        strategy = open_strategy(path)
        head = strategy.head
        if head["game"] != game.NAME:
            raise UserError(f"{path}: a proof about {head['game']}, not about {game.TITLE}.")
        root = game.read(head["start"], path, True, head["variant"]).position
        self.books[head["variant"]] = strategy.open_book(root, self)


_OPENED: Final[dict[str, Solved]] = {}


def open_solved(path: str = "") -> Solved:
    """The same object for the same file."""
    if path not in _OPENED:
        _OPENED[path] = Solved(path)
    return _OPENED[path]


def first_move(start: Pawns, leave_out: frozenset[int]) -> SearchResult | None:
    """The best one except the children of these indexes; None if another may be better."""
    known = read_first_moves(start.state & NO_EN_PASSANT != 0)
    names = [move_name(start, child) for child in start.children()]
    left = [name for index, name in enumerate(names) if index not in leave_out]
    best = max(
        (name for name in left if name in known), key=lambda name: known[name][0], default=""
    )
    certain = all(name in known for name in left) or (
        best and known[best][0] == max(score for score, _ in known.values())
    )
    if not certain:
        return None
    score, words = known[best]
    line: list[Position] = []
    position = start
    for word in (best, *words):
        position = next(c for c in position.children() if move_name(position, c) == word)
        line.append(position)
    return SearchResult(distance(score), score, line, Counters())


def read_first_moves(without_en_passant: bool) -> dict[str, tuple[int, list[str]]]:
    """The score of each move and the best play after it, as far as they are known."""
    known = {}
    with open(FIRST_MOVES, encoding="utf-8") as file:
        lines = [line.split() for line in file if not line.startswith("#")]
    for move, value, value_without, *words in lines:
        if without_en_passant:
            value, words = value_without, []
        if value != "?":
            score = win_in(int(value)) if value[0] == "+" else loss_in(-int(value))
            known[move] = score, words
            known[move.translate(MIRROR)] = score, [word.translate(MIRROR) for word in words]
    return known
