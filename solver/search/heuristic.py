"""Heuristics as the search calls them, and the terms that explain their values."""

from __future__ import annotations

import os
import sys

from solver.errors import FileError, UserError
from solver.search.compiled import mypyc_attr
from solver.search.limits import Stop
from solver.search.score import DECISIVE

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from mypy_extensions import i64

    from solver.search.evaluate import Evaluate
    from solver.search.position import Position


class Term:
    """How often something occurs for either side, and what each occurrence is worth.

    The first side is the one that begins the game; the total is seen from there.
    """

    def __init__(self, title: str, first: int, second: int, weight: int) -> None:
        self.title = title
        self.first = first
        self.second = second
        self.weight = weight

    @property
    def total(self) -> int:
        return self.weight * (self.first - self.second)

    def __repr__(self) -> str:
        return f"<{self.title}: {self.weight} * ({self.first} - {self.second})>"


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristic:
    """How good a position is for the mover, as an integer.

    Everybody calls it like a function, except a compiled search: that asks for the `value`
    and gets a machine integer.
    """

    def value(self, position: Any) -> i64:
        raise NotImplementedError

    def __call__(self, position: Any) -> int:
        return self.value(position)

    def about(self) -> str:
        """What it looks at, in one line."""
        return ""

    def terms(self, position: Any) -> list[Term]:
        """What it sees in a position; the totals add up to the value for the first side."""
        raise NotImplementedError


class Asked(Heuristic):
    """Somebody's function."""

    def __init__(self, evaluate: Evaluate) -> None:
        self.evaluate = evaluate

    def value(self, position: Any) -> i64:
        return self.evaluate(position)


def heuristic_of(evaluate: Evaluate) -> Heuristic:
    return evaluate if isinstance(evaluate, Heuristic) else Asked(evaluate)


# A user's own heuristic, from a Python file: `my.py:evaluate`.


MODULE = "own_heuristic"


def is_own(heuristic: str) -> bool:
    """Whether a heuristic is named by file and function, `my.py:evaluate`."""
    return heuristic.rpartition(":")[0].endswith(".py")


def load(name: str) -> OwnHeuristic:
    """The function that `FILE.py:FUNCTION` names."""
    path, _, function = name.rpartition(":")
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    module = _module(path)
    try:
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise UserError(_told(path, error)) from None
    evaluate = getattr(module, function, None)
    if not callable(evaluate):
        raise UserError(f"{path}: there is no function {function!r} in it")
    return OwnHeuristic(name, path, evaluate)


def _module(path: str) -> ModuleType:
    """An empty module for the file's code, registered as imports and dataclasses expect.

    The file is compiled here and not imported, so that no bytecode is written beside it and
    an edit is never missed.  Files beside it can be imported by it.
    """
    module = type(sys)(MODULE)
    module.__file__ = path
    sys.modules[MODULE] = module
    folder = os.path.dirname(os.path.abspath(path))
    if folder not in sys.path:
        sys.path.append(folder)
    return module


class OwnHeuristic(Heuristic):
    """Calls the user's function and checks what it returns."""

    def __init__(self, name: str, path: str, evaluate: Callable[[Position], object]) -> None:
        self.name = name
        self.path = path
        self.evaluate = evaluate

    def value(self, position: Any) -> i64:
        asked: Position = position
        key = asked.key()
        try:
            value = self.evaluate(position)
        except (KeyboardInterrupt, Stop):
            raise
        except BaseException as error:
            raise UserError(_told(self.path, error)) from error
        if asked.key() != key:
            raise UserError(f"{self.name} has changed the position; it may only look at it")
        if type(value) is not int:
            raise UserError(
                f"{self.name} returned {_safely(repr, value)}, a {type(value).__name__}; "
                "it must return an int: how good the position is for the side to move"
            )
        if not -DECISIVE < value < DECISIVE:
            raise UserError(
                f"{self.name} returned a value outside -{DECISIVE} to {DECISIVE}; "
                "those mean proven wins and losses"
            )
        return value


def _safely(show: Callable[[object], str], thing: object) -> str:
    """How a thing shows itself, unless even that fails."""
    try:
        return show(thing)
    except Exception:
        return "something that cannot be shown"


def _told(path: str, error: BaseException) -> str:
    """An exception in the user's code as one line, with the line of the file it came from."""
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == path else None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    place = path if line is None else f"{path}: line {line}"
    said = " ".join(_safely(str, error).split())
    return f"{place}: {type(error).__name__}{': ' if said else ''}{said}"
