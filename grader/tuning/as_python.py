"""Fitted weights as a Python file: a heuristic to be used at once."""

from __future__ import annotations

from grader.tuning.tune import Tuning
from solver.games.checkers.heuristics import HEURISTICS

FILE = '''\
"""The heuristic `{name}` with the weights that `{command}` has found.

solver board.txt --heuristic THIS_FILE.py:evaluate
"""

from solver.games.checkers.heuristics import HEURISTICS

WEIGHTS = {{
{weights}
}}

HEURISTIC = type(HEURISTICS["{name}"])(WEIGHTS)


def evaluate(position):
    """How good the position is for the side to move."""
    return sum(HEURISTIC.value(board) for board in position.boards())
'''


def as_python(tuning: Tuning) -> str:
    name = tuning.options.heuristic
    terms = HEURISTICS[name].TERMS
    lines = [
        f'    "{keyword}": {weight},  # {terms[keyword][0]}'
        for keyword, weight in tuning.new.items()
    ]
    return FILE.format(name=name, command=tuning.options.command(), weights="\n".join(lines))
