"""Fitted weights as a Python file: a heuristic to be used at once."""

from __future__ import annotations

from grader.tuning.tune import Tuning
from solver.checkers.catalogue import HEURISTICS

FILE = '''\
"""The heuristic `{name}` with the weights that `{command}` has found.

solver board.txt --heuristic THIS_FILE.py:evaluate
"""

from solver.checkers.catalogue import HEURISTICS, worth

WEIGHTS = {{
{weights}
}}


def evaluate(position):
    """How good the position is for the side to move."""
    return worth(HEURISTICS["{name}"], position, WEIGHTS)
'''


def as_python(tuning: Tuning) -> str:
    name = tuning.options.heuristic
    titles = HEURISTICS[name].terms
    lines = [
        f'    "{keyword}": {weight},  # {titles[keyword]}' for keyword, weight in tuning.new.items()
    ]
    return FILE.format(name=name, command=tuning.options.command(), weights="\n".join(lines))
