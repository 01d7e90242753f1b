"""Words for the user: always on standard error, and never a reason to fail."""

from __future__ import annotations

import sys
import textwrap
import time

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from solver.games import Game
    from solver.search.heuristic import Evaluate
    from solver.search.position import Position


def tell(message: str) -> None:
    """Print a message, if there is anybody left to read it."""
    if sys.stderr is None:
        return
    try:
        for line in message.split("\n"):
            print(shown(line), file=sys.stderr)
    except OSError:
        pass


def shown(text: str) -> str:
    """Text without what would move a terminal's cursor, such as odd file names may hold."""
    return (
        text
        if text.isprintable()
        else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    )


def own_heuristic(name: str) -> Evaluate:
    """The function that `FILE.py:FUNCTION` names; what it prints, even while it is loaded, is no
    part of an answer."""
    from solver.search.heuristic import load

    stdout = sys.stdout
    sys.stdout = sys.stderr
    try:
        return Aside(load(name))
    finally:
        sys.stdout = stdout


class Aside:
    """A user's heuristic, whose own prints are words for people and no part of an answer."""

    def __init__(self, evaluate: Evaluate) -> None:
        self.evaluate = evaluate

    def __call__(self, position: Position) -> int:
        stdout = sys.stdout
        sys.stdout = sys.stderr
        try:
            return self.evaluate(position)
        finally:
            sys.stdout = stdout


# How far something long has come: one line on a terminal, written over and over.


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


# Sentences in lines that fit a terminal.


PARAGRAPHS_WIDTH = 100


def wrapped(text: str, indent: str = "") -> str:
    """Every line broken between words, never within a move; what follows a break is indented."""
    return "\n".join(
        textwrap.fill(line, PARAGRAPHS_WIDTH, subsequent_indent=indent, break_on_hyphens=False)
        for line in text.split("\n")
    )


# A position for people: the board with the names of its squares beside it.


FILES = "abcdefgh"


def drawn(game: Game, position: Any) -> str:
    """Ranks to the left, files below, and to the right what the game writes beside its rows."""
    rows = zip(str(position).split("\n"), game.beside(position), strict=True)
    lines = [
        f"{8 - row}  {' '.join(pieces)}   {beside}".rstrip()
        for row, (pieces, beside) in enumerate(rows)
    ]
    return "\n".join([*lines, "", f"   {' '.join(FILES)}"])
