"""The openings from which most games were won or lost, with where they led."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from grader.match.results import Game, MatchResult
from grader.report.grading.html.boards import Boards
from grader.report.grading.html.markup import escaped
from grader.report.page.positions import drawing_of
from grader.report.page.tables import paragraph
from solver.errors import counted
from solver.games import game_named

MOST = 6


def openings(result: MatchResult, boards: Boards) -> str:
    by_opening: dict[str, list[Game]] = {}
    for game in result.games:
        by_opening.setdefault(game.opening, []).append(game)
    decisive = {opening: len(_decided(games)) for opening, games in by_opening.items()}
    shown = [opening for opening, count in Counter(decisive).most_common(MOST) if count]
    said = f"{counted(len(by_opening), 'opening')} played"
    if not shown:
        return paragraph(f"{said}; no game was won on the board.")
    cards = "".join(_card(result.game, each, by_opening[each], boards) for each in shown)
    said += ". Those with the most games that were not drawn, and how the shortest of these ended:"
    return f'{paragraph(said)}<div class="cards disputes">{cards}</div>'


def _card(rules: str, opening: str, games: list[Game], boards: Boards) -> str:
    first, second = game_named(rules).SIDES
    won = sum(1 for game in games if game.winner == game.players[0])
    drawn = sum(1 for game in games if not game.winner)
    lost = len(games) - won - drawn
    words = f"{won} won by {first}, {drawn} drawn, {lost} won by {second}"
    shortest = min(_decided(games), key=lambda game: len(game.moves))
    figures = [_figure(rules, "opening", opening, "", boards)]
    if shortest.final:
        note = f"{counted(len(shortest.moves), 'ply', 'plies')}: {shortest.winner} wins"
        figures.append(
            _figure(rules, "the end", shortest.final, f"{note}, {shortest.reason}", boards)
        )
    return (
        f'<article class="card"><h3>{escaped(words)}</h3><p class="facts">{escaped(opening)}</p>'
        f'<div class="boards">{"".join(figures)}</div></article>'
    )


def _decided(games: list[Game]) -> list[Game]:
    """By play, and not by a crash or an illegal move."""
    return [game for game in games if game.winner and not game.forfeit]


def _figure(rules: str, title: str, position: str, note: str, boards: Boards) -> str:
    drawing = drawing_of(rules, position)
    if drawing is None:
        return ""
    return boards.figure(title, replace(drawing, note=note or drawing.note))
