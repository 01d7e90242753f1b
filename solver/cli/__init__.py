"""The command line.  Only the modules of this package write to the screen.

Nothing is imported that the command does not need: for the plain calls that courses use,
`IN OUT` and `--inputfile IN --outputfile OUT`, not even the argument parser.
"""

from __future__ import annotations

import os
import sys

from solver.errors import BAD_FILE, INTERRUPTED, FileError, UserError, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

COMMANDS = {
    "solve": "solver.cli.solve",
    "analyse": "solver.cli.analyse",
    "hint": "solver.cli.hint",
    "trace": "solver.cli.trace",
    "eval": "solver.cli.evaluate",
    "perft": "solver.cli.perft",
    "bench": "solver.cli.bench",
    "endgame": "solver.cli.endgame",
    "puzzle": "solver.cli.new_puzzle",
    "agent": "solver.cli.agent",
    "server": "solver.cli.server",
    "replay": "solver.cli.replay",
    "comply": "solver.cli.comply",
    "play": "solver.cli.play",
    "serve": "solver.cli.serve",
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
        return _told(program, str(error), error.exit_code)
    except BrokenPipeError:
        return _leave_quietly()
    except OSError as error:  # files are taken care of where they are opened
        return _told(program, f"standard output: cannot write: {error.strerror}", BAD_FILE)
    except KeyboardInterrupt:
        return _told(program, "interrupted", INTERRUPTED)


def _told(program: str, message: str, code: int) -> int:
    from solver.cli.console import tell

    tell("\n".join(f"{program}: {line}" for line in message.split("\n")))
    return code


def _leave_quietly() -> int:
    """Whoever read our output has enough; leave nothing for the interpreter to flush."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


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
    if not argv or argv[0] in ("-h", "--help", "--version"):
        from solver.cli.general import run

        return run(argv)
    if sys.stdout is None and argv[0] != "solve":  # which may write elsewhere
        raise FileError("standard output is closed")
    from importlib import import_module

    module = import_module(COMMANDS.get(argv[0], COMMANDS["solve"]))
    words = argv[argv[0] in COMMANDS :]
    code: int = module.run(module.make_parser().parse_intermixed_args(words))
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
