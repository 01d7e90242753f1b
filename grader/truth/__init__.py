"""Moved to `grader.puzzles.truth`."""

from grader.puzzles.truth import *  # noqa: F403
