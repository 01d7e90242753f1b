"""What can be wrong with what the user gave us, and the exit code that says so."""

from __future__ import annotations

BAD_INPUT = 2
BAD_FILE = 3
INTERRUPTED = 130

MOST_FAULTS = 100  # beyond that a list of faults helps nobody


class UserError(Exception):
    """A message for the user; the command ends with `exit_code` and no traceback."""

    exit_code = BAD_INPUT


class FileError(UserError):
    """A file that cannot be read or written."""

    exit_code = BAD_FILE


class Fault:
    """One thing wrong in a text, and where: line and column count from 1.

    If it is about a square of the board, `square` is its index, from 0 at the top left.
    """

    __slots__ = ("column", "line", "rule", "square")

    def __init__(self, line: int, column: int, rule: str, square: int | None = None) -> None:
        self.line = line
        self.column = column
        self.rule = rule
        self.square = square

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.rule}"


class BoardError(UserError):
    """A board text with all its faults."""

    def __init__(self, source: str, faults: list[Fault], advice: str) -> None:
        lines = [f"{source}: {fault}" for fault in faults[:MOST_FAULTS]]
        if len(faults) > MOST_FAULTS:
            lines.append(f"{source}: and {len(faults) - MOST_FAULTS} faults more")
        super().__init__("\n".join([*lines, advice]))
        self.faults = faults


def contradiction() -> FileError:
    """Of endgame tables in which a value does not follow from those of the next move."""
    return FileError(
        "The endgame tables contradict themselves.\n"
        "'solver endgame check FILE' tells which values are wrong."
    )


def counted(number: int, thing: str, things: str = "") -> str:
    """`1 row`, `2 rows`; `1 ply`, `2 plies` if told so."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def did_you_mean(word: str, known: list[str]) -> str:
    """A hint for a mistyped name, or an empty string."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""
