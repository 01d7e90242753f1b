"""`grader match`: games between variants and engines, with error bars."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.cli import options
from grader.grading.records import digest
from grader.lab.match import MatchPlan, Tournament, read_openings
from grader.lab.match_results import MatchJournal, MatchResult, open_journal
from grader.lab.players import Contestant, make_agent, make_engine, make_searcher
from grader.lab.stats import Decision, Sprt
from grader.lab.variants import Variant, make_names_unique, variant_named
from grader.report import MATCH_FORMATS, render_match
from grader.sandbox.job import MOST_SECONDS, RunLimits, Sandbox
from solver.cli.console import tell
from solver.cli.files import check_output
from solver.cli.options import amount, number, one_of, program
from solver.cli.own import OwnFunction
from solver.errors import UserError, counted
from solver.games import GAMES, game_named
from solver.search.heuristic import is_own
from solver.search.score import MAX_DEPTH
from solver.search.techniques import PLAYING, Techniques

NODES = 1000
PAIRS = 100
JOURNAL = "match-{}.jsonl"
AGAIN = "To continue after an interruption, run the same command again."
EXAMPLES = """\
  grader match centre material
  grader match centre six-regions safe-mobile --pairs 30      # a round robin
  grader match centre centre+without=captures --depth 6
  grader match my.py:evaluate safe-mobile --sprt 0 20 -o pdn:games.pdn
  grader match my.py:MyAgent default --game twoflags --pairs 10
  grader match centre --engine "mine=python3 mine.py {input} {output}" --pairs 5
"""


def make_parser() -> options.GraderParser:
    parser = options.GraderParser(
        "match",
        "Plays pairs of games from the same opening with sides swapped, every contestant\n"
        "against every other, and says who is stronger, by how much, and how certain that is.\n\n"
        "A contestant is a variant, as for 'grader compare': centre, six-regions+ordering=static,\n"
        "my.py:evaluate; or your own agent, my.py:MyAgent, a subclass of solver.Agent.",
        EXAMPLES,
        {
            0: "played; with --sprt, every test was accepted",
            1: "with --sprt, some test was rejected, or is undecided",
            3: "a file that cannot be read or written, a sandbox that is not safe enough",
            130: "interrupted; games played so far are in the journal",
        },
    )
    add = parser.option
    add("contestants [NAME...]", "a variant of the search")
    about = "a program that reads a board and writes the next, in a sandbox; may be repeated"
    add("--engine NAME=COMMAND", about, action="append", dest="engines")
    add("--game NAME", "", one_of(*GAMES), GAMES[0])
    parser.section("limits on a move; those of a variant come first")
    limit = parser.either()
    add("--nodes N", f"(default: {NODES})", number(1), either=limit)
    add("--depth N", "in plies", number(1, MAX_DEPTH), either=limit)
    add("--time S", "on the clock; not reproducible", amount("seconds"), either=limit)
    add("--clock S", "an agent's time for a game", amount("seconds"), 60.0)
    seconds = amount("seconds", MOST_SECONDS)
    add("--timeout S", "processor time of an engine", seconds, RunLimits().cpu_s)
    about = "for engines: require the strongest sandbox, auto, or off"
    add("--sandbox LEVEL", about, one_of(*Sandbox), str(Sandbox.AUTO))
    parser.section("playing")
    about = f"of games, for each pairing (default: {PAIRS}; with --sprt, every opening once)"
    add("--pairs N", about, number(1))
    about = "stop when normalized Elo of ELO1 rather than ELO0, or the reverse, is accepted"
    add("--sprt ELO0 ELO1", about)
    add("--seed N", "order of openings", number(0), 1)
    about = "one on a line: moves or a position (default: those of the game)"
    add("--openings FILE", about)
    parser.section("results")
    parser.add_forms(MATCH_FORMATS)
    parser.add_jobs()
    add("--journal FILE", f"of all games (default: {JOURNAL.format('KEY')})")
    parser.set_defaults(engines=[])
    return parser


def run(arguments: argparse.Namespace) -> int:
    sprt = _read_sprt(arguments.sprt)
    if arguments.journal == options.STDOUT:
        raise UserError("--journal -: the journal must be a file. Give it a name.")
    plan = _make_plan(arguments, sprt)
    header = plan.header()
    journal = Path(arguments.journal or JOURNAL.format(digest(header)[:8]))
    forms = options.check_outputs(arguments.outputs, journal)
    for sandbox in {each.sandbox for each in plan.contestants if each.sandbox is not None}:
        options.check_sandbox(sandbox)
    check_output(str(journal))
    with open_journal(journal, header) as kept:
        tournament = _play(plan, kept, options.jobs_of(arguments))
    openings = counted(len(plan.openings), "opening")
    openings += "" if arguments.openings is None else f" of {arguments.openings}"
    return _show(tournament.result(openings), forms)


def _read_sprt(bounds: list[str] | None) -> Sprt | None:
    try:
        return None if bounds is None else Sprt(*map(float, bounds))
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
    usual = Techniques().changed(with_=PLAYING)
    named = [variant_named(name, usual) for name in arguments.contestants]
    limits = (arguments.depth, arguments.nodes, arguments.time)
    for each in make_names_unique(named):
        variant = each.limited(*(limits if any(limits) else (None, NODES, None)))
        _check_variant(variant, arguments.game)
        if is_own(variant.heuristic) and OwnFunction(variant.heuristic).is_class:
            found.append(make_agent(variant, arguments.clock))
        else:
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


def _play(plan: MatchPlan, journal: MatchJournal, jobs: int) -> Tournament:
    tournament = Tournament(plan, journal.pairs)
    total = plan.pairs * len(plan.pairings)
    if tournament.finished:
        tell(f"grader: played before: {tournament.finished} of {counted(total, 'pair')}")
    if tournament.finished < total:
        tell(f"grader: games are saved in {journal.path}. {AGAIN}")
    try:
        with options.progress(total, "pair", tournament.finished) as advance:
            for _ in tournament.play(jobs, journal.add):
                advance()
    except (KeyboardInterrupt, UserError):
        tell(f"grader: {tournament.finished} of {counted(total, 'pair')} played. {AGAIN}")
        raise
    return tournament


def _show(result: MatchResult, forms: list[options.Form]) -> int:
    options.write_forms(forms, lambda form: render_match(form.name, result))
    verdicts = [pairing.verdict for pairing in result.pairings if pairing.verdict is not None]
    return 0 if all(verdict.decision is Decision.H1 for verdict in verdicts) else 1
