"""Moved to `grader.grading.records`."""

from grader.grading.records import *  # noqa: F403
