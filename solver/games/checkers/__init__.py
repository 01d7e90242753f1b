"""Checkers (English draughts), on either colour of squares or on both."""

from __future__ import annotations

from solver.errors import UserError
from solver.games import GameOf, ReadBoard
from solver.games.checkers import text
from solver.games.checkers.rules import BOTTOM_ROW, LIGHT, SQUARES, TOP_ROW, Board, each_bit
from solver.search.position import LOST, count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from solver.games import Chance
    from solver.games.checkers.mixed import TwoBoards
    from solver.search.heuristic import Evaluate, Exact

    Checkers = Board | TwoBoards


class CheckersGame(GameOf["Checkers"]):
    NAME = "checkers"
    TITLE = "checkers"
    SIDES = text.SIDES
    FORMATS = ("board", "fen")
    MOST_PIECES = 12
    PIECES: Mapping[str, str] = {
        "r": "red man",
        "b": "black man",
        "R": "red king",
        "B": "black king",
    }
    PDN_SIDES = ("Black", "White")
    PDN_TAGS: Mapping[str, str] = {"GameType": "21", "SetUp": "1"}
    PDN_POSITION = "FEN"
    DEFAULT_HEURISTIC = "patterns"
    PLAINEST_HEURISTIC = "material"

    def recognises(self, content: str) -> bool:
        """A board with only `b` and black to move is left to the other game."""
        if text.looks_like_fen(content):
            return True
        rows, _, last = content.rstrip().rpartition("\n")
        side = last.strip().lower()
        if side == "red" or (side == "black" and set(rows) & set("rRB")):
            content = rows
        return set(content) <= set(".rbRB \t\r\n")

    def means_position(self, line: str) -> bool:
        side, _, rest = line.upper().partition(":")
        first, pieces = rest.strip()[:1], rest.strip()[1:].lstrip()
        return side in ("B", "W") and first in ("B", "W") and pieces[:1] in set("K:0123456789")

    def names_side(self, content: str) -> bool:
        return text.looks_like_fen(content) or super().names_side(content)

    def start(self, files: int = 8) -> str:
        if files != 8:
            raise UserError("Checkers is played on 8 files.")
        return "B:W21-32:B1-12"

    def read(
        self, content: str, source: str, strict: bool, variant: str = ""
    ) -> ReadBoard[Checkers]:
        if text.looks_like_fen(content):
            return text.parse_fen(content, source, strict)
        return text.parse_board(content, source, strict)

    def write(self, position: Checkers, form: str) -> str:
        if form != "fen":
            return str(position)
        if not isinstance(position, Board):
            raise UserError("A board with pieces on both colours has no FEN. Use --format board.")
        return text.fen_text(position)

    def with_side(self, position: Checkers) -> str:
        return f"{position}\n{position.mover()}"

    def beside(self, position: Checkers) -> list[str]:
        if not isinstance(position, Board):
            return [""] * 8
        rows = [range(last - 3, last + 1) for last in range(32, 0, -4)]
        mirrored = position.side & LIGHT != 0
        return [
            " ".join(f"{number:2}" for number in (row if mirrored else reversed(row)))
            for row in rows
        ]

    def is_progress(self, parent: Checkers, child: Checkers) -> bool:
        """Whether the move was a capture or a man's."""
        for before, after in zip(parent.boards(), child.boards(), strict=True):
            here, there = before.own | before.enemy, after.own | after.enemy
            if here & ~before.kings != there & ~after.kings or count(here) != count(there):
                return True
        return False

    def passed(self, position: Checkers) -> Checkers:
        return position.passed()

    def winner_and_reason(self, position: Checkers) -> tuple[str, str] | None:
        here = position.mover()
        other = self.other(here)
        if not any(board.own for board in position.boards()):
            return other, f"{here} has no piece left"
        if not any(board.enemy for board in position.boards()):
            return here, f"{other} has no piece left"
        if position.status() == LOST:
            return other, f"{here} is to move and has no legal move"
        return None

    def evaluator(self, name: str, position: Checkers) -> Evaluate:
        heuristic = self.heuristic_table()[name]
        if isinstance(position, Board):
            return heuristic
        from solver.games.checkers.mixed import OnBothBoards

        return OnBothBoards(heuristic)

    def random_position(
        self, chance: Chance, own: int, other: int, variant: str = "", kings: float = 0.25
    ) -> Checkers:
        """Red to move; `kings` is the share of kings.  No man is on its crowning row."""
        squares = each_bit(SQUARES)
        reds = blacks = crowned = 0
        for number in range(own + other):
            red, king = number < own, chance() < kings
            barred = reds | blacks
            if not king:
                barred |= TOP_ROW if red else BOTTOM_ROW
            bit = squares[int(chance() * 32)]
            while bit & barred:
                bit = squares[int(chance() * 32)]
            if red:
                reds |= bit
            else:
                blacks |= bit
            if king:
                crowned |= bit
        return Board(reds, blacks, crowned, 0)

    def tables(self, path: str = "") -> Exact:
        from solver.games.checkers.endgame.probe import tables

        return tables(path)


game = CheckersGame()
