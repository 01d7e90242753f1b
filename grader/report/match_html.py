"""A match as one page: the tables of the terminal with charts, and the openings that decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from grader.lab.elo import Strength
from grader.lab.match_results import MatchResult, PlayedGame
from grader.report import html
from grader.report import match_text as tables
from grader.report.boards import Boards, draw_position
from grader.report.charts import Row, interval_chart, stack_chart
from grader.report.text import Table
from solver.errors import counted
from solver.games import game_named

POINTS = ("0", "\N{VULGAR FRACTION ONE HALF}", "1", "1\N{VULGAR FRACTION ONE HALF}", "2")
MOST_OPENINGS = 6


def render_html(result: MatchResult) -> str:
    boards = Boards()
    sections = {"Summary": _summary(result)}
    if result.ranked:
        strengths = [(each.name, each.strength) for each in result.standings]
        chart = html.beside(_elo_chart("Elo against all others together", strengths))
        sections["Standings"] = chart + html.table(tables.ranking_table(result))
        sections["Crosstable"] = html.table(tables.cross_table(result))
    sections["Pairings"] = _pairings(result)
    sections["Forfeits"] = _forfeits(result)
    sections["Openings"] = _openings(result, boards)
    rows = [(each.name, each.about) for each in result.contestants]
    contestants = Table("Contestants", ("name", "how it searches"), rows, 2)
    sections["Contestants"] = html.table(contestants)
    names = ", ".join(each.name for each in result.contestants)
    return html.page("Match", names, boards, sections)


def _summary(result: MatchResult) -> str:
    games = list(result.games)
    drawn = sum(1 for game in games if not game.winner)
    facts = {
        "game": result.game,
        "games": len(games),
        "drawn": f"{100 * drawn / len(games):.0f} %" if games else "-",
        "forfeits": len(result.forfeits),
        "conditions": result.conditions,
        "openings": result.openings,
        "seed": result.seed,
    }
    again = "The same command gives the same games on any machine."
    if not result.repeatable:
        again = "Not reproducible (clock or external engine)."
    return html.tiles(facts) + html.paragraph(again)


def _elo_chart(caption: str, strengths: Iterable[tuple[str, Strength]]) -> str:
    intervals = [
        Row(name, tables.elo_words(each), (each.elo, each.elo_low, each.elo_high))
        for name, each in strengths
    ]
    return html.figure(caption, interval_chart(caption, intervals, "Elo, 95 % interval", zero=0))


def _pairings(result: MatchResult) -> str:
    if not result.pairings:
        return html.paragraph("No games were played.")
    strengths = [(tables.pairing_name(each), each.strength) for each in result.pairings]
    stacks = [
        Row(tables.pairing_name(each), counted(len(each.pairs), "pair"), each.pentanomial.counts)
        for each in result.pairings
    ]
    caption = "Pairs by the points of the first"
    charts = html.beside(
        _elo_chart("Elo of the first", strengths),
        html.figure(caption, stack_chart(caption, stacks, POINTS)),
    )
    notes = html.bullets(tables.conclusions(result), "verdicts")
    content = html.table(tables.pairing_table(result), "n")
    return notes + charts + content + html.paragraph(tables.PAIRS_NOTE)


def _forfeits(result: MatchResult) -> str:
    if not result.forfeits:
        return html.paragraph("None: no crash and no illegal move.")
    rows = [
        (game.loser, game.winner, game.reason, str(len(game.moves)), game.opening)
        for game in result.forfeits
    ]
    heads = ("lost by", "against", "reason", "moves played", "opening")
    return html.table(Table("Forfeits", heads, rows, len(heads)))


def _openings(result: MatchResult, boards: Boards) -> str:
    """The openings from which most games were won or lost, and where they led."""
    by_opening: dict[str, list[PlayedGame]] = {}
    for game in result.games:
        by_opening.setdefault(game.opening, []).append(game)
    decisive = Counter({opening: len(_decided(own)) for opening, own in by_opening.items()})
    shown = [opening for opening, count in decisive.most_common(MOST_OPENINGS) if count]
    about = f"{counted(len(by_opening), 'opening')} played"
    if not shown:
        return html.paragraph(f"{about}; no game was won on the board.")
    about += ". Those with the most decisive games, and how the shortest of these ended:"
    cards = [_card(result.game, each, by_opening[each], boards) for each in shown]
    return html.paragraph(about) + html.cards(cards)


def _decided(games: list[PlayedGame]) -> list[PlayedGame]:
    """By play, and not by a crash or an illegal move."""
    return [game for game in games if game.winner and not game.forfeit]


def _card(
    rules: str, opening: str, games: list[PlayedGame], boards: Boards
) -> tuple[str, str, str]:
    first, second = game_named(rules).SIDES
    won = sum(1 for game in games if game.winner == game.players[0])
    drawn = sum(1 for game in games if not game.winner)
    title = f"{won} won by {first}, {drawn} drawn, {len(games) - won - drawn} won by {second}"
    shortest = min(_decided(games), key=lambda game: len(game.moves))
    plies = counted(len(shortest.moves), "ply", "plies")
    note = f"{plies}: {shortest.winner} wins, {shortest.reason}"
    figures = _figure(rules, "opening", opening, "", boards)
    figures += _figure(rules, "the end", shortest.final, note, boards)
    return title, opening, figures


def _figure(rules: str, title: str, position: str, note: str, boards: Boards) -> str:
    drawing = draw_position(rules, position) if position else None
    return boards.figure(title, replace(drawing, note=note or drawing.note)) if drawing else ""
