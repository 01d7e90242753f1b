"""Errors for the user, exit codes, and helpers for messages."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

BAD_INPUT = 2
BAD_FILE = 3

BYTE_ORDER_MARK = "\ufeff"  # some editors write it at the start of a file
MOST_FAULTS = 100  # listed in a message


class UserError(Exception):
    """A message for the user; the command exits with `exit_code`, without a traceback."""

    exit_code = BAD_INPUT


class FileError(UserError):
    exit_code = BAD_FILE


class Fault:
    """One fault in a text; line and column count from 1."""

    __slots__ = ("column", "line", "rule")

    def __init__(self, line: int, column: int, rule: str) -> None:
        self.line = line
        self.column = column
        self.rule = rule

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.rule}"


class BoardError(UserError):
    """All faults of a text, in order."""

    def __init__(self, source: str, faults: list[Fault], advice: str) -> None:
        faults = sorted(faults, key=lambda fault: (fault.line, fault.column))
        lines = [f"{source}: {fault}" for fault in faults[:MOST_FAULTS]]
        if len(faults) > MOST_FAULTS:
            lines.append(f"{source}: and {len(faults) - MOST_FAULTS} more faults")
        super().__init__("\n".join([*lines, advice]))
        self.faults = faults


def shown(word: str) -> str:
    """A word as printable text, shortened; a byte that is not text by its number."""
    if len(word) == 1 and "\udc80" <= word <= "\udcff":
        return f"byte {ord(word) - 0xDC00:#x}"
    if word == BYTE_ORDER_MARK:
        return "a byte order mark"
    return ascii(word if len(word) <= 20 else word[:20] + "...")


def contradiction() -> FileError:
    """For endgame tables whose values are inconsistent."""
    return FileError(
        "The endgame tables contradict themselves.\n"
        "'solver endgame check FILE' shows which values are wrong."
    )


def counted(number: int, thing: str, things: str = "") -> str:
    """`1 row`, `2 rows`; `1 ply`, `2 plies` with an irregular plural."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def check_known(kind: str, word: str, known: Iterable[str], more: str = "") -> None:
    """Raise an error for an unknown name."""
    names = list(known)
    if word not in names:
        hint = did_you_mean(word, names)
        raise UserError(f"There is no {kind} {word!r}.{hint} Known: {', '.join(names)}{more}.")


def did_you_mean(word: str, known: list[str]) -> str:
    """A suggestion for a mistyped name, or an empty string."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""
