"""Endgame tables for the search.  Loaded for every board, so other table modules are imported only
at the first small position."""

from __future__ import annotations

from solver.games.checkers.endgame import MOST_PIECES
from solver.games.checkers.frontier import Frontier
from solver.games.checkers.rules import Board
from solver.search.position import count
from solver.search.score import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.games.checkers.endgame.slices import Values
    from solver.search.position import Position


class EndgameTables(Frontier):
    """The tables of one file, by default the largest there are."""

    def __init__(self, path: str = "") -> None:
        self.path: Final = path
        self.pieces: i64 = MOST_PIECES  # exact once the file is open
        self.values: Values | None = None

    def has_scores(self) -> bool:
        return True

    def score(self, position: Position) -> i64:
        """A board on both colours is never in a table: pieces stay on their colour."""
        return self._score(position) if isinstance(position, Board) else UNKNOWN

    def _score(self, board: Board) -> i64:
        pieces = count(board.own | board.enemy)
        if pieces > self.pieces or not board.own or not board.enemy:
            return UNKNOWN
        if self.values is None:
            self.open()
            return self._score(board)
        return self.values.score(board)

    def open(self) -> Values:
        """Read and check the file; slices are unpacked later."""
        from solver.games.checkers.endgame.file import Archive, best_tables
        from solver.games.checkers.endgame.slices import Values

        archive = Archive(self.path or best_tables())
        self.values = Values(archive)
        self.pieces = archive.pieces
        return self.values


_OPENED: Final[dict[str, EndgameTables]] = {}


def tables(path: str = "") -> EndgameTables:
    """The same object for the same file.  A file named by the user is opened at once, so that
    errors come before a long search."""
    if path not in _OPENED:
        found = EndgameTables(path)
        if path:
            found.open()
        _OPENED[path] = found
    return _OPENED[path]
