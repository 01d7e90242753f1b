"""Reading boards and writing results: whole or not at all."""

from __future__ import annotations

import os
import stat
import sys

from solver.errors import FileError, UserError, did_you_mean
from solver.games import game_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.games import Game
    from solver.position import Evaluate, Outcome

LARGEST_BOARD = 100_000  # bytes; a board is a hundred


def is_own(heuristic: str) -> bool:
    """Whether a heuristic is named by file and function, `my.py:evaluate`."""
    return heuristic.rpartition(":")[0].endswith(".py")


class Puzzle:
    """A position that was read, with the game it belongs to and the format it came in."""

    def __init__(self, game: Game, position: Any, form: str, source: str) -> None:
        self.game = game
        self.position = position
        self.form = form
        self.source = source

    def outcome(self) -> Outcome | None:
        """How the game has ended, if it has; standard error says so."""
        outcome = self.game.outcome(self.position)
        if outcome is not None:
            print(f"solver: {self.source}: {outcome}", file=sys.stderr)
        return outcome

    def format_or(self, wanted: str | None) -> str:
        """The format to write: the wanted one, or the one that was read."""
        known = self.game.FORMATS
        if wanted is not None and wanted not in known:
            hint = did_you_mean(wanted, list(known))
            raise UserError(f"There is no format {wanted!r}.{hint} Known: {', '.join(known)}.")
        return wanted or self.form

    def evaluator(self, name: str | None) -> Evaluate:
        """The named heuristic, the game's default, or the user's own function."""
        name = name or self.game.DEFAULT_HEURISTIC
        if is_own(name):
            from solver.own_heuristic import load

            return load(name)
        self.check_heuristic(name)
        return self.game.evaluator(name, self.position)

    def check_heuristic(self, name: str) -> None:
        known = list(self.game.heuristics())
        if name not in known:
            raise UserError(
                f"There is no heuristic {name!r}.{did_you_mean(name, known)} "
                f"Known: {', '.join(known)}, or FILE.py:FUNCTION."
            )


def read_puzzle(path: str, *, strict: bool = False) -> Puzzle:
    """The puzzle in a file, or on standard input for `-`; warnings go to standard error."""
    source = "standard input" if path == "-" else path
    content = _read(path, source)
    game = game_of(content)
    position, form, warnings = game.read(content, source, strict)
    for warning in warnings:
        print(f"solver: warning: {source}: {warning}", file=sys.stderr)
    return Puzzle(game, position, form, source)


def _read(path: str, source: str) -> str:
    try:
        if path == "-":
            if sys.stdin is None:
                raise FileError("standard input is closed")
            data = sys.stdin.buffer.read(LARGEST_BOARD + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(LARGEST_BOARD + 1)
    except OSError as error:
        raise FileError(f"{source}: {error.strerror}{_command_hint(path)}") from None
    except ValueError as error:  # a path with a NUL byte
        raise FileError(f"{source!r}: {error}") from None
    if len(data) > LARGEST_BOARD:
        raise UserError(f"{source}: more than {LARGEST_BOARD} bytes, too large for a board")
    return data.decode("utf-8", "surrogateescape")


def _command_hint(path: str) -> str:
    """For a mistyped command, which looks like the name of an input file."""
    from solver.cli import COMMANDS

    return "." + hint if (hint := did_you_mean(path, list(COMMANDS))) else ""


def write_text(path: str, text: str) -> None:
    """Write to a temporary file beside the target and rename it, so that nobody ever finds
    half a file.  Pipes and devices cannot be replaced and are written to directly."""
    name = "standard output" if path == "-" else path
    try:
        if path == "-":
            _print(text)
        elif _is_special(target := os.path.realpath(path)):
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
        else:
            _replace(target, text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FileError(f"{name}: cannot write: {error.strerror}") from None
    except ValueError as error:
        raise FileError(f"{name!r}: cannot write: {error}") from None


def _print(text: str) -> None:
    if sys.stdout is None:
        raise FileError("standard output is closed")
    sys.stdout.write(text)
    sys.stdout.flush()


def _is_special(target: str) -> bool:
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode)


def _replace(target: str, text: str) -> None:
    temporary = f"{target}.{os.getpid()}.tmp"
    with open(temporary, "x", encoding="utf-8") as file:
        try:
            file.write(text)
            file.close()
            if os.path.exists(target):
                os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
