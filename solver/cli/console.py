"""Messages for the user: always on standard error, and never a reason to fail."""

from __future__ import annotations

import sys
import time
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self


def tell(message: str) -> None:
    """Print a message, unless standard error is closed."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(*map(shown, message.split("\n")), sep="\n", file=sys.stderr)


def shown(text: str) -> str:
    """Text without control characters, which odd file names may have."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


SECONDS_BETWEEN = 0.5
WIDTH = 70


class Progress:
    """One line on a terminal, written over and over; nothing if standard error is not one."""

    def __init__(self) -> None:
        self.shown = sys.stderr is not None and sys.stderr.isatty()
        self.started = self.last = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def poll(self, describe: Callable[[float], str]) -> None:
        """If it is time, show what is said of the seconds so far."""
        now = time.monotonic()
        if self.shown and now - self.last >= SECONDS_BETWEEN:
            self.last = now
            words = describe(now - self.started)
            print(f"\r{words:<{WIDTH}}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.last > self.started:
            print(f"\r{' ' * WIDTH}\r", end="", file=sys.stderr, flush=True)
