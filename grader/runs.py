"""The old name of `grader.sandbox.job`."""

from grader.sandbox.job import Ending, File, Job, Limits, Outcome, Sandbox

__all__ = ["Ending", "File", "Job", "Limits", "Outcome", "Sandbox"]
