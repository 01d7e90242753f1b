"""What proofs know about Two Flags without search: the runner rule, symmetry, promising moves.

The runner rule: one pawn makes a move and from then on only steps, while the other pawns of its
side stand still.  The enemy gets every square that any of its pawns could reach by then, through
its own pawns if need be.  If it can never stand on the runner's next square nor attack it, and has
not landed before, the runner lands.  As long as the runner can step, its side is not beaten.
"""

from __future__ import annotations

from solver.games.twoflags.rules import (
    BLACK,
    NO_EN_PASSANT,
    NOT_FILE_A,
    NOT_FILE_H,
    RANK_2,
    RANK_3,
    RANK_7,
    SQUARES,
    WHITE_LANDED_AT,
    Pawns,
)
from solver.search.heuristic import Exact
from solver.search.position import count
from solver.search.score import loss_in, win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.search.position import Position

# How promising a move is.
CAPTURE: Final = 512
SAFE: Final = 256  # not attacked where it ends
DOUBLE_STEP: Final = 8
RANK: Final = 4  # for each rank


def flip(squares: i64) -> i64:
    """Rank 2 becomes rank 7."""
    squares = squares >> 24 | (squares & 0xFFFFFF) << 24
    ends = squares & 0x0000FF0000FF
    return squares >> 16 & 0x0000FF0000FF | ends << 16 | squares & 0x00FF0000FF00


def mirror(squares: i64) -> i64:
    """File a becomes file h."""
    squares = squares >> 1 & 0x555555555555 | (squares & 0x555555555555) << 1
    squares = squares >> 2 & 0x333333333333 | (squares & 0x333333333333) << 2
    return squares >> 4 & 0x0F0F0F0F0F0F | (squares & 0x0F0F0F0F0F0F) << 4


def left_of(pawns: i64) -> i64:
    """The number of empty files left of all pawns."""
    pawns |= pawns >> 24
    pawns |= pawns >> 16 | pawns >> 8
    return count((pawns & -pawns) - 1 & 0x7F)


def attacked(pawns: i64) -> i64:
    """The squares that pawns on their way down attack."""
    down = pawns >> 8
    return (down & NOT_FILE_A) >> 1 | (down & NOT_FILE_H) << 1


def reach(pawns: i64, own: i64, still: i64) -> i64:
    """Where pawns on their way down can be after one more move, past those of `own` that certainly
    stand still; any of `own` may be there to be captured."""
    steps = pawns >> 8 & ~still
    double = (pawns & RANK_7) >> 8 & ~still
    return pawns | steps | double >> 8 & ~still | attacked(pawns) & own


def run(runners: i64, enemy: i64, own: i64, still: i64) -> i64:
    """The moves until one of the runners, which are on their way up and not attacked, lands; the
    enemy is to move.  `own` are the pawns before any of them has moved, and `still` those of which
    no runner comes.  If none is certain to land, the moves for which one is certain to go on,
    negated and less one."""
    moves: i64 = 0
    while runners and not enemy & RANK_2:
        if runners & RANK_7:
            return moves + 1
        enemy = reach(enemy, own, still)
        runners = runners << 8 & ~(enemy | own | attacked(enemy))
        if runners:
            moves += 1
    return -1 - moves


def steps(pawns: i64, taken: i64, attack: i64, safe_pass: i64) -> i64:
    """The squares where pawns on their way up are after one step or two, not attacked.  Where a
    pawn passes may be attacked only if that is a `safe_pass`."""
    single = pawns << 8 & SQUARES & ~taken
    double = (single & RANK_3 & (safe_pass | ~attack)) << 8 & ~taken
    return (single | double) & ~attack


class Runners(Exact):
    """Positions are asked about in their simplest form: White to move, in one of two mirror
    images, without empty files left of all pawns."""

    def game_ends(self) -> bool:
        return True

    def simplest(self, position: Position) -> Position:
        assert isinstance(position, Pawns)
        own, enemy, passed, state = position.own, position.enemy, position.passed, position.state
        if state >> WHITE_LANDED_AT:
            return position
        if state & BLACK:
            own, enemy, passed, state = flip(own), flip(enemy), flip(passed), state ^ BLACK
        files = left_of(own | enemy)
        own, enemy, passed = own >> files, enemy >> files, passed >> files
        image = mirror(own | enemy)
        files = left_of(image)
        mirrored = mirror(own) >> files
        if mirrored < own or (mirrored == own and image >> files ^ mirrored < enemy):
            own, enemy, passed = mirrored, image >> files ^ mirrored, mirror(passed) >> files
        return Pawns(own, enemy, passed, state)

    def at_least(self, position: Position) -> i64:
        assert isinstance(position, Pawns)
        own, enemy = position.own, position.enemy
        if own & RANK_7:
            return win_in(1)
        attack = attacked(enemy)
        safe_pass: i64 = SQUARES if position.state & NO_EN_PASSANT else 0
        moves = run(steps(own, own | enemy, attack, safe_pass), enemy, own, own)
        if moves > 0:
            return win_in(2 * moves + 1)
        targets = (enemy | position.passed) & ~attack
        left = (own << 8 & NOT_FILE_A) >> 1 & targets
        right = (own << 8 & NOT_FILE_H) << 1 & targets
        if left or right:
            still = own & ~(left >> 7 | right >> 9)
            taking = run(left | right, enemy, own, still)
            if taking > 0:
                return win_in(2 * taking + 1)
            if taking < moves:
                moves = taking
        return loss_in(-2 * moves)

    def at_most(self, position: Position) -> i64:
        assert isinstance(position, Pawns)
        if position.passed:
            return win_in(1)
        own, enemy = flip(position.enemy), flip(position.own)
        if enemy & RANK_2:
            return win_in(1)
        runners = own & ~attacked(enemy)
        if runners & RANK_7:
            return loss_in(2)
        enemy = reach(enemy, own, own)
        safe_pass: i64 = SQUARES if position.state & NO_EN_PASSANT else 0
        runners = steps(runners, own | enemy, attacked(enemy), safe_pass)
        if not runners:
            return win_in(1)
        moves = run(runners, enemy, own, own)
        return loss_in(2 * moves + 2) if moves > 0 else win_in(1 - 2 * moves)

    def replies(self, position: Position) -> i64:
        assert isinstance(position, Pawns)
        own, enemy = position.own, position.enemy
        empty = SQUARES ^ (own | enemy)
        forward = own << 8
        single = forward & empty
        targets = enemy | position.passed
        return (
            count(own & RANK_7)
            + count(single)
            + count((single & RANK_3) << 8 & empty)
            + count((forward & NOT_FILE_A) >> 1 & targets)
            + count((forward & NOT_FILE_H) << 1 & targets)
        )

    def promise(self, position: Position, child: Position) -> i64:
        assert isinstance(position, Pawns)
        assert isinstance(child, Pawns)
        to = child.enemy & ~position.own
        promise: i64 = 0 if to & attacked(child.own) else SAFE
        if child.own != position.enemy:
            promise += CAPTURE
        elif to >> 16 & position.own and not to >> 16 & child.enemy:
            promise += DOUBLE_STEP
        while to > RANK_2:
            to >>= 8
            promise += RANK
        return promise


RUNNERS: Final = Runners()
