"""Reading boards and writing results: whole or not at all."""

from __future__ import annotations

import os
import stat
import sys

from solver.errors import FileError, UserError, did_you_mean

LARGEST_BOARD = 100_000  # bytes; a board is a hundred


def read_text(path: str, source: str) -> str:
    """What a file holds, or standard input for `-`; bytes that are no text stay recognisable."""
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
