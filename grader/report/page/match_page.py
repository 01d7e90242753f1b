"""A match as one static page."""

from __future__ import annotations

from collections.abc import Sequence

from grader.match.results import MatchResult, Pairing, Standing
from grader.report.grading.html.boards import Boards
from grader.report.page.frame import page, section
from grader.report.page.intervals import Interval, interval_plot
from grader.report.page.openings import openings
from grader.report.page.stacks import Stack, kinds_legend, stack_chart
from grader.report.page.tables import Markup, beside, figure, listed, paragraph, table, tiles
from grader.report.page.wording import elo_words, nelo_words
from grader.stats.elo import Strength
from solver.errors import counted

POINTS = ("0", "\N{VULGAR FRACTION ONE HALF}", "1", "1\N{VULGAR FRACTION ONE HALF}", "2")


def match_page(result: MatchResult) -> str:
    boards = Boards()
    names = ", ".join(each.name for each in result.contestants)
    several = result.ranked
    standings = result.standings
    all_round = [
        section("Standings", _strengths(standings), _standings(standings)),
        section("Crosstable", _cross(result, standings)),
    ]
    parts = [
        section("Summary", _summary(result)),
        *(all_round if several else []),
        section("Pairings", _pairings(result.pairings)),
        section("Forfeits", _forfeits(result)),
        section("Openings", openings(result, boards)),
        section("Contestants", _contestants(result)),
    ]
    return page("Match", names, boards, parts)


def _summary(result: MatchResult) -> str:
    games = list(result.games)
    drawn = sum(1 for game in games if not game.winner)
    facts = {
        "game": result.game,
        "games": str(len(games)),
        "drawn": f"{100 * drawn / len(games):.0f} %" if games else "-",
        "forfeits": str(len(result.forfeits)),
        "conditions": result.conditions,
        "openings": result.openings,
        "seed": str(result.seed),
    }
    again = (
        "The same command gives the same games on any machine."
        if result.repeatable
        else "A clock or a foreign program has a say, so these games will not come again."
    )
    return tiles(facts) + paragraph(again)


def _interval(name: str, strength: Strength) -> Interval:
    ends = (strength.elo_low, strength.elo_high)
    return Interval(name, strength.elo, *ends, elo_words(strength))


def _strengths(standings: Sequence[Standing]) -> str:
    caption = "Elo against all others together"
    intervals = [_interval(each.name, each.strength) for each in standings]
    return beside(figure(caption, interval_plot(caption, intervals, "Elo, 95 % interval", zero=0)))


def _standings(standings: Sequence[Standing]) -> str:
    rows = [
        (
            f"{each.rank}. {each.name}",
            f"{each.points:g} of {each.strength.games}",
            f"{100 * each.strength.score:.1f} %",
            elo_words(each.strength),
            nelo_words(each.strength),
            f"{100 * each.strength.los:.1f} %",
        )
        for each in standings
    ]
    heads = ("contestant", "points", "score", "Elo", "normalized Elo", "LOS")
    return table("Standings", heads, rows)


def _cross(result: MatchResult, standings: Sequence[Standing]) -> str:
    """Points of the row against the column, and games won, drawn and lost."""
    names = [each.name for each in standings]
    rows = [
        (f"{row}. {name}", *(_met(result, name, other) for other in names))
        for row, name in enumerate(names, 1)
    ]
    heads = ("", *(str(place) for place in range(1, len(names) + 1)))
    return table("Crosstable", heads, rows, "cross") + paragraph(
        "Points of the row against the column; below, games won, drawn and lost."
    )


def _met(result: MatchResult, name: str, other: str) -> str:
    pairing = result.between(name, other) if name != other else None
    if pairing is None:
        return ""
    won, lost = pairing.wins, pairing.losses
    if pairing.first != name:
        won, lost = lost, won
    return Markup(f"{pairing.points(name):g}<br><small>+{won} ={pairing.draws} -{lost}</small>")


def _pairings(pairings: Sequence[Pairing]) -> str:
    if not pairings:
        return paragraph("Nothing was played.")
    names = [f"{each.first} against {each.second}" for each in pairings]
    strengths = [_interval(name, each.strength) for name, each in zip(names, pairings, strict=True)]
    stacks = [
        Stack(name, each.pentanomial.counts, counted(len(each.pairs), "pair"))
        for name, each in zip(names, pairings, strict=True)
    ]
    elo, pairs = "Elo of the first", "Pairs by the points of the first"
    plots = beside(
        figure(elo, interval_plot(elo, strengths, "Elo, 95 % interval", zero=0)),
        figure(pairs, stack_chart(pairs, stacks, POINTS) + kinds_legend(POINTS)),
    )
    rows = [_row(name, each) for name, each in zip(names, pairings, strict=True)]
    heads = ("pairing", "won", "drawn", "lost", *(f"pairs of {each}" for each in POINTS))
    more = ("Elo", "normalized Elo", "LOS", "LLR")
    verdicts = [
        f"{name}: {each.verdict.words}."
        for name, each in zip(names, pairings, strict=True)
        if each.verdict
    ]
    return listed(verdicts, "verdicts") + plots + table("Pairings", (*heads, *more), rows)


def _row(name: str, pairing: Pairing) -> tuple[str, ...]:
    strength, test = pairing.strength, pairing.verdict
    llr = f"{test.llr:.2f} [{test.lower:.2f}, {test.upper:.2f}]" if test else "-"
    return (
        name,
        str(pairing.wins),
        str(pairing.draws),
        str(pairing.losses),
        *map(str, pairing.pentanomial.counts),
        elo_words(strength),
        nelo_words(strength),
        f"{100 * strength.los:.1f} %",
        llr,
    )


def _forfeits(result: MatchResult) -> str:
    if not result.forfeits:
        return paragraph("None: nobody crashed or broke a rule.")
    rows = [
        (game.loser, game.winner, game.reason, str(len(game.moves)), game.opening)
        for game in result.forfeits
    ]
    heads = ("lost by", "against", "reason", "moves played", "opening")
    return table("Forfeits", heads, rows, "w")


def _contestants(result: MatchResult) -> str:
    rows = [(each.name, each.about) for each in result.contestants]
    return table("Contestants", ("name", "how it searches"), rows, "w")
