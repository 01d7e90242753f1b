"""What is known about a puzzle: every legal move with its value.

`read_truth` takes it from a puzzle's JSON file; `find_truth` asks the solver about a puzzle
that has none.
"""

from grader.truth.check import check_truth
from grader.truth.find import find_truth
from grader.truth.model import Move, Truth
from grader.truth.read import read_truth

__all__ = ["Move", "Truth", "check_truth", "find_truth", "read_truth"]
