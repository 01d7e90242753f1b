"""The command line.  Only the modules of this package write to the screen."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec

from solver.cli import guarded, make_printable
from solver.errors import FileError, UserError, did_you_mean

COMMANDS = {  # a module, and the name of the command if the module has several
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


def main(argv: list[str]) -> int:
    """Run one command; the result is the exit code."""
    return guarded("grader", _run, argv)


def entry() -> int:
    """The installed `grader` command."""
    make_printable()
    return main(sys.argv[1:])


def _run(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "--version"):
        from grader.cli.general import run

        return run(argv)
    if argv[0] not in COMMANDS:
        hint = did_you_mean(argv[0], list(COMMANDS))
        raise UserError(f"{argv[0]}: there is no such command.{hint} Try 'grader --help'.")
    if sys.stdout is None:
        raise FileError("standard output is closed")
    try:
        os.getcwd()
    except OSError as error:
        raise FileError(f"the current folder: {error.strerror}") from None
    if argv[0] not in NEED_NOTHING:
        _check_installed()
    module_name, _, name = COMMANDS[argv[0]].partition(":")
    module = import_module(module_name)
    parser = getattr(module, f"make_{name}_parser" if name else "make_parser")()
    code: int = getattr(module, f"run_{name}" if name else "run")(
        parser.parse_intermixed_args(argv[1:])
    )
    return code


def _check_installed() -> None:
    """Say what is missing before any work is done."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise UserError(
            f"The grader needs {' and '.join(missing)}."
            f" Try '{sys.executable} -m pip install {' '.join(missing)}'."
        )
