"""Heuristics as the search asks them."""

from __future__ import annotations

from solver.compiled import mypyc_attr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mypy_extensions import i64

    from solver.evaluate import Evaluate


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristic:
    """How good a position is for the mover, as an integer.

    Called like a function by everybody, but for a compiled search, which asks for the `value`
    and so gets a machine integer.
    """

    def value(self, position: Any) -> i64:
        raise NotImplementedError

    def __call__(self, position: Any) -> int:
        return self.value(position)


class Asked(Heuristic):
    """Somebody's function."""

    def __init__(self, evaluate: Evaluate) -> None:
        self.evaluate = evaluate

    def value(self, position: Any) -> i64:
        return self.evaluate(position)


def heuristic_of(evaluate: Evaluate) -> Heuristic:
    return evaluate if isinstance(evaluate, Heuristic) else Asked(evaluate)
