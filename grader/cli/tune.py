"""`grader tune`: the weights of a heuristic, fitted to games of a player against itself."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.cli.options import GraderParser, jobs_of, progress
from grader.lab.self_play import Play, numpy, play_games, read_games
from grader.lab.tune import EPOCHS, HELD_OUT, tune
from grader.report.text import Table
from solver.cli.files import check_output, write_file
from solver.cli.options import number
from solver.errors import UserError, check_known, counted
from solver.games.checkers.heuristics import HEURISTICS
from solver.search.heuristic import is_own

EXAMPLES = """\
  grader tune --games 60000 --record first.games -j 4 -o mine.weights
  grader tune --heuristic tuned                   # the weights of named terms
  grader tune --heuristic mine.py:count           # weights for a list of numbers
"""
USUAL = Play()


def make_parser() -> GraderParser:
    parser = GraderParser(
        "tune",
        "Fits the weights of a checkers heuristic by logistic regression to seeded games that a\n"
        "player plays against itself: to their results and to what it expected. The same options\n"
        "give the same weights, for any -j. It needs numpy: pip install 'checkmark-solver[tune]'.",
        EXAMPLES,
        {0: "fitted", 130: "interrupted; games recorded so far are kept"},
    )
    add = parser.option
    own = "FILE.py:FUNCTION"
    about = f"whose terms to weigh: {', '.join(HEURISTICS)}, or {own} for the numbers it returns"
    add("--heuristic NAME", about, default="patterns")
    parser.section("games to learn from")
    add("--player NAME", f"the heuristic that plays, by name or as {own}", default=USUAL.player)
    add("--seed N", "of all random numbers", number(0), USUAL.seed)
    add("--games N", "to play", number(HELD_OUT, 10**7), 1000)
    add("--nodes N", "for each move", number(1, 10**9), USUAL.nodes)
    add("--record FILE", "keep the games; the same command goes on after an interruption")
    add("--also FILE", "learn from the games of this record, too", action="append")
    parser.section("running")
    parser.add_jobs()
    add("-o FILE", "write the weights of `patterns`", dest="output")
    return parser


def run(arguments: argparse.Namespace) -> int:
    for name in (arguments.heuristic, arguments.player):
        if not is_own(name):
            check_known("heuristic", name, HEURISTICS)
    patterns = arguments.heuristic == "patterns"
    if arguments.output is not None:
        if not patterns:
            raise UserError("-o is for the weights of patterns; others are only shown.")
        check_output(arguments.output)
    np = numpy()
    games = arguments.games
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory()) if arguments.record is None else ""
        record = Path(folder, arguments.record or "games")
        with progress(games, "game") as advance:
            play = Play(arguments.player, arguments.seed, arguments.nodes)
            play_games(play, games, record, jobs_of(arguments), advance)
        found = [
            read_games(record, games),
            *(read_games(Path(each)) for each in arguments.also or []),
        ]
        with progress(EPOCHS, "epoch") as advance:
            tuning = tune(arguments.heuristic, np.concatenate(found), advance)
    if arguments.output is not None:
        write_file(arguments.output, tuning.content)
    header = ("term", "full board", "empty board") if patterns else ("term", "old", "new")
    print(Table("Weights", header, tuning.rows), end="\n\n")
    print(
        f"Fitted to {counted(tuning.fitted_to, 'position')}. On {tuning.held_out:,} others, the"
        f" log-loss is {tuning.loss:.4f} ({tuning.guessing:.4f} without knowing anything)."
    )
    print("400 points stand for odds of ten to one.")
    return 0
