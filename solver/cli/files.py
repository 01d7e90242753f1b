"""Reading puzzles from files, and writing results: whole or not at all; and the plain call,
`solver IN OUT`, which needs nothing else of this package and so starts fast."""

from __future__ import annotations

import os
import stat
import sys

from solver.errors import FileError
from solver.games.puzzle import read_puzzle, read_text, source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from solver.games.puzzle import Puzzle


def open_puzzle(path: str, text: str | None = None, **options: Any) -> Puzzle:
    """The puzzle in a file, or on standard input for `-`; `text` if it was read before.  Options
    are those of `read_puzzle`; warnings go to standard error."""
    source = source_of(path)
    puzzle = read_puzzle(read_text(path, source) if text is None else text, source, **options)
    for warning in puzzle.warnings:
        _tell(f"solver: warning: {puzzle.source}: {warning}")
    return puzzle


def tell_end(puzzle: Puzzle) -> bool:
    """Whether the game is over; if so, say how on standard error."""
    result = puzzle.result
    if result is not None:
        _tell(f"solver: {puzzle.source}: {result}")
    return result is not None


def _tell(message: str) -> None:
    """Most plain calls have nothing to say, and need not load the module for it."""
    from solver.cli.console import tell

    tell(message)


def read_bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None


def check_output(path: str) -> None:
    """Fail now and not after a long search, if this path can never be written."""
    if path == "-" or _is_stream(path):
        return
    if not path or path.endswith("/") or os.path.isdir(path):
        raise FileError(f"{path!r}: cannot write: not the name of a file")
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise FileError(f"{path}: cannot write: No such file or directory")
    if not os.access(folder, os.W_OK):
        raise FileError(f"{path}: cannot write: Permission denied in {folder}")


def warn_overwrite(source: str, target: str) -> None:
    """Before an answer takes the place of the board that it answers."""
    if source != "-" and os.path.realpath(source) == os.path.realpath(target):
        _tell(f"solver: warning: {source}: the answer overwrites the board")


def write_file(path: str, content: str | bytes) -> None:
    """Write to a temporary file beside the target and rename it, so that there is never half a
    file.  Standard output (`-`), pipes and devices cannot be replaced and are written to."""
    name = "standard output" if path == "-" else path
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        if path == "-":
            if sys.stdout is None:
                raise FileError("standard output is closed")
            sys.stdout.write(str(content))
            sys.stdout.flush()
        elif _is_stream(path):
            with open(path, "ab") as file:
                file.write(data)
        else:
            _replace(os.path.realpath(path), data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FileError(f"{name}: cannot write: {error.strerror}") from None
    except ValueError as error:
        raise FileError(f"{name!r}: cannot write: {error}") from None


def _is_stream(path: str) -> bool:
    """Whether a path is a stream that is open already, or a pipe or device."""
    if path.startswith(("/dev/", "/proc/")) and not path.startswith("/dev/shm/"):
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _replace(target: str, content: bytes) -> None:
    temporary = os.path.join(os.path.dirname(target), f".{os.urandom(6).hex()}.tmp")
    with open(temporary, "xb") as file:
        try:
            file.write(content)
            file.close()
            if os.path.exists(target):
                os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
            os.replace(temporary, target)
        except BaseException:
            if os.path.exists(temporary):  # or it was interrupted when all was done
                os.unlink(temporary)
            raise


def solve_file(source: str, target: str) -> int:
    """If the game is over, that is not an error: the board itself is the answer."""
    check_output(target)
    puzzle = open_puzzle(source)
    warn_overwrite(source, target)
    if not tell_end(puzzle):
        children = puzzle.position.children()
        if len(children) == 1:
            puzzle = puzzle.at(children[0])  # no need to load the modules that search
        else:
            from solver.games.solve import Request, Solver

            puzzle = Solver(puzzle, Request()).solve().board
    write_file(target, puzzle.write() + "\n")
    return 0
