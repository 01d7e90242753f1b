"""Checkmark's solver: the best next move of a two-player board puzzle, and why."""

__version__ = "0.1.0"
