"""The command line.  Only the modules of this package write to the screen."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

from solver.cli import guarded, make_printable, run_command
from solver.errors import FileError, UserError, did_you_mean

COMMANDS = {
    "check": ("check", "is my program wrong, and where: for students"),
    "run": ("run", "one program over a batch of puzzles"),
    "tree": ("tree", "an alpha-beta search on explicit trees: value, move, leaves, cuts"),
    "class": ("run:class", "every submission of a class over every puzzle"),
    "resume": ("run:resume", "continue a grading that was interrupted"),
    "diff": ("results:diff", "which marks changed between two gradings, and why"),
    "export": ("results:export", "a grading in another format"),
    "journal": ("results:journal", "list the gradings there are"),
    "assign": ("assign", "puzzles of their own for every student of a class"),
    "prove": ("prove", "what every move of a puzzle is worth; checks or writes expected/"),
    "compare": ("compare", "variants of the search on fixed puzzles: answers, nodes, time"),
    "match": ("match", "games between variants, with error bars"),
    "tune": ("tune", "fit a heuristic's weights to the results of games"),
    "doctor": ("kit:doctor", "how well this machine isolates programs"),
    "validator": ("kit:validator", "judge one answer, as a Kattis or DOMjudge output validator"),
    "kit": ("kit", "an autograder for Gradescope, Autolab or GitHub"),
}
NEEDED = ("tabulate", "tqdm")
NEED_NOTHING = ("validator",)  # it prints no table
EXAMPLES = """\
  grader check checkers.py
  grader run --solver "python3 checkers.py {input} {output}"
  grader class submissions/ -o marks.csv -o report.html
"""


def main(argv: list[str]) -> int:
    """Run one command; the result is the exit code."""
    return guarded("grader", _run, argv)


def entry() -> int:
    """The command of this process."""
    make_printable()
    return main(sys.argv[1:])


def _run(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "--help-all", "--version"):
        return _run_program(argv)
    if argv[0] not in COMMANDS:
        hint = did_you_mean(argv[0], list(COMMANDS))
        raise UserError(f"{argv[0]}: there is no such command.{hint} Try 'grader --help'.")
    if sys.stdout is None:
        raise FileError("standard output is closed")
    try:
        os.getcwd()
    except OSError as error:
        raise FileError(f"the current folder: {error.strerror}") from None
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing and argv[0] not in NEED_NOTHING:
        raise UserError(
            f"The grader needs {' and '.join(missing)}."
            f" Try '{sys.executable} -m pip install {' '.join(missing)}'."
        )
    return run_command("grader", COMMANDS, argv)


def _run_program(argv: list[str]) -> int:
    """`grader` without a command: help and version."""
    from grader.cli.options import GraderParser
    from solver.cli.options import answer_help, list_commands

    about = "Runs solvers over puzzles, in a sandbox, and judges their answers."
    parser = GraderParser("", f"{about}\n\n{list_commands(COMMANDS)}", EXAMPLES)
    parser.usage = f"{parser.prog} COMMAND ...\n       (each command has its own --help)"
    return answer_help(parser, argv)
