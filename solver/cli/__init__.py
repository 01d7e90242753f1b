"""The command line.  Only the modules of this package write to the screen.

Nothing is imported that the command does not need: for the plain calls that courses use,
`IN OUT` and `--inputfile IN --outputfile OUT`, not even the argument parser.
"""

from __future__ import annotations

import os
import sys

from solver.errors import INTERRUPTED, UserError

COMMANDS = {
    "solve": "solver.cli.solve",
    "analyse": "solver.cli.analyse",
    "eval": "solver.cli.evaluate",
    "perft": "solver.cli.perft",
    "bench": "solver.cli.bench",
}


def main(argv: list[str]) -> int:
    """Run one command; the result is the exit code."""
    try:
        code = _run(argv)
        sys.stdout.flush()
        return code
    except UserError as error:
        for line in str(error).splitlines():
            print(f"solver: {line}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("solver: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has enough; leave nothing for the interpreter to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def entry() -> int:
    """The installed `solver` command."""
    return main(sys.argv[1:])


def _run(argv: list[str]) -> int:
    plain = _plain_call(argv)
    if plain is not None:
        from solver.cli.plain import solve_file

        return solve_file(*plain)
    if not argv or argv[0] in ("-h", "--help", "--version"):
        from solver.cli.general import run

        return run(argv)
    from importlib import import_module

    command = argv[0] if argv[0] in COMMANDS else "solve"
    module = import_module(COMMANDS[command])
    code: int = module.run(module.parser().parse_args(argv[argv[0] in COMMANDS :]))
    return code


def _plain_call(argv: list[str]) -> tuple[str, str] | None:
    """Input and output of a call without options and without a command."""
    if len(argv) == 4 and argv[0] == "--inputfile" and argv[2] == "--outputfile":
        argv = [argv[1], argv[3]]
    if len(argv) != 2 or argv[0] in COMMANDS:
        return None
    if any(word.startswith("-") and word != "-" for word in argv):
        return None
    return argv[0], argv[1]
