"""Pieces on both colours of squares: two boards that share the turn and the duty to jump."""

from __future__ import annotations

from solver.games.checkers.rules import Board, draw_boards, same
from solver.search.compiled import mypyc_attr
from solver.search.heuristic import Heuristic
from solver.search.position import FORCED, LOST, PLACES, QUIET, Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64


@mypyc_attr(acyclic=True)
class TwoBoards(Position):
    """A position with pieces on dark and on light squares."""

    __slots__ = ("dark", "light")

    def __init__(self, dark: Board, light: Board) -> None:
        self.dark: Final = dark
        self.light: Final = light

    def children(self) -> list[TwoBoards]:
        return self._either(self.dark.children(), self.light.children())

    def moves(self) -> list[TwoBoards]:
        return self._either(self.dark.moves(), self.light.moves())

    def _either(self, on_dark: list[Board], on_light: list[Board]) -> list[TwoBoards]:
        """A move on one board, dark squares first; jumps on one forbid steps on the other."""
        dark_jumps = self.dark.jumpers()
        light_jumps = self.light.jumpers()
        found: list[TwoBoards] = []
        if dark_jumps or not light_jumps:
            waiting = self.light.passed()
            for board in on_dark:
                found.append(TwoBoards(board, waiting))
        if light_jumps or not dark_jumps:
            waiting = self.dark.passed()
            for board in on_light:
                found.append(TwoBoards(waiting, board))
        return found

    def status(self) -> i64:
        dark = self.dark.status()
        light = self.light.status()
        if dark == FORCED or light == FORCED:
            return FORCED
        return QUIET if dark == QUIET or light == QUIET else LOST

    def key(self) -> i64:
        return _stir(self.dark.key(), self.light.key())

    def board_key(self) -> i64:
        return _stir(self.dark.board_key(), self.light.board_key())

    def move_key(self, child: TwoBoards) -> i64:
        """A move changes one half only; light squares are shifted to avoid clashes."""
        light = self.light.move_key(child.light)
        places = light & PLACES
        return self.dark.move_key(child.dark) ^ light ^ places ^ places << 20

    def passed(self) -> TwoBoards:
        return TwoBoards(self.dark.passed(), self.light.passed())

    def mover(self) -> str:
        return self.dark.mover()

    def boards(self) -> list[Board]:
        return [self.dark, self.light]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TwoBoards):
            return False
        return same(self.dark, other.dark) and same(self.light, other.light)

    def __hash__(self) -> int:
        return self.key()

    def __repr__(self) -> str:
        return f"TwoBoards({self.dark!r}, {self.light!r})"

    def __str__(self) -> str:
        return draw_boards([board.colours() for board in self.boards()])


def _stir(dark: i64, light: i64) -> i64:
    """One key from two; rotating one by 23 of 62 bits keeps equal halves from cancelling."""
    return (dark >> 23 | (dark & 0x7FFFFF) << 39) ^ light


class OnBothBoards(Heuristic):
    """The sum of a heuristic over the two boards."""

    def __init__(self, heuristic: Heuristic) -> None:
        self.heuristic = heuristic

    def value(self, position: Position) -> i64:
        assert isinstance(position, TwoBoards)
        return self.heuristic.value(position.dark) + self.heuristic.value(position.light)
