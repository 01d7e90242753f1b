"""The old name of `grader.sandbox.job`."""

from grader.sandbox.job import (
    GRACE,
    LEAST_MEGABYTES,
    MOST_MEGABYTES,
    MOST_OUTPUT,
    MOST_SECONDS,
    Limits,
)

__all__ = ["GRACE", "LEAST_MEGABYTES", "MOST_MEGABYTES", "MOST_OUTPUT", "MOST_SECONDS", "Limits"]
