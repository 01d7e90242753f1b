"""Checkmark's grader: runs solvers over puzzles and says what their answers are worth."""
