"""Heuristics as the search calls them, and the terms that explain their values."""

from __future__ import annotations

from solver.compiled import mypyc_attr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mypy_extensions import i64

    from solver.evaluate import Evaluate


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


class FunctionHeuristic(Heuristic):
    """Somebody's function."""

    def __init__(self, evaluate: Evaluate) -> None:
        self.evaluate = evaluate

    def value(self, position: Any) -> i64:
        return self.evaluate(position)


def heuristic_of(evaluate: Evaluate) -> Heuristic:
    return evaluate if isinstance(evaluate, Heuristic) else FunctionHeuristic(evaluate)
