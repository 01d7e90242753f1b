"""Reading boards and writing results: whole or not at all."""

from __future__ import annotations

import os
import stat
import sys

from solver.errors import BoardError, Fault, FileError, UserError

LARGEST_BOARD = 100_000  # bytes; a board is a hundred


def read_text(path: str, source: str, largest: int = LARGEST_BOARD) -> str:
    """What a file holds, or standard input for `-`; bytes that are no text stay recognisable."""
    try:
        if path == "-":
            if sys.stdin is None:
                raise FileError("standard input is closed")
            data = sys.stdin.buffer.read(largest + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(largest + 1)
    except OSError as error:
        raise FileError(f"{source}: {error.strerror}") from None
    except ValueError as error:  # a path with a NUL byte
        raise FileError(f"{source!r}: {error}") from None
    if len(data) > largest:
        what = "a board" if largest == LARGEST_BOARD else "a log"
        raise UserError(f"{source}: more than {largest} bytes, too large for {what}")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        fault = Fault(1, 1, "this looks like UTF-16")
        raise BoardError(source, [fault], "Save it as plain text, ASCII or UTF-8.")
    return data.decode("utf-8", "surrogateescape")


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


def check_apart(paths: list[str]) -> None:
    """Fail if two results would be written over each other."""
    real = ["-" if path == "-" else os.path.realpath(path) for path in paths]
    if len(set(real)) < len(real):
        raise UserError(f"The output and --stats are the same: {paths[0]}. Choose another file.")


def write_text(path: str, text: str) -> None:
    """Write to a temporary file beside the target and rename it, so that nobody ever finds
    half a file.  Pipes and devices cannot be replaced and are written to directly."""
    name = "standard output" if path == "-" else path
    try:
        if path == "-":
            _print(text)
        elif _is_stream(path):
            with open(path, "a", encoding="utf-8") as file:
                file.write(text)
        else:
            _replace(os.path.realpath(path), text.encode("utf-8"))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FileError(f"{name}: cannot write: {error.strerror}") from None
    except ValueError as error:
        raise FileError(f"{name!r}: cannot write: {error}") from None


def write_bytes(path: str, content: bytes) -> None:
    """The same for what is no text, which goes to a file and nowhere else."""
    try:
        _replace(os.path.realpath(path), content)
    except OSError as error:
        raise FileError(f"{path}: cannot write: {error.strerror}") from None
    except ValueError as error:
        raise FileError(f"{path!r}: cannot write: {error}") from None


def _print(text: str) -> None:
    if sys.stdout is None:
        raise FileError("standard output is closed")
    sys.stdout.write(text)
    sys.stdout.flush()


def _is_stream(path: str) -> bool:
    """Whether a path stands for something open already, or for anything but a file."""
    if path.startswith(("/dev/", "/proc/")):
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
            os.unlink(temporary)
            raise
