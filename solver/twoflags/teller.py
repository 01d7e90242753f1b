"""Two Flags moves in words."""

from __future__ import annotations

from solver.explain.teller import Kind, Piece, Teller
from solver.explain.words import listed
from solver.twoflags.heuristics import (
    black_attacks,
    black_passed,
    race_winner,
    squares_above,
    squares_below,
    white_and_black,
    white_attacks,
    white_passed,
)
from solver.twoflags.moves import move_name
from solver.twoflags.rules import BLACK, SIDES, Pawns, each_bit, name_of, other

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.explain.theme import Theme
    from solver.explain.way import Way

PAWN = Kind("pawn", "pawns", 2, ("w", "b"))


class PawnTeller(Teller):
    KINDS = (PAWN,)
    SIDES = SIDES

    def piece(self, parent: Pawns, child: Pawns) -> Piece:
        return Piece(PAWN.name, move_name(parent, child)[:2])

    def deed(self, parent: Pawns, child: Pawns) -> str:
        name = move_name(parent, child)
        start, end = name[:2], name[2:]
        words = f"the pawn on {start} "
        taken = parent.enemy & ~child.own
        if taken:
            last = "the last pawn" if not child.own else f"the pawn on {name_of(taken)}"
            words += f"takes {last}"
            return (
                f"{words} en passant and lands on {end}" if is_en_passant(parent, child) else words
            )
        if is_landing(parent, child):
            return f"{words}reaches the last rank on {end}"
        return f"{words}goes two squares to {end}" if is_double(name) else f"{words}steps to {end}"

    def remarks(self, parent: Pawns, child: Pawns) -> list[str]:
        """What the move has done to the pawn itself, to those it meets, and to others."""
        if is_landing(parent, child) or not child.children():
            return []
        return [*_exposed(parent, child), *_meets(parent, child), *_free(parent, child)]

    def outlook(self, position: Pawns) -> str:
        """By counting: a pawn that nobody can stop lands before any other."""
        race = race_winner(position)
        if not race or not position.children():
            return ""
        mover = position.mover()
        return f"{mover if race > 0 else other(mover)} wins the race from here"

    def theme(self, way: Way) -> Theme:
        from solver.twoflags.themes import theme

        return theme(way)


def is_en_passant(parent: Pawns, child: Pawns) -> bool:
    """The pawn that is taken is not where the taking one has gone."""
    taken, reached = parent.enemy & ~child.own, child.enemy & ~parent.own
    return taken != 0 and taken != reached


def is_landing(parent: Pawns, child: Pawns) -> bool:
    return not child.enemy & ~parent.own


def is_double(name: str) -> bool:
    return abs(int(name[1]) - int(name[3])) == 2


def is_exposed(parent: Pawns, child: Pawns) -> bool:
    """Whether the pawn that has moved can be taken where it has gone."""
    reached = child.enemy & ~parent.own
    takes = black_attacks(child.own) if child.state & BLACK else white_attacks(child.own)
    return takes & reached != 0


def passed_pawns(position: Pawns) -> int:
    """Pawns of both sides with no enemy pawn ahead on their files or beside them, and none of
    their own ahead."""
    white, black = white_and_black(position)
    return white_passed(white, black) & ~squares_below(white) | black_passed(
        black, white
    ) & ~squares_above(black)


def _exposed(parent: Pawns, child: Pawns) -> list[str]:
    if is_exposed(parent, child):
        return [f"{child.mover()} can take it"]
    return [f"{child.mover()} can take it en passant"] if child.passed else []


def _meets(parent: Pawns, child: Pawns) -> list[str]:
    """An enemy pawn right ahead: neither can step on."""
    reached = child.enemy & ~parent.own
    ahead = reached >> 8 if parent.state & BLACK else reached << 8
    return [f"it stops the pawn on {name_of(ahead)}"] if ahead & child.own else []


def _free(parent: Pawns, child: Pawns) -> list[str]:
    """Pawns that are passed now and were not before."""
    before = passed_pawns(parent)
    if before & parent.own & ~child.enemy:
        before |= child.enemy & ~parent.own
    names = [name_of(bit) for bit in each_bit(passed_pawns(child) & ~before)]
    if len(names) > 1:
        return [f"now the pawns on {listed(names)} are passed"]
    return [f"now the pawn on {name} is passed" for name in names]
