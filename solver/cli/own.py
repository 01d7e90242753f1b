"""A user's own heuristic on the command line.  It is called in this process, so what it prints must
not become part of an answer, and it must neither end the process nor keep it for ever."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from io import TextIOBase
from typing import NoReturn, TypeVar

from solver.cli.console import tell
from solver.search.heuristic import load
from solver.search.position import Position

R = TypeVar("R")
SECONDS = 10  # for one position
MOST_PRINTED = 100_000  # characters
end_process = os._exit
inside: dict[int, OwnFunction] = {}  # by the thread that is in a user's code


class TooSlow(BaseException):
    """No `Exception`, which the user's code may catch."""


class OwnFunction(TextIOBase):
    """The function that `FILE.py:FUNCTION` names; and the stream for what it prints, which goes to
    standard error as long as somebody can read it."""

    may_print = MOST_PRINTED  # in this process

    def __init__(self, name: str) -> None:
        self.name = name
        self.seconds = 0
        is_main = threading.current_thread() is threading.main_thread()
        self.has_timer = is_main and hasattr(signal, "setitimer")  # Windows has none
        if self.has_timer:
            signal.signal(signal.SIGALRM, _count_second)
        os._exit = _end_unless_inside
        self.evaluate = self._call(load, name)
        self.is_class = isinstance(self.evaluate.evaluate, type)

    def __call__(self, position: Position) -> int:
        return self._call(self.evaluate, position)

    def _call(self, function: Callable[..., R], *words: object) -> R:
        self.seconds = 0
        inside[threading.get_ident()] = self
        try:
            if self.has_timer:
                signal.setitimer(signal.ITIMER_REAL, 1, 1)
            with redirect_stdout(self):
                return function(*words)
        finally:
            if self.has_timer:
                signal.setitimer(signal.ITIMER_REAL, 0)
            del inside[threading.get_ident()]

    def write(self, text: str) -> int:
        left = OwnFunction.may_print
        OwnFunction.may_print -= len(text)
        if left > 0 and sys.stderr is not None:
            sys.stderr.write(text[:left])
            if left <= len(text):
                tell(f"\n{self.name} prints too much; the rest is not shown")
        return len(text)


def _count_second(*_: object) -> None:
    """Not a clock, which would also count while the process is stopped."""
    if function := inside.get(threading.get_ident()):
        function.seconds += 1
        if function.seconds >= SECONDS:
            raise TooSlow(f"no value after {SECONDS} seconds. Look for a loop that does not end.")


def _end_unless_inside(status: int) -> NoReturn:
    if threading.get_ident() not in inside:
        end_process(status)
    raise SystemExit(f"os._exit({status}) would end the whole program. Return a value instead.")
