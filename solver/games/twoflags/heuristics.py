"""Heuristics for Two Flags, each a difference of the two sides.  Functions named after White look
up the board, those named after Black down."""

from __future__ import annotations

from solver.games.twoflags.rules import (
    BLACK,
    BLACK_LANDED_AT,
    NOT_FILE_A,
    NOT_FILE_H,
    RANK_2,
    RANK_7,
    SQUARES,
    WHITE_LANDED_AT,
    Pawns,
)
from solver.games.twoflags.runner import attacked
from solver.search.heuristic import Heuristic, Term
from solver.search.position import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

    from solver.search.position import Position

# The ranks whose distance from rank 2 (White) or rank 7 (Black) has bit 1, 2 or 4.
WHITE_ONES: Final = 0xFF00FF00FF00
WHITE_TWOS: Final = 0x0000FFFF0000
WHITE_FOURS: Final = 0xFFFF00000000
BLACK_ONES: Final = 0x00FF00FF00FF
BLACK_TWOS: Final = 0x0000FFFF0000
BLACK_FOURS: Final = 0x00000000FFFF

NEVER: Final = 99  # moves to land without pawns

# The weights of `two-flags`.
WON: Final = 10_000
PAWN: Final = 40
LANDING: Final = 1_000
ADVANCE: Final = 30
WHITE_PASSED: Final = 150
BLACK_PASSED: Final = 250

# The weights of `race`.
RACE_WON: Final = 100_000
RACE_PAWN: Final = 100
PASSED: Final = 48
PASSED_RANK: Final = 38
FREE_PAWN: Final = 41
SPARE_MOVE: Final = 12
CAPTURE: Final = 122
BLOCKADE: Final = 30


def white_and_black(position: Pawns) -> tuple[i64, i64]:
    if position.state & BLACK:
        return position.enemy, position.own
    return position.own, position.enemy


def white_advance(white: i64) -> i64:
    """The ranks that White's pawns have advanced, in total."""
    return (
        count(white & WHITE_ONES) + 2 * count(white & WHITE_TWOS) + 4 * count(white & WHITE_FOURS)
    )


def black_advance(black: i64) -> i64:
    return (
        count(black & BLACK_ONES) + 2 * count(black & BLACK_TWOS) + 4 * count(black & BLACK_FOURS)
    )


def white_passed(white: i64, others: i64) -> i64:
    """White's pawns with none of `others` ahead on their own or a neighbouring file."""
    return white & ~widen(squares_below(others))


def black_passed(black: i64, others: i64) -> i64:
    return black & ~widen(squares_above(others))


def squares_below(pawns: i64) -> i64:
    """Every square further down a file than a pawn."""
    below = pawns >> 8
    below |= below >> 8
    below |= below >> 16
    return below | below >> 32


def squares_above(pawns: i64) -> i64:
    above = pawns << 8 & SQUARES
    above |= above << 8
    above |= (above & 0xFFFFFFFF) << 16
    return (above | (above & 0xFFFF) << 32) & SQUARES


def widen(squares: i64) -> i64:
    """These squares and their left and right neighbours."""
    return squares | (squares & NOT_FILE_A) >> 1 | (squares & NOT_FILE_H) << 1


def white_moves(white: i64) -> i64:
    """The fewest moves in which White could land on an empty board."""
    if white >> 40:
        return 1
    if white >> 32:
        return 2
    if white >> 24:
        return 3
    if white >> 16:
        return 4
    return 5 if white else NEVER


def black_moves(black: i64) -> i64:
    if black & RANK_2:
        return 1
    if black & 0xFFFF:
        return 2
    if black & 0xFFFFFF:
        return 3
    if black & 0xFFFFFFFF:
        return 4
    return 5 if black else NEVER


def race_winner(position: Pawns) -> i64:
    """The moves of an unstoppable pawn that wins the race: positive for the mover, negative for the
    opponent, 0 if the race decides nothing.

    A pawn is unstoppable if no pawn is ahead on its own or a neighbouring file.  The mover wins if
    such a pawn lands no later than any enemy pawn could, and loses if an enemy one lands before any
    of its own.  En passant changes nothing: a pawn that can be taken so is slower than its
    neighbour, and no capture lands ahead of it.
    """
    white, black = white_and_black(position)
    both = white | black
    white_runs = white_moves(white_passed(white, both))
    black_runs = black_moves(black_passed(black, both))
    if position.state & BLACK:
        return _race(black_runs, black_moves(black), white_runs, white_moves(white))
    return _race(white_runs, white_moves(white), black_runs, black_moves(black))


def _race(own_runs: i64, own: i64, enemy_runs: i64, enemy: i64) -> i64:
    """From the moves of the runners and of the fastest pawns."""
    if own_runs <= enemy and own_runs != NEVER:
        return own_runs
    return -enemy_runs if enemy_runs < own else 0


def white_freedom(forward: i64, way: i64) -> i64:
    """The value of White's steps and those that may follow."""
    steps = forward & way
    if not steps:
        return -BLOCKADE
    return FREE_PAWN * count(steps) + SPARE_MOVE * white_spare(steps, way)


def black_freedom(forward: i64, way: i64) -> i64:
    steps = forward & way
    if not steps:
        return -BLOCKADE
    return FREE_PAWN * count(steps) + SPARE_MOVE * black_spare(steps, way)


def white_attacks(white: i64) -> i64:
    """The squares that White's pawns attack."""
    forward = white << 8
    return (forward & NOT_FILE_A) >> 1 | (forward & NOT_FILE_H) << 1


def white_spare(steps: i64, way: i64) -> i64:
    """White's single steps after the first, before each pawn is stopped."""
    two = steps << 8 & way
    three = two << 8 & way
    return count(two) + count(three) + count(three << 8 & way)


def black_spare(steps: i64, way: i64) -> i64:
    two = steps >> 8 & way
    three = two >> 8 & way
    return count(two) + count(three) + count(three >> 8 & way)


class TwoFlags(Heuristic):
    def value(self, position: Position) -> i64:
        assert isinstance(position, Pawns)
        landed = position.state >> WHITE_LANDED_AT
        if landed:
            value: i64 = WON if landed & 0xFF else -WON
        else:
            white, black = white_and_black(position)
            value = (
                PAWN * (count(white) - count(black))
                + LANDING * (count(white & RANK_7) - count(black & RANK_2))
                + ADVANCE * (white_advance(white) - black_advance(black))
                + WHITE_PASSED * count(white_passed(white, black))
                - BLACK_PASSED * count(black_passed(black, white))
            )
        return -value if position.state & BLACK else value

    def about(self) -> str:
        return "pawns, ranks advanced, about to land, passed; weighed for each colour"

    def terms(self, position: Position) -> list[Term]:
        assert isinstance(position, Pawns)
        landed_white = position.state >> WHITE_LANDED_AT & 0xFF
        landed_black = position.state >> BLACK_LANDED_AT
        if landed_white or landed_black:
            return [Term("a pawn has landed", int(landed_white > 0), int(landed_white == 0), WON)]
        white, black = white_and_black(position)
        return [
            Term("pawns", count(white), count(black), PAWN),
            Term(
                "pawns one step from landing", count(white & RANK_7), count(black & RANK_2), LANDING
            ),
            Term("ranks advanced", white_advance(white), black_advance(black), ADVANCE),
            Term("white passed pawns", count(white_passed(white, black)), 0, WHITE_PASSED),
            Term("black passed pawns", 0, count(black_passed(black, white)), BLACK_PASSED),
        ]


class Race(Heuristic):
    """The race if it decides the game; else pawns, advancement and mobility.  Code that has a name
    elsewhere is written out here for speed."""

    def value(self, position: Position) -> i64:
        assert isinstance(position, Pawns)
        white = position.own
        black = position.enemy
        if position.state & BLACK:
            white = position.enemy
            black = position.own
        value = RACE_PAWN * (count(white) - count(black))
        white_runs = white_passed(white, black)
        black_runs = black_passed(black, white)
        if white_runs or black_runs:
            runs = race_winner(position)
            if runs > 0:
                return RACE_WON - runs
            if runs < 0:
                return -RACE_WON - runs
            value += PASSED * (count(white_runs) - count(black_runs))
            value += PASSED_RANK * (white_advance(white_runs) - black_advance(black_runs))
        up = white << 8
        down = black >> 8
        white_takes = (up & NOT_FILE_A) >> 1 | (up & NOT_FILE_H) << 1
        black_takes = (down & NOT_FILE_A) >> 1 | (down & NOT_FILE_H) << 1
        empty = SQUARES ^ (white | black)
        value += white_freedom(up, empty & ~black_takes)
        value -= black_freedom(down, empty & ~white_takes)
        if position.state & BLACK:
            return CAPTURE - value if black_takes & white else -value
        return value + CAPTURE if white_takes & black else value

    def about(self) -> str:
        return "who wins the race; else pawns, passed ones, safe and spare moves, captures"

    def terms(self, position: Position) -> list[Term]:
        assert isinstance(position, Pawns)
        runs = race_winner(position)
        white_to_move = position.mover() == "white"
        if runs:
            white_wins = (runs > 0) == white_to_move
            moves = runs if runs > 0 else -runs
            return [
                Term("wins the race", int(white_wins), int(not white_wins), RACE_WON),
                Term("moves it takes", moves if white_wins else 0, 0 if white_wins else moves, -1),
            ]
        white, black = white_and_black(position)
        white_takes, black_takes = white_attacks(white), attacked(black)
        white_way = SQUARES & ~(white | black | black_takes)
        black_way = SQUARES & ~(white | black | white_takes)
        white_runs, black_runs = white_passed(white, black), black_passed(black, white)
        white_steps, black_steps = white << 8 & white_way, black >> 8 & black_way
        return [
            Term("pawns", count(white), count(black), RACE_PAWN),
            Term("passed pawns", count(white_runs), count(black_runs), PASSED),
            Term(
                "ranks advanced by passed pawns",
                white_advance(white_runs),
                black_advance(black_runs),
                PASSED_RANK,
            ),
            Term("pawns with a safe step", count(white_steps), count(black_steps), FREE_PAWN),
            Term(
                "spare moves after it",
                white_spare(white_steps, white_way),
                black_spare(black_steps, black_way),
                SPARE_MOVE,
            ),
            Term("no safe step at all", int(not white_steps), int(not black_steps), -BLOCKADE),
            Term(
                "to move and can take",
                int(white_to_move and white_takes & black != 0),
                int(not white_to_move and black_takes & white != 0),
                CAPTURE,
            ),
        ]


HEURISTICS: Final[dict[str, Heuristic]] = {"race": Race(), "two-flags": TwoFlags()}
