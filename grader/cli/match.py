"""`grader match`: games between variants and engines, with error bars."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.cli.compare import add_variants_file
from grader.cli.options import (
    STDOUT,
    Form,
    GraderParser,
    add_forms,
    add_jobs,
    checked_forms,
    jobs_of,
    progress,
    write_forms,
)
from grader.grading.records import digest
from grader.lab.match import MatchPlan, Tournament, read_openings
from grader.lab.match_log import MatchJournal, open_journal, recount
from grader.lab.match_results import MatchResult
from grader.lab.players import Contestant, make_engine, make_searcher
from grader.lab.stats import Decision, Sprt
from grader.lab.variants import Variant, make_names_unique, variants_named
from grader.report import MATCH_FORMATS, render_match
from grader.sandbox import Refused, choose_level
from grader.sandbox.job import MOST_SECONDS, RunLimits, Sandbox
from solver.cli.console import tell
from solver.cli.files import check_output
from solver.cli.options import amount, number, one_of, program
from solver.errors import FileError, UserError, counted
from solver.games import GAMES, game_named
from solver.search.score import MAX_DEPTH

NODES = 1000
PAIRS = 100
JOURNAL = "match-{}.jsonl"
AGAIN = "To continue after an interruption, run the same command again."
EXAMPLES = """\
  grader match centre material
  grader match centre six-regions safe-mobile --pairs 30      # a round robin
  grader match centre centre+without=captures --depth 6 -o pdn:games.pdn
  grader match my.py:evaluate safe-mobile --sprt 0 20 -o html:match.html
  grader match centre --engine "mine=python3 mine.py {input} {output}" --pairs 5
  grader match --from games.pdn --sprt 0 20                   # count games played before
"""
EXIT_CODES = """exit codes:
  0    played; with --sprt, every test was accepted
  1    with --sprt, some test was rejected, or is undecided
  2    wrong usage, an unknown variant, a malformed file
  3    a file that cannot be read or written, a sandbox that is not safe enough
  130  interrupted; games played so far are in the journal
"""


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="match",
        about="Plays pairs of games from the same opening with sides swapped, every contestant\n"
        "against every other, and says who is stronger, by how much, and how certain that is.\n\n"
        "A contestant is a variant, as for 'grader compare': centre, six-regions+ordering=static,\n"
        "my.py:evaluate, or a name in the file of --variants. A variant may play itself.",
        examples=EXAMPLES,
        codes=EXIT_CODES,
    )
    parser.add_argument("contestants", metavar="NAME", nargs="*", help="a variant of the search")
    add_variants_file(parser)
    parser.add_argument(
        "--engine",
        dest="engines",
        metavar="NAME=COMMAND",
        action="append",
        default=[],
        help="a program that reads a board and writes the next, in a sandbox; may be repeated",
    )
    parser.add_argument(
        "--from", dest="games", metavar="GAMES.pdn", help="count the games of a file, play none"
    )
    parser.add_argument(
        "--game", type=one_of(*GAMES), default=GAMES[0], help=f"(default: {GAMES[0]})"
    )
    _add_limits(parser)
    _add_playing(parser)
    results = parser.add_argument_group("results")
    add_forms(results, MATCH_FORMATS)
    add_jobs(results)
    results.add_argument(
        "--journal", metavar="FILE", help=f"of all games (default: {JOURNAL.format('KEY')})"
    )
    return parser


def _add_limits(parser: argparse.ArgumentParser) -> None:
    limits = parser.add_argument_group("limits on a move; those of a variant come first")
    limit = limits.add_mutually_exclusive_group()
    limit.add_argument("--nodes", metavar="N", type=number(1), help=f"(default: {NODES})")
    limit.add_argument("--depth", metavar="N", type=number(1, MAX_DEPTH), help="in plies")
    limit.add_argument(
        "--time", metavar="S", type=amount("seconds"), help="on the clock; not reproducible"
    )
    usual = RunLimits()
    limits.add_argument(
        "--timeout",
        metavar="S",
        type=amount("seconds", MOST_SECONDS),
        default=usual.cpu_s,
        help=f"processor time of an engine (default: {usual.cpu_s:g})",
    )
    limits.add_argument(
        "--sandbox",
        metavar="LEVEL",
        type=one_of(*Sandbox),
        default=str(Sandbox.AUTO),
        help="for engines: require the strongest sandbox, auto, or off (default: auto)",
    )


def _add_playing(parser: argparse.ArgumentParser) -> None:
    playing = parser.add_argument_group("playing")
    playing.add_argument(
        "--pairs",
        metavar="N",
        type=number(1),
        help=f"of games, for each pairing (default: {PAIRS}; with --sprt, every opening once)",
    )
    playing.add_argument(
        "--sprt",
        metavar=("ELO0", "ELO1"),
        nargs=2,
        type=_parse_elo,
        help="stop when normalized Elo of ELO1 rather than ELO0, or the reverse, is accepted",
    )
    playing.add_argument(
        "--seed", metavar="N", type=number(0), default=1, help="order of openings (default: 1)"
    )
    playing.add_argument(
        "--openings",
        metavar="FILE",
        help="one on a line: moves, a FEN or a Setup line (default: every opening of 3 plies)",
    )


def _parse_elo(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is not a number") from None


def run(arguments: argparse.Namespace) -> int:
    sprt = _read_sprt(arguments.sprt)
    if arguments.games is not None:
        if arguments.contestants or arguments.engines or arguments.file:
            raise UserError("--from counts games already played: leave out the contestants.")
        forms = checked_forms(arguments.outputs)
        result, warnings = recount(arguments.games, sprt)
        for warning in warnings:
            tell(f"grader: {warning}")
        return _show(result, forms)
    if arguments.journal == STDOUT:
        raise UserError("--journal -: the journal must be a file. Give it a name.")
    plan = _make_plan(arguments, sprt)
    header = plan.header()
    journal = Path(arguments.journal or JOURNAL.format(digest(header)[:8]))
    forms = checked_forms(arguments.outputs, journal)
    _check_sandboxes(plan)
    check_output(str(journal))
    with open_journal(journal, header) as kept:
        tournament = _play(plan, kept, jobs_of(arguments))
    openings = counted(len(plan.openings), "opening")
    openings += "" if arguments.openings is None else f" of {arguments.openings}"
    return _show(tournament.result(openings), forms)


def _read_sprt(bounds: list[float] | None) -> Sprt | None:
    try:
        return None if bounds is None else Sprt(bounds[0], bounds[1])
    except ValueError as error:
        raise UserError(f"--sprt: {error}. Try --sprt 0 20.") from None


def _make_plan(arguments: argparse.Namespace, sprt: Sprt | None) -> MatchPlan:
    contestants = _find_contestants(arguments)
    path = None if arguments.openings is None else Path(arguments.openings)
    openings = tuple(read_openings(game_named(arguments.game), path))
    pairs = arguments.pairs
    if pairs is None:
        pairs = len(openings) if sprt is not None else min(PAIRS, len(openings))
    if pairs > len(openings):
        raise UserError(
            f"--pairs {pairs}: there are only {counted(len(openings), 'opening')}, and a second"
            " pair from the same opening would repeat the games. Name a longer list: --openings."
        )
    return MatchPlan(arguments.game, contestants, openings, pairs, arguments.seed, sprt)


def _find_contestants(arguments: argparse.Namespace) -> tuple[Contestant, ...]:
    rules = game_named(arguments.game)
    found: list[Contestant] = []
    named = variants_named(arguments.contestants, arguments.file)
    limits = (arguments.depth, arguments.nodes, arguments.time)
    for each in make_names_unique(named):
        variant = each.limited(*(limits if any(limits) else (None, NODES, None)))
        _check_variant(variant, arguments.game)
        found.append(make_searcher(variant))
    # Results of this match and of others are not part of an engine.
    results = [*Path.cwd().glob(JOURNAL.format("*"))]
    results += [Path(each.path) for each in arguments.outputs or ()]
    results += [Path(arguments.journal)] if arguments.journal else []
    for word in arguments.engines:
        cpu = RunLimits().changed(cpu_s=arguments.timeout)
        engine = make_engine(word, cpu, Sandbox(arguments.sandbox), results)
        if engine.name in [each.name for each in found]:
            raise UserError(f"{engine.name}: two contestants have this name. Use NAME=COMMAND.")
        found.append(engine)
    if len(found) < 2:
        raise UserError(
            f"{counted(len(found), 'contestant')}: a match needs two or more, such as"
            f" '{program('grader')} match centre material'."
        )
    for contestant in found:  # a heuristic that cannot be loaded is reported now
        contestant.begin(rules)
    return tuple(found)


def _check_variant(variant: Variant, game: str) -> None:
    if not variant.plays(game):
        known = ", ".join(game_named(game).heuristics())
        raise UserError(f"{variant.name} has no heuristic for {game}. Known: {known}.")
    if not variant.techniques.has("deepening") and variant.depth is None:
        raise UserError(
            f"{variant.name} does not deepen, so it needs a depth:"
            f" {variant.name}+depth=4, or --depth."
        )


def _check_sandboxes(plan: MatchPlan) -> None:
    for sandbox in {each.sandbox for each in plan.contestants if each.sandbox is not None}:
        try:
            warning = choose_level(sandbox).warning
        except Refused as error:
            raise FileError(str(error)) from None
        if warning and sandbox is not Sandbox.OFF:
            tell(f"grader: {warning}")


def _play(plan: MatchPlan, journal: MatchJournal, jobs: int) -> Tournament:
    tournament = Tournament(plan, journal.pairs)
    total = plan.pairs * len(plan.pairings)
    if tournament.finished:
        tell(f"grader: played before: {tournament.finished} of {counted(total, 'pair')}")
    if tournament.finished < total:
        tell(f"grader: games are saved in {journal.path}. {AGAIN}")
    try:
        with progress(total, "pair", tournament.finished) as bar:
            for _ in tournament.play(jobs, journal.add):
                bar.update()
    except (KeyboardInterrupt, UserError):
        tell(f"grader: {tournament.finished} of {counted(total, 'pair')} played. {AGAIN}")
        raise
    return tournament


def _show(result: MatchResult, forms: list[Form]) -> int:
    write_forms(forms, lambda name: render_match(name, result))
    verdicts = [pairing.verdict for pairing in result.pairings if pairing.verdict is not None]
    return 0 if all(verdict.decision is Decision.H1 for verdict in verdicts) else 1
