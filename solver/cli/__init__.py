"""The command line.  Only the modules of this package write to the screen.

A command imports only what it needs: the plain calls that courses use, `IN OUT` and
`--inputfile IN --outputfile OUT`, do without the argument parser.
"""

from __future__ import annotations

import os
import sys

from solver.errors import BAD_FILE, FileError, UserError, did_you_mean
from solver.interrupt import exit_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Commands = dict[str, tuple[str, str]]

# For each command its module, and a line for the help.  Where a module has several commands, the
# name after the colon stands in those of its functions: `make_hint_parser` and `run_hint`.
COMMANDS = {
    "solve": ("solve", "the best move, or the whole line to the end"),
    "analyse": ("analyse", "what the search finds at every depth, and the best moves"),
    "eval": ("analyse:eval", "what a heuristic sees in a position, term by term"),
    "trace": ("trace", "the search tree, with the reason for every cutoff"),
    "hint": ("analyse:hint", "a hint at the best move, without the move"),
    "serve": ("serve", "a page for the browser that shows all this"),
    "site": ("site", "the same page as files, for any web space"),
    "puzzle": ("puzzle", "find a new puzzle with a proven solution"),
    "proof": ("proof", "write and check the proof of who wins from the start"),
    "endgame": ("endgame", "build and check the endgame tables"),
    "perft": ("bench:perft", "count move sequences, to test a move generator"),
    "bench": ("bench", "one node count that identifies the search, and its speed"),
    "play": ("play", "play against the solver"),
    "agent": ("agent", "let the solver play Two Flags on a server"),
    "new-agent": ("agent:new", "a folder in which to write your own agent"),
    "server": ("server", "let two programs play Two Flags over TCP"),
    "comply": ("comply", "check whether an agent follows the protocol"),
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
    except BaseException as error:
        # Of a library that was interrupted, such as argparse, the clean-up may fail.
        if not any(isinstance(each, KeyboardInterrupt) for each in (error, error.__context__)):
            raise
        return _fail(program, "interrupted", exit_code())


def _fail(program: str, message: str, code: int) -> int:
    from solver.cli.console import tell

    tell("\n".join(f"{program}: {line}" for line in message.split("\n")))
    return code


def entry() -> int:
    """The command of this process."""
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
        from solver.cli.files import solve_file

        return solve_file(*plain)
    if not argv or argv[0] in ("-h", "--help", "--help-all", "--version"):
        from solver.cli.options import run_program

        return run_program(argv)
    if sys.stdout is None and argv[0] != "solve":  # which may write elsewhere
        raise FileError("standard output is closed")
    return run_command("solver", COMMANDS, argv if argv[0] in COMMANDS else ["solve", *argv])


def run_command(package: str, commands: Commands, argv: list[str]) -> int:
    """Import the module of a command and run it."""
    from importlib import import_module

    name, _, suffix = commands[argv[0]][0].partition(":")
    module = import_module(f"{package}.cli.{name}")
    parser = getattr(module, f"make_{suffix}_parser" if suffix else "make_parser")()
    if "--help-all" in argv:
        parser.print_help_all()
        return 0
    run = getattr(module, f"run_{suffix}" if suffix else "run")
    code: int = run(parser.parse_intermixed_args(argv[1:]))
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
