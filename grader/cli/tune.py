"""`grader tune`: the weights of a heuristic, fitted to the results of games and endings."""

from __future__ import annotations

import argparse
from operator import call

from grader.cli.options import GraderParser, add_jobs, jobs_of, progress
from grader.lab.compare import crew
from grader.lab.tune import HELD_OUT, TuneOptions, Tuning, tune
from grader.report.text import Table
from solver.cli.files import check_output, write_text
from solver.cli.options import number, one_of
from solver.errors import counted
from solver.games.checkers.heuristics import HEURISTICS
from solver.search.score import MAX_DEPTH

EXAMPLES = """\
  grader tune -o mine.py                 # how the weights of `tuned` were found
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
USUAL = TuneOptions()


def make_parser() -> GraderParser:
    parser = GraderParser(
        command="tune",
        about="Fits the weights of a checkers heuristic by logistic regression to the results of\n"
        "seeded games and of endings that the tables know. With the defaults that takes a few\n"
        "minutes with the compiled build, and ten times as long in plain Python. The same\n"
        "options give the same weights, for any -j.",
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
    for name, least, words in (
        ("seed", 0, "of all random numbers"),
        ("games", HELD_OUT, "of `material` against itself"),
        ("endings", 0, "random ones of two to four pieces"),
    ):
        usual = getattr(USUAL, name)
        what.add_argument(
            f"--{name}",
            metavar="N",
            type=number(least, 10**6 if name != "seed" else None),
            default=usual,
            help=f"{words} (default: {usual})",
        )
    limit = what.add_mutually_exclusive_group()
    limit.add_argument(
        "--nodes",
        metavar="N",
        type=number(1, 10**9),
        help=f"for each move of a game (default: {USUAL.nodes})",
    )
    limit.add_argument("--depth", metavar="N", type=number(1, MAX_DEPTH), help="the same, in plies")
    running = parser.add_argument_group("running")
    add_jobs(running)
    running.add_argument(
        "-o", dest="output", metavar="FILE", help="write the heuristic as a Python file"
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    if arguments.output is not None:
        check_output(arguments.output)
    options = TuneOptions(
        arguments.heuristic,
        arguments.seed,
        arguments.games,
        arguments.endings,
        arguments.depth,
        None if arguments.depth else arguments.nodes or USUAL.nodes,
    )
    tasks = options.tasks()
    with progress(len(tasks), "part") as bar, crew(jobs_of(arguments), bar.update) as workers:
        batches = workers.each(call, tasks)
    tuning = tune(options, batches)
    if arguments.output is not None:
        write_text(arguments.output, tuning.as_python())
    if arguments.output != "-":
        print(_report(tuning))
    return 0


def _report(tuning: Tuning) -> str:
    name = tuning.options.heuristic
    terms = HEURISTICS[name].TERMS
    weights = [(terms[key][0], str(tuning.old[key]), str(new)) for key, new in tuning.new.items()]
    rows = []
    for old, new in zip(tuning.by_old, tuning.by_new, strict=True):
        place = f"{old.kind}, {counted(old.samples, 'position')}"
        right = ["-" if each.right is None else f"{each.right:.1%}" for each in (old, new)]
        rows.append([f"log-loss in {place}", f"{old.loss:.4f}", f"{new.loss:.4f}"])
        rows.append([f"winner predicted in {old.kind}", *right])
    shipped = "are" if tuning.new == tuning.old else "are not"
    return (
        f"{Table('Weights', ('term', 'old', 'new'), weights)}\n"
        f"{Table('Held out', ('held out', 'old', 'new'), rows)}\n"
        f"seed {tuning.options.seed}: fitted to {counted(tuning.fitted_to, 'position')};"
        " 400 points stand for odds of ten to one\n"
        f"These {shipped} the weights of {name} as shipped."
    )
