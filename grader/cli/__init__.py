"""The command line.  Only the modules of this package write to the screen."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec

from solver.cli import guarded, make_printable
from solver.errors import FileError, UserError, did_you_mean

# A module for each family: `make_parser` and `run`, with the name after the colon in between.
COMMANDS = {
    "run": "grader.cli.run",
    "class": "grader.cli.run:class",
    "resume": "grader.cli.run:resume",
    "diff": "grader.cli.results:diff",
    "export": "grader.cli.results:export",
    "journal": "grader.cli.results:journal",
    "prove": "grader.cli.prove",
    "compare": "grader.cli.compare",
    "match": "grader.cli.match",
    "tune": "grader.cli.tune",
    "doctor": "grader.cli.doctor",
    "validator": "grader.cli.kit:validator",
    "kit": "grader.cli.kit",
}
NEEDED = ("tabulate", "tqdm")
NEED_NOTHING = ("validator", "kit")  # they print no table
HELP = ("-h", "--help", "--help-all")
ABOUT = """\
Runs solvers over puzzles, in a sandbox, and judges their answers.

  run        one program over a batch of puzzles
  class      every submission of a class over every puzzle
  resume     continue a grading that was interrupted
  diff       which marks changed between two gradings, and why
  export     a grading in another format
  journal    list the gradings there are
  prove      what every move of a puzzle is worth; checks or writes expected/
  compare    variants of the search on fixed puzzles: answers, nodes, time
  match      games between variants, with error bars
  tune       fit a heuristic's weights to the results of games
  doctor     how well this machine isolates programs
  validator  judge one answer, as a Kattis or DOMjudge output validator
  kit        the files of a Gradescope autograder"""
EXAMPLES = """\
  grader run
  grader run --solver "python3 checkers.py {input} {output}"
  grader class submissions/ -o html:report.html
"""


def main(argv: list[str]) -> int:
    """Run one command; the result is the exit code."""
    return guarded("grader", _run, argv)


def entry() -> int:
    """The installed `grader` command."""
    make_printable()
    return main(sys.argv[1:])


def _run(argv: list[str]) -> int:
    if not argv or argv[0] in (*HELP, "--version"):
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
    module_name, _, name = COMMANDS[argv[0]].partition(":")
    module = import_module(module_name)
    parser = getattr(module, f"make_{name}_parser" if name else "make_parser")()
    if "--help-all" in argv:
        parser.print_help_all()
        return 0
    run = getattr(module, f"run_{name}" if name else "run")
    code: int = run(parser.parse_intermixed_args(argv[1:]))
    return code


def _run_program(argv: list[str]) -> int:
    """`grader` without a command: help and version."""
    from grader.cli.options import GraderParser
    from solver import __version__

    parser = GraderParser("", ABOUT, EXAMPLES)
    parser.usage = f"{parser.prog} COMMAND ...\n       (each command has its own --help)"
    parser.add_argument("--version", action="version", version=f"checkmark {__version__}")
    parser.parse_args(["--help" if word in HELP else word for word in argv] or ["--help"])
    return 0
