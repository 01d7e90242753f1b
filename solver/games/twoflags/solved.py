"""Positions that were solved before: the moves of winning strategies, and best play after each
first move of the game.  A file is read at the first position that it may know."""

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
        self.best_play: dict[Position, SearchResult] = {}
        if path:
            self._open(path)

    def open(self) -> None:
        """For players, before a clock runs: read the files of the package now."""
        if not self.path:
            for rules in (0, NO_EN_PASSANT):
                self._book(Pawns(RANK_2, RANK_7, 0, rules))

    def solution(
        self, position: Position, leave_out: frozenset[int] = frozenset()
    ) -> SearchResult | None:
        assert isinstance(position, Pawns)
        if position.own == RANK_2 and position.enemy == RANK_7 and not self.path:
            return first_move(position, leave_out)
        if leave_out:
            return None
        book = self._book(position)
        known = self.best_play.get(position)
        if known is not None or book is None:
            return known
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
            self.best_play |= best_play(Pawns(RANK_2, RANK_7, 0, position.state & NO_EN_PASSANT))
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
    known = read_first_moves(start)
    children = [each for index, each in enumerate(start.children()) if index not in leave_out]
    scores = {each: known[each][0] for each in children if each in known}
    best = max(scores, key=scores.__getitem__, default=None)
    if best is None:
        return None
    if len(scores) < len(children) and scores[best] < max(score for score, _ in known.values()):
        return None
    return SearchResult(distance(scores[best]), *known[best], Counters())


def best_play(start: Pawns) -> dict[Position, SearchResult]:
    """The positions after a first move for as long as both sides play their best."""
    found: dict[Position, SearchResult] = {}
    for score, line in read_first_moves(start).values():
        left = distance(score)
        for index in range(1, len(line)):
            left -= 1
            worth = win_in(left) if left & 1 else loss_in(left)
            found[line[index - 1]] = SearchResult(left, worth, line[index:], Counters())
    return found


def read_first_moves(start: Pawns) -> dict[Position, tuple[int, list[Position]]]:
    """The score of each move, as far as it is known, and best play from there."""
    without = start.state & NO_EN_PASSANT != 0
    known: dict[Position, tuple[int, list[Position]]] = {}
    with open(FIRST_MOVES, encoding="utf-8") as file:
        lines = [line.split() for line in file if not line.startswith("#")]
    for move, value, value_without, *rest in lines:
        if without:
            value, rest = value_without, []
        if value == "?":
            continue
        score = win_in(int(value)) if value[0] == "+" else loss_in(-int(value))
        names = " ".join([move, *rest])
        for words in (names, names.translate(MIRROR)):
            position = start
            line: list[Position] = []
            for word in words.split():
                position = next(c for c in position.children() if move_name(position, c) == word)
                line.append(position)
            known[line[0]] = score, line
    return known
