"""What `match` is told on the command line, and the plan it makes."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.cli.options import STDOUT, GraderParser, add_forms, add_jobs
from grader.lab.engines import engine_called
from grader.lab.match_games import Contestant, seat
from grader.lab.match_plan import MatchPlan
from grader.lab.openings import PLIES, read_openings
from grader.lab.players import searcher
from grader.lab.sprt import Sprt
from grader.lab.variants import Variant, told_apart, variants_named
from grader.report import MATCH_FORMATS
from grader.sandbox.job import MOST_SECONDS, Limits, Sandbox
from solver.cli.options import amount, number, one_of, program
from solver.errors import UserError, counted
from solver.games import GAMES, game_named
from solver.search.score import MAX_DEPTH

NODES = 1000
PAIRS = 100
JOURNAL = "match-{}.jsonl"
MOST_PLIES = 6
EXAMPLES = """\
  grader match centre material
  grader match centre six-regions safe-mobile --pairs 30      # a round robin
  grader match centre centre+without=captures --depth 6 -o pdn:games.pdn
  grader match my.py:evaluate safe-mobile --sprt 0 20 -o html:match.html
  grader match centre --engine "mine=python3 mine.py {input} {output}" --pairs 5
  grader match --from games.pdn --sprt 0 20                   # count games played before
  grader match --write-openings longer.txt --plies 4
"""
EXIT_CODES = """exit codes:
  0    played; with --sprt, every test was accepted
  1    with --sprt, some test was rejected, or is undecided
  2    wrong usage, no such variant, a malformed file
  3    a file that cannot be read or written, a box that is not safe enough
  130  interrupted; what was played is kept, and the command to go on is told
"""


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="match",
        about="Plays pairs of games from the same opening with sides swapped, everybody against\n"
        "everybody, and says who is stronger, by how much, and how sure that is.\n\n"
        "A contestant is a variant, as for 'grader compare': centre, six-regions+ordering=static,\n"
        "my.py:evaluate, or a name in the file of --variants. The same one may play itself.",
        examples=EXAMPLES,
        codes=EXIT_CODES,
    )
    parser.add_argument("contestants", metavar="NAME", nargs="*", help="a variant of the search")
    parser.add_argument("--variants", metavar="FILE", help="variants in a TOML file")
    parser.add_argument(
        "--engine",
        dest="engines",
        metavar="NAME=COMMAND",
        action="append",
        default=[],
        help="a program that reads a board and writes the next, in a box; may be repeated",
    )
    parser.add_argument(
        "--from", dest="games", metavar="GAMES.pdn", help="count the games of a file, play nothing"
    )
    parser.add_argument(
        "--game", type=one_of(*GAMES), default=GAMES[0], help=f"(default: {GAMES[0]})"
    )
    _add_thinking(parser)
    _add_playing(parser)
    results = parser.add_argument_group("results")
    add_forms(results, MATCH_FORMATS)
    add_jobs(results)
    results.add_argument(
        "--journal",
        metavar="FILE",
        help=f"where games are kept (default: {JOURNAL.format('KEY')})",
    )
    return parser


def _add_thinking(parser: argparse.ArgumentParser) -> None:
    thinking = parser.add_argument_group("thinking, for each move; a variant's own limits win")
    limit = thinking.add_mutually_exclusive_group()
    limit.add_argument("--nodes", metavar="N", type=number(1), help=f"(default: {NODES})")
    limit.add_argument("--depth", metavar="N", type=number(1, MAX_DEPTH), help="in plies")
    limit.add_argument(
        "--time", metavar="S", type=amount("seconds"), help="on the clock; not repeatable"
    )
    usual = Limits()
    thinking.add_argument(
        "--timeout",
        metavar="S",
        type=amount("seconds", MOST_SECONDS),
        default=usual.cpu_s,
        help=f"processor time of an engine (default: {usual.cpu_s:g})",
    )
    thinking.add_argument(
        "--sandbox",
        metavar="LEVEL",
        type=one_of(*Sandbox),
        default=str(Sandbox.AUTO),
        help="of an engine: require the strongest box, auto, or off (default: auto)",
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
        "--gauntlet", action="store_true", help="only the first against each of the others"
    )
    playing.add_argument(
        "--sprt",
        metavar=("ELO0", "ELO1"),
        nargs=2,
        type=float,
        help="stop when normalized Elo of ELO1 rather than ELO0, or the reverse, is accepted",
    )
    playing.add_argument(
        "--seed",
        metavar="N",
        type=number(0),
        default=1,
        help="of the order of openings (default: 1)",
    )
    playing.add_argument(
        "--openings",
        metavar="FILE",
        help="one on a line: moves, a FEN or a Setup line (default: every opening of 3 plies)",
    )
    playing.add_argument(
        "--no-adjudication", action="store_true", help="play on where the tables know the result"
    )
    playing.add_argument(
        "--write-openings", metavar="FILE", help="write such a list, and play nothing"
    )
    playing.add_argument(
        "--plies",
        metavar="N",
        type=number(1, MOST_PLIES),
        default=PLIES,
        help=f"of the openings to write (default: {PLIES})",
    )


def plan_of(arguments: argparse.Namespace) -> MatchPlan:
    contestants = _contestants(arguments)
    game = game_named(arguments.game)
    path = None if arguments.openings is None else Path(arguments.openings)
    openings = tuple(read_openings(game, path))
    pairs = arguments.pairs
    if pairs is None:
        pairs = len(openings) if arguments.sprt else min(PAIRS, len(openings))
    if pairs > len(openings):
        raise UserError(
            f"--pairs {pairs}: there are {counted(len(openings), 'opening')}, and a second pair"
            " from one of them would be the same games again. Write a longer list:"
            f" {program('grader')} match --write-openings FILE --plies {PLIES + 1}"
        )
    return MatchPlan(
        game=arguments.game,
        contestants=contestants,
        openings=openings,
        pairs=pairs,
        seed=arguments.seed,
        adjudicated=not arguments.no_adjudication,
        sprt=sprt_of(arguments.sprt),
        gauntlet=arguments.gauntlet,
    )


def sprt_of(bounds: list[float] | None) -> Sprt | None:
    try:
        return None if bounds is None else Sprt(bounds[0], bounds[1])
    except ValueError as error:
        raise UserError(f"--sprt: {error}. Try --sprt 0 20.") from None


def _contestants(arguments: argparse.Namespace) -> tuple[Contestant, ...]:
    file = None if arguments.variants is None else Path(arguments.variants)
    named = arguments.contestants or file is not None
    variants = told_apart(variants_named(arguments.contestants, file)) if named else []
    found: list[Contestant] = []
    for variant in variants:
        limited = _limited(variant, arguments)
        found.append(searcher(_checked(limited, arguments.game)))
    limits = Limits().changed(cpu_s=arguments.timeout)
    for word in arguments.engines:
        engine = engine_called(word, limits, Sandbox(arguments.sandbox), _results(arguments))
        if engine.name in [each.name for each in found]:
            raise UserError(f"{engine.name}: there is a contestant of this name. Use NAME=COMMAND.")
        found.append(engine)
    if len(found) < 2:
        raise UserError(
            f"{counted(len(found), 'contestant')}: a match needs two or more, such as"
            f" '{program('grader')} match centre material'."
        )
    for each in found:
        seat(each, game_named(arguments.game))
    return tuple(found)


def _results(arguments: argparse.Namespace) -> list[Path]:
    """The files of this match and of others, which are no part of an engine."""
    named = [each.path for each in arguments.outputs or ()]
    if arguments.journal:
        named.append(arguments.journal)
    return [*Path.cwd().glob(JOURNAL.format("*")), *map(Path, named)]


def journal_of(arguments: argparse.Namespace, plan: MatchPlan) -> Path:
    if arguments.journal == STDOUT:
        raise UserError("--journal -: games are kept in a file. Give it a name.")
    return Path(arguments.journal or JOURNAL.format(plan.key))


def _checked(variant: Variant, game: str) -> Variant:
    if not variant.plays(game):
        known = ", ".join(game_named(game).heuristics())
        raise UserError(f"{variant.name} is no heuristic for {game}. For it there are: {known}.")
    if not variant.techniques.has("deepening") and variant.depth is None:
        raise UserError(
            f"{variant.name} does not deepen, so it needs a depth:"
            f" {variant.name}+depth=4, or --depth."
        )
    return variant


def _limited(variant: Variant, arguments: argparse.Namespace) -> Variant:
    depth, nodes, seconds = arguments.depth, arguments.nodes, arguments.time
    if (depth, nodes, seconds) == (None, None, None):
        nodes = NODES
    return variant.limited(depth, nodes, seconds)


def openings_of(arguments: argparse.Namespace, plan: MatchPlan) -> str:
    words = counted(len(plan.openings), "opening")
    return words if arguments.openings is None else f"{words} of {arguments.openings}"
