"""Moved to `grader.puzzles.prove`."""

from grader.puzzles.prove import *  # noqa: F403
