"""Checkers moves in words."""

from __future__ import annotations

from solver.bits import count
from solver.checkers.mixed import TwoBoards
from solver.checkers.moves import moved, path
from solver.checkers.rules import LIGHT, Board, name_of, number_of
from solver.explain.teller import Kind, Piece, Teller
from solver.explain.words import listed, pieces, spelled
from solver.standing import FORCED, LOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.explain.theme import Theme
    from solver.explain.way import Way

    Checkers = Board | TwoBoards

MAN = Kind("man", "men", 2, ("r", "b"))
KING = Kind("king", "kings", 3, ("R", "B"))


class CheckersTeller(Teller):
    KINDS = (MAN, KING)
    SIDES = ("red", "black")

    def piece(self, parent: Checkers, child: Checkers) -> Piece:
        before, after = moved(parent, child)
        start, *_, end = path(before, after)
        light = before.side & LIGHT != 0
        numbered = not light and not isinstance(parent, TwoBoards)
        if start == end:
            return Piece(kind_of(before, start), "")
        return Piece(
            kind_of(before, start),
            name_of(start, light),
            str(number_of(start)) if numbered else "",
        )

    def deed(self, parent: Checkers, child: Checkers) -> str:
        before, after = moved(parent, child)
        light = before.side & LIGHT != 0
        squares = path(before, after)
        start, *way = [name_of(bit, light) for bit in squares]
        kind = kind_of(before, squares[0])
        taken = before.enemy & ~after.own
        if not taken:
            verbs = [f"{'goes' if kind == KING.name else 'steps'} to {way[-1]}"]
        elif len(way) == 1:
            verbs = [f"takes {self.named(before, taken, child)}", f"lands on {way[0]}"]
        else:
            round_ = "in a circle back to" if start == way[-1] else "to"
            verbs = [
                f"jumps via {listed(way[:-1])} {round_} {way[-1]}",
                f"takes {self.named(before, taken, child)}",
            ]
        if is_crowned(before, after, squares):
            verbs.append("is crowned")
        return f"the {kind} on {start} {listed(verbs)}"

    def named(self, before: Board, taken: int, child: Checkers | None = None) -> str:
        """Pieces by kind, a single one by its square; or the last ones, if the child has none."""
        men, kings = count(taken & ~before.kings), count(taken & before.kings)
        single = men + kings == 1
        if child is not None and not any(board.own for board in child.boards()):
            if single:
                return f"the last {kind_of(before, taken)}"
            return f"the last {spelled(men + kings)} pieces"
        if single:
            return f"the {kind_of(before, taken)} on {name_of(taken, before.side & LIGHT != 0)}"
        return pieces(self.KINDS, (men, kings))

    def remarks(self, parent: Checkers, child: Checkers) -> list[str]:
        """That the other side must jump, and what; else what is threatened."""
        if child.standing() == FORCED:
            return [f"{child.mover()} must {self.jumping(child)}"]
        before, after = moved(parent, child)
        if before.enemy & ~after.own or child.standing() == LOST:
            return []
        threat = after.passed()
        targets = 0
        for jump in threat.children() if threat.jumpers() else []:
            targets |= threat.enemy & ~jump.own
        return [f"threatens {self.named(threat, targets)}"] if targets else []

    def jumping(self, position: Checkers) -> str:
        """What somebody must do who must jump."""
        jumps = position.children()
        if len(jumps) > 1:
            return f"jump, in one of {spelled(len(jumps))} ways"
        before, after = moved(position, jumps[0])
        return f"take {self.named(before, before.enemy & ~after.own)}"

    def theme(self, way: Way) -> Theme:
        from solver.checkers.themes import theme

        return theme(way)


def kind_of(board: Board, piece: int) -> str:
    return KING.name if piece & board.kings else MAN.name


def is_crowned(before: Board, after: Board, squares: list[int]) -> bool:
    return not squares[0] & before.kings and squares[-1] & after.kings != 0
