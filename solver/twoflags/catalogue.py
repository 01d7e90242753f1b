"""The heuristics under their names, and what each of their terms counts."""

from __future__ import annotations

from solver.bits import count
from solver.term import Term
from solver.twoflags import heuristics as h
from solver.twoflags.rules import BLACK_LANDED_AT, RANK_2, RANK_7, SQUARES, WHITE_LANDED_AT, Pawns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Heuristic:
    """A heuristic: its value for the mover, and its terms for White and Black."""

    def __init__(
        self,
        about: str,
        evaluate: Callable[..., int],
        explain: Callable[[Pawns], list[Term]],
    ) -> None:
        self.about = about
        self.evaluate = evaluate
        self.explain = explain


def explain_two_flags(position: Pawns) -> list[Term]:
    landed_white = position.state >> WHITE_LANDED_AT & 0xFF
    landed_black = position.state >> BLACK_LANDED_AT
    if landed_white or landed_black:
        return [Term("a pawn has landed", int(landed_white > 0), int(landed_white == 0), h.WON)]
    white, black = h.white_and_black(position)
    return [
        Term("pawns", count(white), count(black), h.PAWN),
        Term(
            "pawns one step from landing", count(white & RANK_7), count(black & RANK_2), h.LANDING
        ),
        Term("ranks advanced", h.white_advance(white), h.black_advance(black), h.ADVANCE),
        Term("white passed pawns", count(h.white_passed(white, black)), 0, h.WHITE_PASSED),
        Term("black passed pawns", 0, count(h.black_passed(black, white)), h.BLACK_PASSED),
    ]


def explain_race(position: Pawns) -> list[Term]:
    runs = h.race_winner(position)
    white_moves = position.mover() == "white"
    if runs:
        white_wins = (runs > 0) == white_moves
        moves = runs if runs > 0 else -runs
        return [
            Term("wins the race", int(white_wins), int(not white_wins), h.RACE_WON),
            Term("moves it takes", moves if white_wins else 0, 0 if white_wins else moves, -1),
        ]
    white, black = h.white_and_black(position)
    white_takes, black_takes = h.white_attacks(white), h.black_attacks(black)
    white_way = SQUARES & ~(white | black | black_takes)
    black_way = SQUARES & ~(white | black | white_takes)
    white_runs, black_runs = h.white_passed(white, black), h.black_passed(black, white)
    white_steps, black_steps = white << 8 & white_way, black >> 8 & black_way
    white_spare = h.white_spare(white_steps, white_way)
    black_spare = h.black_spare(black_steps, black_way)
    return [
        Term("pawns", count(white), count(black), h.RACE_PAWN),
        Term(
            "pawns in the far half",
            count(white & h.UPPER_HALF),
            count(black & h.LOWER_HALF),
            h.FAR,
        ),
        Term("passed pawns", count(white_runs), count(black_runs), h.PASSED),
        Term(
            "ranks advanced by passed pawns",
            h.white_advance(white_runs),
            h.black_advance(black_runs),
            h.PASSED_RANK,
        ),
        Term("pawns with a safe step", count(white_steps), count(black_steps), h.FREE_PAWN),
        Term("spare moves after it", white_spare, black_spare, h.SPARE_MOVE),
        Term("no safe step at all", int(not white_steps), int(not black_steps), -h.BLOCKADE),
        Term(
            "to move and can take",
            int(white_moves and white_takes & black != 0),
            int(not white_moves and black_takes & white != 0),
            h.CAPTURE,
        ),
    ]


HEURISTICS = {
    "race": Heuristic(
        "who wins the race; else pawns, far and passed ones, safe and spare moves, captures",
        h.race,
        explain_race,
    ),
    "two-flags": Heuristic(
        "pawns, ranks advanced, about to land, passed; weighed for each colour",
        h.two_flags,
        explain_two_flags,
    ),
}
