"""The command line.  Only the modules of this package write to the screen.

A command imports only what it needs: the plain calls that courses use, `IN OUT` and
`--inputfile IN --outputfile OUT`, do without the argument parser.
"""

from __future__ import annotations

import os
import sys

from solver.errors import BAD_FILE, INTERRUPTED, FileError, UserError, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# The module of each command, and the suffix of its functions `make_parser` and `run` if it is
# not the only one there.
COMMANDS = {
    "solve": "solve",
    "analyse": "analyse",
    "hint": "analyse:hint",
    "eval": "analyse:eval",
    "trace": "trace",
    "perft": "bench:perft",
    "bench": "bench",
    "endgame": "endgame",
    "puzzle": "puzzle",
    "agent": "agent",
    "server": "server",
    "replay": "replay",
    "comply": "comply",
    "play": "play",
    "serve": "serve",
}


def main(argv: list[str]) -> int:
    """Run one command; the result is the exit code."""
    return guarded("solver", _run, argv)


def guarded(program: str, run: Callable[[list[str]], int], argv: list[str]) -> int:
    """Run a program; every way it can fail becomes a message and an exit code."""
    try:
        code = run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except UserError as error:
        return _fail(program, str(error), error.exit_code)
    except BrokenPipeError:
        # Nobody reads our output any more; leave nothing for the interpreter to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # errors of files are caught where they are opened
        return _fail(program, f"standard output: cannot write: {error.strerror}", BAD_FILE)
    except KeyboardInterrupt:
        return _fail(program, "interrupted", INTERRUPTED)


def _fail(program: str, message: str, code: int) -> int:
    from solver.cli.console import tell

    tell("\n".join(f"{program}: {line}" for line in message.split("\n")))
    return code


def entry() -> int:
    """The installed `solver` command."""
    make_printable()
    return main(sys.argv[1:])


def make_printable() -> None:
    """Print what the terminal cannot show as escapes, instead of failing."""
    if sys.stdout is not None:
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _run(argv: list[str]) -> int:
    if argv and argv[0] not in COMMANDS and not argv[0].startswith("-"):
        _check_mistyped(argv[0])
    plain = _plain_call(argv)
    if plain is not None:
        from solver.cli.plain import solve_file

        return solve_file(*plain)
    if not argv or argv[0] in ("-h", "--help", "--help-all", "--version"):
        from solver.cli.options import run_program

        return run_program(argv)
    if sys.stdout is None and argv[0] != "solve":  # which may write elsewhere
        raise FileError("standard output is closed")
    from importlib import import_module

    name, _, suffix = COMMANDS.get(argv[0], "solve").partition(":")
    module = import_module(f"solver.cli.{name}")
    make_parser = getattr(module, f"make_{suffix}_parser" if suffix else "make_parser")
    run = getattr(module, f"run_{suffix}" if suffix else "run")
    parser, words = make_parser(), argv[argv[0] in COMMANDS :]
    if "--help-all" in words:
        parser.print_help_all()
        return 0
    code: int = run(parser.parse_intermixed_args(words))
    return code


def _check_mistyped(word: str) -> None:
    """A command that does not exist looks like a file that does not exist."""
    if os.path.exists(word):
        return
    hint = did_you_mean(word, list(COMMANDS))
    if hint:
        raise UserError(f"{word}: there is no such command or file.{hint}")


def _plain_call(argv: list[str]) -> tuple[str, str] | None:
    """Input and output of a call without options and without a command."""
    if len(argv) == 4 and argv[0] == "--inputfile" and argv[2] == "--outputfile":
        argv = [argv[1], argv[3]]
    if len(argv) != 2 or argv[0] in COMMANDS:
        return None
    if any(word.startswith("-") and word != "-" for word in argv):
        return None
    return argv[0], argv[1]
