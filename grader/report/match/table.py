"""Tables for the terminal: who is stronger, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence

from tabulate import tabulate

from grader.match.results import Game, MatchResult, Pairing, Standing
from grader.report.grading.wording import printable
from grader.stats.wording import interval, meaning, percent, signed
from solver.errors import counted

PAIRINGS = ("first", "second", "games", "pairs", "Elo", "95 %", "nElo", "95 %", "LOS")
RANKING = ("", "contestant", "games", "points", "Elo", "95 %", "LOS")
MOST_FORFEITS = 5  # told in full


def render(result: MatchResult) -> str:
    parts = [_head(result)]
    if result.ranked:
        parts += [_ranking(result), _crosstable(result)]
    parts += [_pairings(result), _verdicts(result), _forfeits(result)]
    return printable("\n\n".join(part for part in parts if part)) + "\n"


def _head(result: MatchResult) -> str:
    games = counted(sum(1 for _ in result.games), "game")
    again = "" if result.repeatable else ", not repeatable"
    return (
        f"{result.game}: {games}, {result.conditions}, {result.openings}, seed {result.seed}{again}"
    )


def _ranking(result: MatchResult) -> str:
    rows = [_rank(each) for each in result.standings]
    return _table(rows, RANKING, 2) + "\nElo against all others, taken together."


def _rank(standing: Standing) -> list[str]:
    strength = standing.strength
    return [
        str(standing.rank),
        standing.name,
        str(strength.games),
        f"{standing.points:g}",
        signed(strength.elo),
        interval(strength.elo_low, strength.elo_high),
        percent(strength.los),
    ]


def _crosstable(result: MatchResult) -> str:
    """The points of everybody against everybody."""
    ranked = [each.name for each in result.standings]
    rows = []
    for rank, name in enumerate(ranked, 1):
        played = [result.between(name, other) if other != name else None for other in ranked]
        points = ["" if pairing is None else f"{pairing.points(name):g}" for pairing in played]
        rows.append([str(rank), name, *points])
    return _table(rows, ["", "points", *map(str, range(1, len(ranked) + 1))], 2)


def _pairings(result: MatchResult) -> str:
    rows = [_pairing(each) for each in result.pairings]
    about = "Games won, drawn and lost by the first; its pairs of 0, 1/2, 1, 3/2 and 2 points."
    return f"{_table(rows, PAIRINGS, 2)}\n{about}"


def _pairing(pairing: Pairing) -> list[str]:
    strength = pairing.strength
    return [
        pairing.first,
        pairing.second,
        f"+{pairing.wins} ={pairing.draws} -{pairing.losses}",
        " ".join(map(str, pairing.pentanomial.counts)),
        signed(strength.elo),
        interval(strength.elo_low, strength.elo_high),
        signed(strength.nelo),
        interval(strength.nelo_low, strength.nelo_high),
        percent(strength.los),
    ]


def _verdicts(result: MatchResult) -> str:
    lines = []
    for pairing in result.pairings:
        who = f"{pairing.first} against {pairing.second}"
        if pairing.verdict is not None:
            llr = f"LLR {pairing.verdict.llr:.2f}"
            lines.append(f"{who}: SPRT, {llr}: {pairing.verdict.words}.")
        elif len(result.pairings) == 1:
            lines.append(f"{who}: {meaning(pairing.strength)}")
    return "\n".join(lines)


def _forfeits(result: MatchResult) -> str:
    found = result.forfeits
    if not found:
        return ""
    losers = [game.loser for game in found]
    counts = ", ".join(f"{losers.count(name)} of {name}" for name in dict.fromkeys(losers))
    lines = [f"Lost by a crash or an illegal move: {counts}", *map(_forfeit, found[:MOST_FORFEITS])]
    if len(found) > MOST_FORFEITS:
        lines.append(f"  and {len(found) - MOST_FORFEITS} more")
    return "\n".join(lines)


def _forfeit(game: Game) -> str:
    return f"  {game.reason}\n    in {game.final}"


def _table(rows: list[list[str]], headers: Sequence[str], left: int) -> str:
    aligned = ["left"] * left + ["right"] * (len(headers) - left)
    return tabulate(rows, headers, colalign=aligned, disable_numparse=True)
