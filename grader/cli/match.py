"""`grader match`: games between variants and engines, with error bars."""

from __future__ import annotations

import argparse

from grader.cli.match_options import journal_of, make_parser, openings_of, plan_of, sprt_of
from grader.cli.options import Form, checked_forms, jobs_of, progress, write_forms
from grader.lab.engines import Engine
from grader.lab.match_log import KeptGames, kept_games
from grader.lab.match_plan import MatchPlan
from grader.lab.match_results import MatchResult
from grader.lab.openings import as_text, every_opening, playable
from grader.lab.recount import recount
from grader.lab.sprt import Decision
from grader.lab.tournament import Tournament
from grader.report import render_match
from grader.sandbox import Refused, choose_level
from grader.sandbox.job import Sandbox
from solver.cli.console import tell
from solver.cli.files import check_output, write_text
from solver.errors import FileError, UserError, counted
from solver.games import game_named

__all__ = ["make_parser", "run"]

NOT_ACCEPTED = 1
AGAIN = "To continue after an interruption, run the same command again."


def run(arguments: argparse.Namespace) -> int:
    if arguments.write_openings is not None:
        return _write_openings(arguments)
    if arguments.games is not None:
        return _recount(arguments)
    plan = plan_of(arguments)
    journal = journal_of(arguments, plan)
    forms = checked_forms(arguments.outputs, journal)
    _check_boxes(plan)
    check_output(str(journal))
    with kept_games(journal, plan.header()) as kept:
        tournament = _played(plan, kept, arguments)
    return _show(tournament.result(openings_of(arguments, plan)), forms)


def _recount(arguments: argparse.Namespace) -> int:
    if arguments.contestants or arguments.engines or arguments.variants:
        raise UserError("--from counts games that were played: no contestants are needed.")
    forms = checked_forms(arguments.outputs)
    result, warnings = recount(arguments.games, sprt_of(arguments.sprt))
    for warning in warnings:
        tell(f"grader: {warning}")
    return _show(result, forms)


def _show(result: MatchResult, forms: list[Form]) -> int:
    write_forms(forms, lambda name: render_match(name, result))
    verdicts = [pairing.verdict for pairing in result.pairings if pairing.verdict is not None]
    accepted = all(verdict.decision is Decision.H1 for verdict in verdicts)
    return 0 if accepted else NOT_ACCEPTED


def _played(plan: MatchPlan, kept: KeptGames, arguments: argparse.Namespace) -> Tournament:
    tournament = Tournament(plan, kept.pairs)
    total = plan.pairs * len(plan.pairings)
    if tournament.finished:
        tell(f"grader: played before: {tournament.finished} of {counted(total, 'pair')}")
    if tournament.finished < total:
        tell(f"grader: every pair is kept in {kept.path}. {AGAIN}")
    try:
        with progress(total, "pair", tournament.finished) as bar:
            for _ in tournament.carry_out(jobs_of(arguments), kept.add):
                bar.update()
    except (KeyboardInterrupt, UserError):
        tell(f"grader: {tournament.finished} of {counted(total, 'pair')} played. {AGAIN}")
        raise
    return tournament


def _check_boxes(plan: MatchPlan) -> None:
    for sandbox in {each.sandbox for each in plan.contestants if isinstance(each, Engine)}:
        try:
            warning = choose_level(sandbox).warning
        except Refused as error:
            raise FileError(str(error)) from None
        if warning and sandbox is not Sandbox.OFF:
            tell(f"grader: {warning}")


def _write_openings(arguments: argparse.Namespace) -> int:
    game = game_named(arguments.game)
    check_output(arguments.write_openings)
    found = []
    with progress(len(every_opening(game, arguments.plies)), "opening") as bar:
        for opening in playable(game, arguments.plies):
            found.append(opening)
            bar.update()
    write_text(arguments.write_openings, as_text(game, found, arguments.plies))
    return 0
