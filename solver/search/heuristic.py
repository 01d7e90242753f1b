"""Values of positions: estimates (`Heuristic`) and facts (`Exact`)."""

from __future__ import annotations

import os
import sys

from solver.errors import FileError, UserError, contradiction
from solver.search.compiled import mypyc_attr
from solver.search.limits import Stop
from solver.search.position import LOST
from solver.search.score import (
    DECISIVE,
    UNKNOWN,
    WIN,
    distance,
    from_here,
    is_decisive,
    loss_in,
    win_in,
)

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from mypy_extensions import i64

    from solver.search.position import Position
    from solver.search.result import SearchResult

    Evaluate = Callable[[Position], int]


class Term:
    """How often something occurs for each side; the total is for the side that begins."""

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
    """How good a position is for the mover, as an integer.  Compiled code calls `value`."""

    def value(self, position: Position) -> i64:
        raise NotImplementedError

    def __call__(self, position: Position) -> int:
        return self.value(position)

    def about(self) -> str:
        """One line for people."""
        return ""

    def terms(self, position: Position) -> list[Term]:
        """The terms behind a value; their totals add up to the value for the side that begins."""
        raise NotImplementedError


class FunctionHeuristic(Heuristic):
    def __init__(self, evaluate: Evaluate) -> None:
        self.evaluate = evaluate

    def value(self, position: Position) -> i64:
        return self.evaluate(position)


def heuristic_of(evaluate: Evaluate) -> Heuristic:
    return evaluate if isinstance(evaluate, Heuristic) else FunctionHeuristic(evaluate)


class Exact:
    """Exact values of some positions, such as endgame tables; here, of none.  Known values must be
    consistent: all children of a known position are known or lost."""

    def has_scores(self) -> bool:
        """Whether `score` knows any position."""
        return False

    def score(self, position: Position) -> i64:
        """The exact score for the mover, counted from here, or `UNKNOWN`."""
        return UNKNOWN

    def solution(
        self, position: Position, leave_out: frozenset[int] = frozenset()
    ) -> SearchResult | None:
        """The best move, without the children of these indexes, if it was proven before."""
        return None

    def game_ends(self) -> bool:
        """Whether every game ends by itself, won or lost, within 253 plies."""
        return False

    # What a proof asks about positions in their simplest form.

    def simplest(self, position: Position) -> Position:
        """The one that stands for all positions that are equal by symmetry."""
        return position

    def at_least(self, position: Position) -> i64:
        """A score that the mover is certain to reach, for a position that is not over."""
        return loss_in(2)

    def at_most(self, position: Position) -> i64:
        """A score that the mover is certain not to exceed, for a position that is not over."""
        return win_in(1)

    def replies(self, position: Position) -> i64:
        """The number of legal moves, or nearly that."""
        return len(position.children())

    def promise(self, position: Position, child: Position) -> i64:
        """How promising the move to this child looks, from 0 to 1023."""
        return 0


NOTHING = Exact()  # for games without tables


def known_line(exact: Exact, position: Position) -> list[Position]:
    """From a known win or loss to the end of the game, with the best moves of both sides."""
    line: list[Position] = []
    score = exact.score(position)
    if score == UNKNOWN or not is_decisive(score):
        return line
    for _ in range(distance(score)):
        score = -from_here(score, 1)
        position = _child_worth(exact, position, score)
        line.append(position)
    return line


def _child_worth(exact: Exact, position: Position, score: i64) -> Position:
    for child in position.children():
        if exact.score(child) == score or (score == -WIN and child.status() == LOST):
            return child
    raise contradiction()


# User heuristics: `my.py:evaluate`.

MODULE = "own_heuristic"


def is_own(heuristic: str) -> bool:
    """Whether the name has the form `FILE.py:FUNCTION`."""
    return heuristic.rpartition(":")[0].endswith(".py")


def load(name: str) -> OwnHeuristic:
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
        raise UserError(describe_error(path, error)) from None
    evaluate = getattr(module, function, None)
    if not callable(evaluate):
        raise UserError(f"{path}: there is no function {function!r} in it")
    return OwnHeuristic(name, path, evaluate)


def _module(path: str) -> ModuleType:
    """An empty module for the user's code, which may import files from the same folder.  The file
    is compiled here, not imported: no bytecode is written and no edit is missed."""
    module = type(sys)(MODULE)
    module.__file__ = path
    sys.modules[MODULE] = module
    folder = os.path.dirname(os.path.abspath(path))
    if folder not in sys.path:
        sys.path.append(folder)
    return module


class OwnHeuristic(Heuristic):
    """Calls the user's function and checks its result."""

    def __init__(self, name: str, path: str, evaluate: Callable[[Position], object]) -> None:
        self.name = name
        self.path = path
        self.evaluate = evaluate

    def value(self, position: Position) -> i64:
        key = position.key()
        try:
            value = self.evaluate(position)
        except (KeyboardInterrupt, Stop):
            raise
        except BaseException as error:
            raise UserError(describe_error(self.path, error)) from error
        if position.key() != key:
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
    try:
        return show(thing)
    except Exception:
        return "something that cannot be shown"


def describe_error(path: str, error: BaseException) -> str:
    """An exception in the user's code as one line, with its line number."""
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == path else None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    place = path if line is None else f"{path}: line {line}"
    said = " ".join(_safely(str, error).split())
    return f"{place}: {type(error).__name__}{': ' if said else ''}{said}"
