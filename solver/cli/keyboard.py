"""Lines from standard input, asked for on a terminal only, so that scripts can play too."""

from __future__ import annotations

import os
import select
import sys

from solver.cli.words import tell
from solver.errors import FileError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from socket import socket

PIECE = 4096
LONGEST = 100_000  # characters without an end of line


class Keyboard:
    """Reads by itself and not through `sys.stdin`, whose buffer would hide from `select` that
    there is another line."""

    def __init__(self) -> None:
        if sys.stdin is None:
            raise FileError("standard input is closed")
        self.file = sys.stdin.fileno()
        self.on_terminal = os.isatty(self.file)
        self.waiting = b""
        self.ended = False

    def ask(self, prompt: str) -> None:
        if self.on_terminal and sys.stderr is not None:
            print(prompt, end=" ", file=sys.stderr, flush=True)

    def has_line(self) -> bool:
        return b"\n" in self.waiting or self.ended

    def read(self) -> None:
        """Take in what there is, waiting if there is nothing."""
        try:
            data = os.read(self.file, PIECE)
        except OSError as error:
            raise FileError(f"standard input: cannot read: {error.strerror}") from None
        self.waiting += data
        self.ended = not data or len(self.waiting) > LONGEST

    def line(self) -> str | None:
        """The next line, waiting for it; None at the end."""
        while not self.has_line():
            self.read()
        if not self.waiting:
            if self.on_terminal:
                tell("")  # ends the line of the prompt
            return None
        line, _, self.waiting = self.waiting.partition(b"\n")
        return line.decode("utf-8", "replace")

    def wait(self, other: socket) -> bool:
        """Wait for a line or for something to read from a socket; whether there is a line."""
        while not self.has_line():
            ready = select.select([self.file, other], [], [])[0]
            if self.file in ready:
                self.read()
            elif ready:
                return False
        return True
