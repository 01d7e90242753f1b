"""How far something long has come: one line on a terminal, written over and over."""

from __future__ import annotations

import sys
import time

SECONDS_BETWEEN = 0.5
WIDTH = 70


class Progress:
    """Shows nothing where standard error is no terminal."""

    def __init__(self) -> None:
        self.shown = sys.stderr is not None and sys.stderr.isatty()
        self.started = self.last = time.monotonic()

    def is_due(self) -> bool:
        """Whether it is time to show something again."""
        return self.shown and time.monotonic() - self.last >= SECONDS_BETWEEN

    def show(self, words: str) -> None:
        self.last = time.monotonic()
        print(f"\r{words:<{WIDTH}}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.last > self.started:
            print(f"\r{' ' * WIDTH}\r", end="", file=sys.stderr, flush=True)
