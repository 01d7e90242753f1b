"""Words for the user: always on standard error, and never a reason to fail."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.evaluate import Evaluate
    from solver.position import Position


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
    from solver.own_heuristic import load

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
