"""`grader tune`: the weights of a heuristic, fitted to the results of games and endings."""

from __future__ import annotations

import argparse
from operator import call

from grader.cli.options import GraderParser, jobs_of, progress
from grader.grading.workers import run_in_order
from grader.lab.tune import HELD_OUT, TuneOptions, Tuning, tune
from grader.report.text import Table
from solver.cli.files import check_output, write_file
from solver.cli.options import number, one_of
from solver.errors import counted
from solver.games.checkers.heuristics import HEURISTICS

EXAMPLES = """\
  grader tune -o mine.py                 # how the weights of `tuned` were found
  grader tune --seed 2 --games 5000 -j 4 -o mine.py
  grader tune --heuristic six-regions    # other terms, fitted to the same games
  solver board.txt --heuristic mine.py:evaluate
"""
USUAL = TuneOptions()


def make_parser() -> GraderParser:
    parser = GraderParser(
        "tune",
        "Fits the weights of a checkers heuristic by logistic regression to the results of\n"
        "seeded games and of endings that the tables know. With the defaults that takes a few\n"
        "minutes with the compiled build, and ten times as long in plain Python. The same\n"
        "options give the same weights, for any -j.",
        EXAMPLES,
        {0: "fitted", 130: "interrupted; nothing is written"},
    )
    add = parser.option
    about = f"whose terms to weigh: {', '.join(HEURISTICS)}"
    add("--heuristic NAME", about, one_of(*HEURISTICS), USUAL.heuristic)
    parser.section("what to learn from")
    add("--seed N", "of all random numbers", number(0), USUAL.seed)
    add("--games N", "of `material` against itself", number(HELD_OUT, 10**6), USUAL.games)
    add("--endings N", "random ones of two to four pieces", number(0, 10**6), USUAL.endings)
    add("--nodes N", "for each move of a game", number(1, 10**9), USUAL.nodes)
    parser.section("running")
    parser.add_jobs()
    add("-o FILE", "write the heuristic as a Python file", dest="output")
    return parser


def run(arguments: argparse.Namespace) -> int:
    if arguments.output is not None:
        check_output(arguments.output)
    options = TuneOptions(
        arguments.heuristic, arguments.seed, arguments.games, arguments.endings, arguments.nodes
    )
    tasks = options.tasks()
    with progress(len(tasks), "part") as advance:
        batches = run_in_order(call, tasks, jobs_of(arguments), advance)
    tuning = tune(options, batches)
    if arguments.output is not None:
        write_file(arguments.output, tuning.as_python())
    if arguments.output != "-":
        print(_report(tuning))
    return 0


def _report(tuning: Tuning) -> str:
    name = tuning.options.heuristic
    terms = HEURISTICS[name].TERMS
    weights = [(terms[key][0], str(tuning.old[key]), str(new)) for key, new in tuning.new.items()]
    held_out = [
        (f"{each.kind}, {counted(each.samples, 'position')}", f"{each.old:.4f}", f"{each.new:.4f}")
        for each in tuning.held_out
    ]
    shipped = "are" if tuning.new == tuning.old else "are not"
    return (
        f"{Table('Weights', ('term', 'old', 'new'), weights)}\n"
        f"{Table('Held out', ('log-loss held out', 'old', 'new'), held_out)}\n"
        f"seed {tuning.options.seed}: fitted to {counted(tuning.fitted_to, 'position')};"
        " 400 points stand for odds of ten to one\n"
        f"These {shipped} the weights of {name} as shipped."
    )
