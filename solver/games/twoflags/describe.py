"""Two Flags moves in words."""

from __future__ import annotations

from solver.explain.compare import GameValue, game_value
from solver.explain.describe import Describer, Kind, Piece, Theme, join_words, read_themes
from solver.explain.story import Way
from solver.games.twoflags.heuristics import (
    RACE_WON,
    black_passed,
    race_winner,
    squares_above,
    squares_below,
    white_and_black,
    white_attacks,
    white_passed,
)
from solver.games.twoflags.rules import BLACK, SIDES, Pawns, each_bit, name_of, other
from solver.games.twoflags.runner import attacked
from solver.games.twoflags.text import move_name
from solver.search.position import LOST

PAWN = Kind("pawn", "pawns", 2, ("w", "b"))
CERTAIN = RACE_WON // 2  # larger estimates mean a decided race
THEMES = read_themes(__file__)


class PawnDescriber(Describer[Pawns]):
    KINDS = (PAWN,)
    SIDES = SIDES

    def piece(self, parent: Pawns, child: Pawns) -> Piece:
        return Piece(PAWN.name, move_name(parent, child)[:2])

    def describe_move(self, parent: Pawns, child: Pawns) -> str:
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
        double = abs(int(start[1]) - int(end[1])) == 2
        return f"{words}goes two squares to {end}" if double else f"{words}steps to {end}"

    def remarks(self, parent: Pawns, child: Pawns) -> list[str]:
        """What the move means for the pawn, for those it meets, and for others."""
        if is_landing(parent, child) or not child.children():
            return []
        return [*_exposed(parent, child), *_meets(parent, child), *_free(parent, child)]

    def outlook(self, position: Pawns) -> str:
        """An unstoppable pawn that lands first."""
        race = race_winner(position)
        if not race or not position.children():
            return ""
        mover = position.mover()
        return f"{mover if race > 0 else other(mover)} wins the race from here"

    def theme(self, way: Way) -> Theme:
        """The most striking feature of the line."""
        return THEMES[_theme(way)].fill(other=way.other)


DESCRIBER = PawnDescriber()


def is_en_passant(parent: Pawns, child: Pawns) -> bool:
    taken, reached = parent.enemy & ~child.own, child.enemy & ~parent.own
    return taken != 0 and taken != reached


def is_landing(parent: Pawns, child: Pawns) -> bool:
    return not child.enemy & ~parent.own


def passed_pawns(position: Pawns) -> int:
    """Pawns of both sides with no enemy pawn ahead on their own or a neighbouring file, and no own
    pawn ahead."""
    white, black = white_and_black(position)
    return white_passed(white, black) & ~squares_below(white) | black_passed(
        black, white
    ) & ~squares_above(black)


def _exposed(parent: Pawns, child: Pawns) -> list[str]:
    """Whether the pawn that has moved can be taken."""
    takes = attacked(child.own) if child.state & BLACK else white_attacks(child.own)
    if takes & child.enemy & ~parent.own:
        return [f"{child.mover()} can take it"]
    return [f"{child.mover()} can take it en passant"] if child.passed else []


def _meets(parent: Pawns, child: Pawns) -> list[str]:
    """An enemy pawn right ahead."""
    reached = child.enemy & ~parent.own
    ahead = reached >> 8 if parent.state & BLACK else reached << 8
    return [f"it stops the pawn on {name_of(ahead)}"] if ahead & child.own else []


def _free(parent: Pawns, child: Pawns) -> list[str]:
    """Pawns that have just become passed."""
    before = passed_pawns(parent)
    if before & parent.own & ~child.enemy:
        before |= child.enemy & ~parent.own
    names = [name_of(bit) for bit in each_bit(passed_pawns(child) & ~before)]
    if len(names) > 1:
        return [f"now the pawns on {join_words(names)} are passed"]
    return [f"now the pawn on {name} is passed" for name in names]


# The theme of a line.


def _theme(way: Way) -> str:
    if way.plies == 1 and way.last.status() == LOST:
        if is_landing(_pawns(way, 0), _pawns(way, 1)):
            return "the last step"
        return "the last pawn" if way.ledger.takes(1) else "no move left"
    if _takes_en_passant(way, 1):
        return "en passant"
    if way.ledger.takes(1):
        return "a capture"
    if way.ledger.takes(2):
        return _given(way)
    if _is_run(way):
        return "the race"
    if game_value(way.result) is GameValue.WIN and _is_blockade(way):
        return "a blockade"
    return _later(way)


def _given(way: Way) -> str:
    """The reply takes a pawn.  If a pawn lands in the end, everything given counts."""
    ledger = way.ledger
    trade = ledger.trade(1, way.plies if _lands(way) else ledger.combination())
    worth = ledger.points(trade.taken) - ledger.points(trade.lost)
    if _takes_en_passant(way, 2):
        return "inviting en passant"
    if worth >= 0:
        return "winning a pawn" if worth else "an exchange"
    return "a sacrifice to lock" if _is_blockade(way) else "a breakthrough"


def _is_run(way: Way) -> bool:
    """The pawn that moves first goes on to the last rank, or is known to get there."""
    child = _pawns(way, 1)
    reached = child.enemy & ~_pawns(way, 0).own
    free = passed_pawns(child) & reached != 0
    if game_value(way.result) is not GameValue.WIN:
        return free and way.result.score > CERTAIN
    square = way.names[0][2:]
    for name in way.names[2::2]:
        square = name[2:] if name[:2] == square else square
    return free and square[1] in "18"


def _is_blockade(way: Way) -> bool:
    last = _pawns(way, way.plies)
    return way.last.status() == LOST and last.own != 0 and not _lands(way)


def _later(way: Way) -> str:
    """Nothing is taken at once."""
    ledger = way.ledger
    if any(_takes_en_passant(way, ply) for ply in range(3, way.plies + 1)):
        return "en passant in the air"
    first = next((ply for ply in range(3, way.plies + 1) if ledger.takes(ply)), 0)
    if first and not first & 1:
        trade = ledger.trade(first, ledger.combination(first))
        if sum(trade.lost) > sum(trade.taken):
            return "a prepared breakthrough"
    return "zugzwang (won)" if game_value(way.result) is GameValue.WIN else "zugzwang"


def _lands(way: Way) -> bool:
    return way.names[-1][3] in "18"


def _takes_en_passant(way: Way, ply: int) -> bool:
    return ply <= way.plies and is_en_passant(_pawns(way, ply - 1), _pawns(way, ply))


def _pawns(way: Way, ply: int) -> Pawns:
    position = way.positions[ply]
    assert isinstance(position, Pawns)
    return position
