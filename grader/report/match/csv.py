"""CSV for spreadsheets: one game to a row."""

from __future__ import annotations

import csv
import io

from grader.match.results import Game, MatchResult, Pair
from grader.report.grading.csv import safe
from grader.report.grading.wording import one_line
from solver.games import game_named

ABOUT = ("opening", "winner", "reason", "forfeit", "plies", "final", "moves")


def render(result: MatchResult) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["pair", *game_named(result.game).SIDES, *ABOUT])
    for pairing in result.pairings:
        for pair in pairing.pairs:
            writer.writerows(map(safe, _row(pair, game)) for game in pair.games)
    return out.getvalue()


def _row(pair: Pair, game: Game) -> list[object]:
    return [
        pair.number,
        *game.players,
        game.opening,
        game.winner,
        one_line(game.reason),
        int(game.forfeit),
        len(game.moves),
        game.final,
        " ".join(move.name for move in game.moves),
    ]
