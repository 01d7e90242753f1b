"""Two Flags: pawns-only chess."""

from __future__ import annotations

from solver.games import GameOf, ReadBoard
from solver.games.rows import drop_mark
from solver.games.twoflags import text
from solver.games.twoflags.rules import (
    BLACK,
    BLACK_LANDED_AT,
    FILES,
    NO_EN_PASSANT,
    SIDES,
    SQUARES,
    WHITE_LANDED_AT,
    Pawns,
    each_bit,
)
from solver.search.position import LOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from solver.games import Chance, Place
    from solver.search.heuristic import Exact


class TwoFlagsGame(GameOf[Pawns]):
    NAME = "twoflags"
    TITLE = "Two Flags"
    SIDES = SIDES
    FORMATS = ("board", "setup")
    VARIANTS = ("no-en-passant",)
    MOST_PIECES = 8
    PIECES: Mapping[str, str] = {"w": "white pawn", "b": "black pawn"}
    PDN_SIDES = ("White", "Black")
    PDN_TAGS: Mapping[str, str] = {"Game": NAME}
    PDN_POSITION = "Setup"
    BOARD_NAMES_SIDE = True
    AFTER_SIDE = "square of en passant"
    DEFAULT_HEURISTIC = "race"
    PLAINEST_HEURISTIC = "two-flags"

    def recognises(self, content: str) -> bool:
        """Not with pieces of checkers; a board without a white pawn must name the side to move."""
        if text.is_setup(content):
            return True
        rows, _, last = content.rstrip().rpartition("\n")
        side = last.lower().split()[:1]
        named = bool(side) and side[0] in SIDES
        letters = set(rows if named else content)
        return (named or "w" in letters) and not letters & set("rRB")

    def means_position(self, line: str) -> bool:
        words = line.lower().split()
        return words[:1] == ["setup"] and len(words) > 1 and text.is_square(words[1][-2:])

    def start(self, files: int = 8) -> str:
        pawns = [f"W{file}2" for file in FILES[:files]] + [f"B{file}7" for file in FILES[:files]]
        return f"Setup {' '.join(pawns)}"

    def read(self, content: str, source: str, strict: bool, variant: str = "") -> ReadBoard[Pawns]:
        state = NO_EN_PASSANT if variant == "no-en-passant" else 0
        if text.is_setup(content):
            content, warnings = drop_mark(content, strict)
            read = ReadBoard(text.parse_setup(content, source, state), "setup")
            read.warnings = warnings
            return read
        return text.parse_board(content, source, state, strict)

    def write(self, position: Pawns, form: str) -> str:
        return text.setup_text(position) if form == "setup" else text.board_text(position)

    def with_side(self, position: Pawns) -> str:
        return text.board_text(position)

    def move_name(self, parent: Pawns, child: Pawns, squares: bool = False) -> str:
        """There is only one notation."""
        return text.move_name(parent, child)

    def move_places(self, parent: Pawns, child: Pawns) -> tuple[list[Place], list[Place]]:
        return text.move_places(parent, child)

    def passed(self, position: Pawns) -> Pawns:
        return Pawns(position.enemy, position.own, 0, position.state ^ BLACK)

    def winner_and_reason(self, position: Pawns) -> tuple[str, str] | None:
        here = position.mover()
        there = self.other(here)
        landed = {
            "white": position.state >> WHITE_LANDED_AT & 0xFF,
            "black": position.state >> BLACK_LANDED_AT,
        }
        for side in (there, here):
            if landed[side]:
                return side, f"a {side} pawn has reached the last rank"
        if not position.own:
            return there, f"{here} has no pawn left"
        if not position.enemy:
            return here, f"{there} has no pawn left"
        if position.status() == LOST:
            return there, f"{here} is to move and has no legal move"
        return None

    def tables(self, path: str = "") -> Exact:
        solved: Exact = self.part("solved").open_solved(path)
        return solved

    def insight(self) -> Exact:
        insight: Exact = self.part("runner").RUNNERS
        return insight

    def random_position(self, chance: Chance, own: int, other: int, variant: str = "") -> Pawns:
        """Anywhere between the last ranks, either side to move."""
        free = each_bit(SQUARES)
        bits = [free.pop(int(chance() * len(free))) for _ in range(own + other)]
        state = BLACK if chance() < 0.5 else 0
        if variant == "no-en-passant":
            state |= NO_EN_PASSANT
        return Pawns(sum(bits[:own]), sum(bits[own:]), 0, state)


game = TwoFlagsGame()
