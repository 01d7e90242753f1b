"""Matches to draw: three contestants, a duel with a crash, and nobody."""

from __future__ import annotations

from dataclasses import replace

from grader.lab.match_results import (
    ContestantFacts,
    MatchResult,
    Pair,
    Pairing,
    PlayedGame,
    PlayedMove,
)
from grader.lab.stats import Sprt
from support.comparison_examples import NAMES

OPENINGS = ("W:W18,21-32:B1-8,10,11,15", "B:W17,21,22,24-32:B1-8,10-12,14", "W:W21-32:B1-12")
ENDED = "B:W22,K7:BK29"
MOVES = tuple(PlayedMove(name, 6, 12, 1000) for name in ("22-17", "11-15", "17-13"))


def _pair(number: int, first: str, second: str, half_points: int) -> Pair:
    """Of so many half points to the first."""
    mine = min(half_points, 2)
    results = (mine, half_points - mine)
    games = []
    for players, result in zip(((first, second), (second, first)), results, strict=True):
        winner = "" if result == 1 else first if result == 2 else second
        reason = "the endgame tables know" if winner else "40 moves without progress"
        opening = OPENINGS[number % len(OPENINGS)]
        games.append(
            PlayedGame(players, opening, MOVES * (number + 1), winner, reason, False, ENDED)
        )
    return Pair(number, tuple(games))


def pairing(first: str, second: str, counts: tuple[int, int, int, int, int]) -> Pairing:
    results = [half for half, count in enumerate(counts) for _ in range(count)]
    pairs = tuple(_pair(number, first, second, half) for number, half in enumerate(results, 1))
    found = Pairing(first, second, pairs)
    return replace(found, verdict=Sprt(0, 20).verdict(found.pentanomial))


MATCH = MatchResult(
    "checkers",
    tuple(ContestantFacts(name, f"{name}, 1000 nodes a move") for name in NAMES),
    "1000 nodes a move",
    True,
    7,
    "163 openings",
    (
        pairing(NAMES[0], NAMES[1], (1, 5, 20, 9, 4)),
        pairing(NAMES[0], NAMES[2], (0, 1, 6, 20, 12)),
        pairing(NAMES[1], NAMES[2], (0, 0, 0, 0, 39)),
    ),
)
CRASHED = PlayedGame(
    (NAMES[0], NAMES[1]), OPENINGS[0], (), NAMES[0], "crash: exit code 1", True, OPENINGS[0]
)
DUEL = replace(
    MATCH,
    contestants=MATCH.contestants[:2],
    pairings=(Pairing(NAMES[0], NAMES[1], (Pair(1, (CRASHED, replace(CRASHED, winner=""))),)),),
)
EMPTY_MATCH = replace(MATCH, contestants=(), pairings=())
