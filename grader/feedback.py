"""Moved to `grader.grading.feedback`."""

from grader.grading.feedback import *  # noqa: F403
