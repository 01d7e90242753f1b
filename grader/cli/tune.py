"""`grader tune`: the weights of a heuristic, fitted to the results of games and endings."""

from __future__ import annotations

import argparse

from tabulate import tabulate

from grader.cli.options import GraderParser, add_jobs, jobs_of, progress
from grader.lab.compare import crew
from grader.lab.tune import HELD_OUT, Held, Options, Tuning, as_python, done, tuned
from solver.cli.files import check_output, write_text
from solver.cli.options import number, one_of
from solver.errors import counted
from solver.games.checkers.heuristics import HEURISTICS
from solver.search.score import MAX_DEPTH

EXAMPLES = """\
  grader tune -o mine.py                 # as the weights of `tuned` were found
  grader tune --seed 2 --games 5000 -j 4 -o mine.py
  grader tune --heuristic six-regions    # other terms, fitted to the same games
  solver board.txt --heuristic mine.py:evaluate
"""
EXIT_CODES = """exit codes:
  0    fitted
  2    wrong usage
  3    a file that cannot be read or written
  130  interrupted; nothing is written
"""
USUAL = Options()


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="tune",
        about="Fits the weights of a checkers heuristic by logistic regression to the results of\n"
        "seeded games and of endings that the tables know. With the defaults that takes a few\n"
        "minutes of the compiled build, and ten times as long in plain Python. The same options\n"
        "give the same weights, whatever -j is.",
        examples=EXAMPLES,
        codes=EXIT_CODES,
    )
    parser.add_argument(
        "--heuristic",
        metavar="NAME",
        type=one_of(*HEURISTICS),
        default=USUAL.heuristic,
        help=f"whose terms to weigh: {', '.join(HEURISTICS)} (default: {USUAL.heuristic})",
    )
    what = parser.add_argument_group("what to learn from")
    what.add_argument(
        "--seed",
        metavar="N",
        type=number(0),
        default=USUAL.seed,
        help=f"of all random numbers (default: {USUAL.seed})",
    )
    what.add_argument(
        "--games",
        metavar="N",
        type=number(HELD_OUT, 10**6),
        default=USUAL.games,
        help=f"of `material` against itself (default: {USUAL.games})",
    )
    what.add_argument(
        "--endings",
        metavar="N",
        type=number(0, 10**6),
        default=USUAL.endings,
        help=f"random ones of two to four pieces (default: {USUAL.endings})",
    )
    limit = what.add_mutually_exclusive_group()
    limit.add_argument(
        "--nodes",
        metavar="N",
        type=number(1, 10**9),
        help=f"for each move of a game (default: {USUAL.nodes})",
    )
    limit.add_argument(
        "--depth", metavar="N", type=number(1, MAX_DEPTH), help="the same in plies, not nodes"
    )
    running = parser.add_argument_group("running")
    add_jobs(running)
    running.add_argument(
        "-o", dest="output", metavar="FILE", help="write the heuristic as a Python file"
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    if arguments.output is not None:
        check_output(arguments.output)
    options = Options(
        arguments.heuristic,
        arguments.seed,
        arguments.games,
        arguments.endings,
        arguments.depth,
        None if arguments.depth else arguments.nodes or USUAL.nodes,
    )
    orders = options.orders()
    with progress(len(orders), "part") as bar, crew(jobs_of(arguments), bar.update) as workers:
        batches = workers.each(done, orders)
    tuning = tuned(options, batches)
    if arguments.output is not None:
        write_text(arguments.output, as_python(tuning))
    if arguments.output != "-":
        _report(tuning)
    return 0


def _report(tuning: Tuning) -> None:
    terms = HEURISTICS[tuning.options.heuristic].TERMS
    rows = [(terms[key][0], tuning.old[key], weight) for key, weight in tuning.new.items()]
    print(tabulate(rows, ("term", "old", "new")))
    measured = zip(tuning.held_by_old, tuning.held_by_new, strict=True)
    print()
    print(
        tabulate([line for pair in measured for line in _lines(*pair)], ("held out", "old", "new"))
    )
    print()
    print(
        f"seed {tuning.options.seed}: fitted to {counted(tuning.fitted_to, 'position')}; "
        "400 points stand for odds of ten to one"
    )
    verdict = "These are" if tuning.new == tuning.old else "These are not"
    print(f"{verdict} the weights of {tuning.options.heuristic} as it is shipped.")


def _lines(old: Held, new: Held) -> list[tuple[str, str, str]]:
    place = f"{old.kind}, {counted(old.samples, 'position')}"
    return [
        (f"log-loss in {place}", f"{old.loss:.4f}", f"{new.loss:.4f}"),
        (f"right who wins in {old.kind}", _share(old.right), _share(new.right)),
    ]


def _share(right: float | None) -> str:
    return "-" if right is None else f"{right:.1%}"
