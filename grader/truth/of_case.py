"""The truth about a puzzle of a batch, looked up once."""

from __future__ import annotations

from functools import lru_cache

from grader.puzzles.find import Case
from grader.truth import Truth, check_truth, find_truth, read_truth


@lru_cache(maxsize=1024)
def truth_of(case: Case) -> Truth:
    """From the proof beside the puzzle, or, where there is none, from our own solver."""
    expected = case.expected.decode("utf-8", "replace")
    if case.proof:
        truth = read_truth(case.proof, expected, case.name)
        check_truth(truth, case.text, case.name)
        return truth
    return find_truth(case.game, case.text, expected)
