"""Checkers moves in words."""

from __future__ import annotations

from solver.explain.compare import GameValue, game_value
from solver.explain.describe import (
    Describer,
    Kind,
    Piece,
    Theme,
    join_words,
    name_pieces,
    number_word,
    read_themes,
)
from solver.explain.story import Trade, Way
from solver.games.checkers.mixed import TwoBoards
from solver.games.checkers.moves import moved, path
from solver.games.checkers.rules import LIGHT, Board, name_of
from solver.search.position import FORCED, LOST, count

Checkers = Board | TwoBoards

MAN = Kind("man", "men", 2, ("r", "b"))
KING = Kind("king", "kings", 3, ("R", "B"))
SOON = 8  # plies within which a crowning or a shot is the theme
FEW = 4  # pieces up to which the opposition decides
FACE_TO_FACE = 25  # plies for the opposition
THEMES = read_themes(__file__)


class CheckersDescriber(Describer[Checkers]):
    KINDS = (MAN, KING)
    SIDES = ("red", "black")

    def piece(self, parent: Checkers, child: Checkers) -> Piece:
        before, after = moved(parent, child)
        start, *_, end = path(before, after)
        square = "" if start == end else name_of(start, before.side & LIGHT != 0)
        return Piece(kind_of(before, start), square)

    def describe_move(self, parent: Checkers, child: Checkers) -> str:
        before, after = moved(parent, child)
        light = before.side & LIGHT != 0
        squares = path(before, after)
        start, *way = [name_of(bit, light) for bit in squares]
        kind = kind_of(before, squares[0])
        taken = before.enemy & ~after.own
        if not taken:
            verbs = [f"{'goes' if kind == KING.name else 'steps'} to {way[-1]}"]
        elif len(way) == 1:
            verbs = [f"takes {self.name_taken(before, taken, child)}", f"lands on {way[0]}"]
        else:
            round_ = "in a circle back to" if start == way[-1] else "to"
            verbs = [
                f"jumps via {join_words(way[:-1])} {round_} {way[-1]}",
                f"takes {self.name_taken(before, taken, child)}",
            ]
        if not squares[0] & before.kings and squares[-1] & after.kings:
            verbs.append("is crowned")
        return f"the {kind} on {start} {join_words(verbs)}"

    def name_taken(self, before: Board, taken: int, child: Checkers | None = None) -> str:
        """Pieces by kind, a single one by its square; `the last ...` if the child has none."""
        men, kings = count(taken & ~before.kings), count(taken & before.kings)
        single = men + kings == 1
        if child is not None and not any(board.own for board in child.boards()):
            if single:
                return f"the last {kind_of(before, taken)}"
            return f"the last {number_word(men + kings)} pieces"
        if single:
            return f"the {kind_of(before, taken)} on {name_of(taken, before.side & LIGHT != 0)}"
        return name_pieces(self.KINDS, (men, kings))

    def remarks(self, parent: Checkers, child: Checkers) -> list[str]:
        """A compulsory jump of the other side, or else a threat."""
        if child.status() == FORCED:
            return [f"{child.mover()} must {self.describe_jump(child)}"]
        before, after = moved(parent, child)
        if before.enemy & ~after.own or child.status() == LOST:
            return []
        threat = after.passed()
        targets = 0
        for jump in threat.children() if threat.jumpers() else []:
            targets |= threat.enemy & ~jump.own
        return [f"threatens {self.name_taken(threat, targets)}"] if targets else []

    def describe_jump(self, position: Checkers) -> str:
        jumps = position.children()
        if len(jumps) > 1:
            return f"jump, in one of {number_word(len(jumps))} ways"
        before, after = moved(position, jumps[0])
        return f"take {self.name_taken(before, before.enemy & ~after.own)}"

    def theme(self, way: Way) -> Theme:
        """The most striking feature of the line."""
        _, trade = _first_exchange(way)
        return THEMES[_theme(way)].fill(
            other=way.other,
            taken=number_word(way.ledger.takes(1)),
            given=name_pieces(self.KINDS, trade.lost),
            gained=name_pieces(self.KINDS, trade.taken),
        )


DESCRIBER = CheckersDescriber()


def kind_of(board: Board, piece: int) -> str:
    return KING.name if piece & board.kings else MAN.name


# The theme of a line.


def _theme(way: Way) -> str:
    if way.plies == 1 and way.last.status() == LOST:
        return "the last pieces" if way.ledger.takes(1) else "no move left"
    if way.ledger.takes(1):
        return _jump(way)
    if way.ledger.takes(2):
        return _combination(way)
    if way.ledger.crowns(1):
        return "crowning"
    result = game_value(way.result)
    if result is GameValue.DRAW:
        return "holding a draw"
    if result is GameValue.WIN and _is_shut_in(way):
        return "shutting in"
    if result is GameValue.WIN and _is_opposition(way):
        return "the opposition"
    found = _prepared(way) or _gain(way)
    if found or _crowns_soon(way):
        return found or "the way to the last row"
    if result is GameValue.WIN:
        kings = way.mover[0].upper() in str(way.root)
        return "technique with kings" if kings else "the right moment"
    return "an attack" if _threatens(way, 1) else "a quiet move"


def _jump(way: Way) -> str:
    """A jump is compulsory, and there is a choice."""
    taken = way.ledger.takes(1)
    name = "a multiple jump" if taken > 1 else "a choice of jumps"
    if taken < max(_pieces(way.root) - _pieces(child) for child in way.root.children()):
        return f"{name} (not the longest)"
    return f"{name} (answered)" if way.ledger.takes(2) else name


def _pieces(position: object) -> int:
    return sum(letter.isalpha() for letter in str(position))


def _first_exchange(way: Way) -> tuple[int, Trade]:
    """The ply at which it begins, 0 if there is none, and what is taken and lost."""
    first, last = next(iter(way.ledger.exchanges()), (0, -1))
    return first, way.ledger.trade(first, last)


def _worth(way: Way) -> int:
    """What the mover gains by the first exchange."""
    _, trade = _first_exchange(way)
    return way.ledger.points(trade.taken) - way.ledger.points(trade.lost)


def _combination(way: Way) -> str:
    """A piece is given first."""
    worth, crowns = _worth(way), way.ledger.crowns(1)
    if worth >= 0:
        exchange = "crowning (won back)" if crowns else "an exchange"
        return "a shot" if worth else exchange
    if crowns:
        return "crowning (worth more)"
    if game_value(way.result) is GameValue.UNPROVEN and way.result.score < 0:
        return "the smallest loss"
    return "ignoring a threat" if _threatens(way, 0) else "a sacrifice"


def _prepared(way: Way) -> str:
    """A quiet move, soon followed by an offer; empty if it is not."""
    first, _ = _first_exchange(way)
    if not first & 1 or way.ledger.takes(first) or first > SOON:
        return ""
    worth = _worth(way)
    follows = "a shot" if worth > 0 else "a sacrifice" if worth else "an exchange"
    return f"a prepared blow ({follows})"


def _gain(way: Way) -> str:
    """Something is won without an offer; empty if it is not."""
    first, _ = _first_exchange(way)
    if not first or first & 1 or first > SOON or _worth(way) <= 0:
        return ""
    return "a threat" if _threatens(way, first - 1) else "a squeeze"


def _threatens(way: Way, ply: int) -> bool:
    """Whether the side that is not to move after that ply threatens to take something."""
    position = way.positions[ply]
    assert isinstance(position, Board | TwoBoards)
    return position.passed().status() == FORCED


def _is_shut_in(way: Way) -> bool:
    """The other side has pieces left and cannot move."""
    return way.last.status() == LOST and way.other[0] in str(way.last).lower()


def _is_opposition(way: Way) -> bool:
    """Few pieces, equal numbers, and the other side has to give way."""
    board = str(way.root).lower()
    own, others = board.count(way.mover[0]), board.count(way.other[0])
    return own == others and own + others <= FEW and way.plies <= FACE_TO_FACE


def _crowns_soon(way: Way) -> bool:
    return any(way.ledger.crowns(ply) for ply in range(1, min(way.plies, SOON) + 1, 2))
